"""Curves as rows, and as text: a table to read, JSON, CSV and Markdown."""

from __future__ import annotations

import gettext
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from kofn.curve_words import remarks
from kofn.curves import Point, RunCurve, Span
from kofn.listing import Row, aligned, csv_text, markdown
from kofn.rendering import ENGLISH, percent, printable, render
from kofn.scorecard import covered
from kofn.view import View
from metrics.registry import METRICS
from metrics.words import Text

Layout = Callable[[Sequence[RunCurve], View, Span], str]

SOURCES: Mapping[str, Text] = {
    "measured": Text("measured"),
    "model": Text("by a model"),
    "bounds": Text("not known, only bounded"),
}


def listed(curve: RunCurve) -> tuple[Point, ...]:
    """Return the points to read: those of the k asked for, else each doubling, n and the last."""
    wanted = set(curve.view.k)
    if not wanted and curve.points:
        last = curve.points[-1].k
        wanted = {1 << exponent for exponent in range(last.bit_length())} | {curve.n, last}
        if not any(point.k % 2 == 0 for point in curve.points):
            wanted = {k - 1 + k % 2 for k in wanted}
    return tuple(point for point in curve.points if point.k in wanted)


def rows(
    curves: Sequence[RunCurve],
    points: Callable[[RunCurve], Sequence[Point]] = listed,
    translations: gettext.NullTranslations = ENGLISH,
) -> list[dict[str, Any]]:
    """Lay curves out flat, one row for each run and k.

    Parameters
    ----------
    curves : sequence of RunCurve
    points : callable
        Which points of a curve.
    translations : gettext.NullTranslations, optional
        For the reasons.

    Returns
    -------
    list of dict
        The keys of `COLUMNS`, fractions in full precision; what does not exist is None. A run
        without any point has one row, with its reason.
    """

    def row(curve: RunCurve, point: Point | None) -> dict[str, Any]:
        segment = curve.view.segment
        numbers = {name: getattr(point, name, None) for name in _NUMBERS}
        reason = " ".join(render(why, translations) for why in curve.reasons)
        return {
            "run": curve.key,
            "model": printable(curve.model),
            "dataset": printable(curve.dataset),
            "segment": None if segment is None else printable("=".join(segment)),
            "metric": curve.metric,
            **numbers,
            "level": curve.view.level,
            "target": "population" if numbers["source"] == "model" else curve.view.target,
            "samples": curve.n,
            "reason": printable(reason) if numbers["value"] is None else None,
        }

    return [row(curve, point) for curve in curves for point in points(curve) or (None,)]


_NUMBERS = ("k", "source", "value", "low", "high", "bound_low", "bound_high", "alike", "gain")
COLUMNS = {
    **dict.fromkeys(("run", "model", "dataset", "segment", "metric"), "string"),
    "k": "Int64",
    "source": "string",
    **dict.fromkeys(_NUMBERS[2:], "Float64"),
    "level": "Float64",
    "target": "string",
    "samples": "Int64",
    "reason": "string",
}


def frame(
    curves: Sequence[RunCurve],
    points: Callable[[RunCurve], Sequence[Point]] = listed,
    translations: gettext.NullTranslations = ENGLISH,
) -> pd.DataFrame:
    """Return `rows` as a frame for CSV and Parquet, with the columns and types of `COLUMNS`."""
    found = rows(curves, points, translations)
    return pd.DataFrame(found, columns=list(COLUMNS)).astype(COLUMNS)


def _as_table(curves: Sequence[RunCurve], view: View, span: Span) -> str:
    blocks = ["\n".join(_block(curve)) for curve in curves]
    return "\n\n".join([render(covered(view)), *blocks]) + "\n"


def _block(curve: RunCurve) -> Iterator[str]:
    segment = curve.view.segment
    yield ", ".join(
        filter(None, [curve.key, None if segment is None else printable("=".join(segment))])
    )
    shown = [_cells(row) for row in rows([curve]) if row["k"] is not None]
    if shown:
        yield from (f"  {line}" for line in aligned(shown).splitlines())
    yield from (f"  {printable(render(remark))}" for remark in remarks(curve))


def _as_markdown(curves: Sequence[RunCurve], view: View, span: Span) -> str:
    shown = [{"run": row["run"], **_cells(row)} for row in rows(curves) if row["k"] is not None]
    told = [
        {"run": curve.key, "remark": printable(render(remark))}
        for curve in curves
        for remark in remarks(curve)
    ]
    parts = [render(covered(view)), *(markdown(part) for part in (shown, told) if part)]
    return "\n\n".join(parts) + "\n"


def _cells(row: Mapping[str, Any]) -> Row:
    value, *limits = percent(row["value"] or 0.0, *_known(row["low"], row["high"]))
    bounds = percent(0.0, *_known(row["bound_low"], row["bound_high"]))[1:]
    gain = row["gain"]
    return {
        "metric": METRICS[row["metric"]].label(row["k"]),
        "value": render(Text("N/A")) if row["value"] is None else value,
        "interval": _span(limits) if row["value"] is not None else "",
        "possible": _span(bounds),
        "one more try": "" if gain is None else f"{gain:+.2%}",
        "from": render(SOURCES[row["source"]]),
    }


def _known(*numbers: float | None) -> list[float]:
    return [number for number in numbers if number is not None]


def _span(ends: Sequence[str]) -> str:
    return render(Text("{low} to {high}", low=ends[0], high=ends[1])) if ends else ""


def _as_csv(curves: Sequence[RunCurve], view: View, span: Span) -> str:
    return csv_text(frame(curves))


def _as_json(curves: Sequence[RunCurve], view: View, span: Span) -> str:
    document = {
        "view": view.to_json(),
        "span": span.to_json(),
        "points": rows(curves),
        "runs": [_details(curve) for curve in curves],
    }
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def _details(curve: RunCurve) -> dict[str, Any]:
    beyond = curve.beyond
    backtest = None if beyond is None else beyond.backtest
    return {
        "run": curve.key,
        "samples": curve.n,
        "reasons": [printable(render(reason)) for reason in curve.reasons],
        "backtest": None if backtest is None else {**backtest._asdict(), "error": backtest.error},
        "method": None if beyond is None else render(beyond.method),
        "caveats": [] if beyond is None else [render(caveat) for caveat in beyond.caveats],
    }


FORMATS: Mapping[str, Layout] = {
    "table": _as_table,
    "json": _as_json,
    "csv": _as_csv,
    "md": _as_markdown,
}
