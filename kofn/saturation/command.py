"""``kofn curve``: what more samples buy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kofn.card import say, title
from kofn.choices.view import View
from kofn.citing.used import MethodNote, Used, used_of_metric
from kofn.leaderboard.lines import cards_of_runs
from kofn.run_columns import without_names
from kofn.saturation.analysis import (
    DEFAULT,
    CurveCard,
    CurveSpan,
    known_points,
    metric_of,
    reasons_of,
    trace_means,
    trace_runs,
)
from kofn.saturation.columns import COLUMNS, LISTED, lines_to_read, screen_columns
from kofn.saturation.words import answer, remarks
from kofn.terminal.subcommand import Listing
from kofn.writing.columns import Block
from kofn.writing.layout import Row
from metrics.data.words import Text, plain
from metrics.scoring.registry import METRICS
from reports.run.report import Run

DETAILS = Text(
    """\
Up to the n samples of a question, everything is measured. Beyond that, a model forecasts pass@k,
pass^k and maj@k up to 16 n, with a band; for pass@k and pass^k there are also limits that need no
model. If the model cannot be trusted, kofn says why instead. In simulations its line was off by up
to 41 points at 16 n; docs/intervals.md describes the study.

formats:
  table  a block for each run: k that double, or those of --k
  json   {{"view", "span": the settings, "points": [one object for each run and k], "runs":
         [samples, backtest of the model, reasons, caveats]}}
  csv    the points
  md     the points as a Markdown table
"""
)


def _block(curve: CurveCard) -> Block:
    return Block(title(curve), without_names(COLUMNS), lines_to_read([curve]), remarks(curve))


def _trace(runs: Mapping[str, Run], view: View, span: CurveSpan) -> Sequence[CurveCard]:
    return [*trace_runs(runs, view, span), *trace_means(runs, view, span)]


def _tables(curves: Sequence[CurveCard]) -> Iterator[Sequence[Row]]:
    yield LISTED.written(curves)
    yield [
        {"run": curve.key, "remark": plain(remark)}
        for curve in cards_of_runs(curves)
        for remark in remarks(curve)
    ]


def _document(curves: Sequence[CurveCard]) -> dict[str, Any]:
    return {"runs": list(map(_details, cards_of_runs(curves)))}


def _details(curve: CurveCard) -> dict[str, Any]:
    found = curve.found
    beyond = found.beyond if found else None
    backtest = None if beyond is None else beyond.backtest
    return {
        "run": curve.key,
        "samples": found.n if found else 0,
        "reasons": [say(reason) for reason in reasons_of(curve)],
        "backtest": None if backtest is None else {**backtest._asdict(), "error": backtest.error},
        "method": None if beyond is None else say(beyond.method),
        "caveats": [] if beyond is None else [say(caveat) for caveat in beyond.caveats],
    }


def _used(curves: Sequence[CurveCard]) -> Iterator[Used | MethodNote]:
    for curve in cards_of_runs(curves):
        if curve.found is not None:
            metric = METRICS[metric_of(curve.view)]
            yield used_of_metric(metric, None, curve.run, curve.view)
            if curve.found.beyond is not None:
                yield MethodNote(curve.found.beyond.method)


SATURATION = Listing(
    about=DETAILS,
    result=Text("a curve"),
    view=("metric", "k", "level", "target", "missing", "segment", "run"),
    defaults={
        "k": Text("those that double, the number of samples and the largest"),
        "metric": DEFAULT,
    },
    choices={"span": (CurveSpan, ("up-to",))},
    compute=_trace,
    found=known_points,
    answer=answer,
    blocks=lambda curves: map(_block, curves),
    screen=lambda curves: [Block("", screen_columns(curves), curves)],
    table=LISTED,
    tables=_tables,
    used=_used,
    figure="kofn.saturation.figures:picture",
    document=_document,
)
