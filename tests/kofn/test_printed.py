"""What subcommands print and draw of small reports stays as somebody has read it.

``uv run python -m tests.kofn.test_printed`` writes it anew; ``git diff`` shows what has changed.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import takewhile
from pathlib import Path
from pkgutil import resolve_name
from typing import Any
from unittest.mock import patch

import numpy as np
import plotly.graph_objects as go
import pytest

from kofn.choices.runs import index_runs
from kofn.choices.view import View
from kofn.command import SUBCOMMANDS, main
from kofn.leaderboard.unnamed_datasets import comparable_runs
from kofn.terminal import inputs
from kofn.terminal.subcommand import Listing
from kofn.version import VERSION
from metrics import Outcomes, Text
from metrics.analyses.plan import plan as planning
from reports import Report, Run
from tests.kofn import test_golden_files, test_pages_agree
from tests.kofn.listings import LISTINGS

ROOT = Path(__file__).parents[2]
PRINTED = ROOT / "tests" / "data" / "printed"
STRICT = View(target="benchmark", level=0.8, missing="omit")
NARROW = View(metric="pass@k", k=(2,), missing="right")
ASKED = (
    ("rich", View()),
    ("rich", STRICT),
    ("uneven", View()),
    ("counted", View()),
    ("answering", View()),
    ("scored", View()),
    ("bare", View()),
    ("several", View()),
    ("lone", NARROW),
    ("rich", replace(NARROW, segment=("topic", "odd"))),
    ("aisbench/gsm8k_n5_failed_requests.zip", View()),
    ("aisbench/gsm8k_n5_two_models.zip", STRICT),
)
COMMANDS = {
    "inventory": ("failed --format md", "checkpoints mixed --all"),
    "overview": (
        "--verdicts --metric pass@k --k 2",
        "--format md",
        "--segment topic=odd --missing omit --level .8",
        "sample --verdicts",
        "outcomes --metric pass@k --k 16",
    ),
    "scorecard": (
        "--metrics avg@n,pass@k,g-pass@k --tau .4,.8 --k 2 --format md",
        "--fail-under avg@n=.4 --metrics avg@n",
        "failed --all",
        "--format latex --ends columns --run step-1",
        "--rewards 0,1 --prior 1,1,0 --posterior 1,2 --weights 0,1 --k 2 --target benchmark",
        "--lambda .3 --pass-power 2 --unanimous-power 3 --run 'step-1 / maths' --all",
        "sample --run sequoia-72b-chat",
    ),
    "soft-vs-hard": ("--threshold .7 --rule reach", "--run step-1 --format md", "sample --all"),
    "trust": (
        "--expect maths:avg@5=45% --margin .05",
        "failed --all",
        "mixed --format md",
        "checkpoints --expect sample_data/expected.csv --margin .02 --strict",
        "checkpoints --fail-doubtful 1% --run cedar-14b-ckpt-2500",
        "checkpoints --expect sample_data/checkpoints.parquet --run cedar-14b-ckpt-500 --all",
        "candidates --all",
    ),
    "questions": (
        "--filter flaky --sort right --down yes",
        "--a 'step-1 / maths' --b 'step-3 / maths' --search 1",
        "--signal reward --agreed 0,.5 --format md",
        "--filter a-beats-b --a 'step-1 / maths' --b 'step-3 / maths'",
        "sample --filter confidently-wrong --run sequoia-72b-chat",
        "failed --filter failed --right 0,.5",
    ),
    "consistency": ("--margin .2 --by topic --k 3", "--run step-1 --format md", "sample"),
    "candidates": (
        "--signal reward --vote sum",
        "--soft yes --k 2 --format md",
        "candidates --signal reward-v2 --judge judge --nested yes --texts --all",
        "candidates --signal=-reward-v1 --vote max --gain exponential --weights 1,.5 --k 4",
    ),
    "compare": (
        "--dataset maths --by topic --metric pass@k --k 2",
        "--margin .3 --strict --run 'step-1 / maths' --run 'step-3 / maths'",
        "--base step-1 --format md",
        "--base step-3 --margin .01 --run 'step-1 / maths' --run 'step-3 / maths'",
        "outcomes --dataset maths",
    ),
    "rank": ("--dataset logic --metric pass@k --format md", "outcomes --metric pass@k --k 16"),
    "series": (
        "--against previous --metric pass@k --format md",
        "checkpoints --all",
        "checkpoints --against best --target benchmark --metric pass@k",
    ),
    "plan": ("--difference .3 --dataset maths --power .7", "--width .2 --question-cost 2"),
    "choose-n": (
        "--verifier no --basis samples",
        "--quality .6 --token-price .5,2 --currency EUR --dataset maths",
        "--value 100 --budget 300 --basis tokens --format md",
        "--stop windows --window 2 --cap 4 --verifier no --run step-3",
        "--picked-by reward --verifier no",
        "--stop confidence --confidence .9 --verifier no --dataset logic --all",
        "--quality .99 --dataset maths",
        "--budget .1 --basis samples",
        "--total 500 --questions 10 --reach .9",
        "--basis typed --tokens 100,200 --token-price step-1=1,2 --token-price 3,4",
        "outcomes --dataset maths --value 2",
        "outcomes --basis seconds --second-price .01 --stop best --all",
        "failed --basis lengths",
    ),
    "budgets": ("--answers voted --k 2", "--run step-2 --format md", "outcomes"),
    "trade-offs": (
        "--x tokens --y pass@k --per 1000 --token-price 1,2",
        "--format md",
        "outcomes --x seconds --all",
    ),
    "saturation": (
        "--metric maj@k --up-to 32",
        "--k 1,2,9 --run step-3 --format md",
        "outcomes --all",
        "failed --metric g-pass@k",
    ),
    "guidance": (
        "--high .4 --low .2 --k 3",
        "--run step-2 --format md",
        "sample --all --reliability-cons .1 --tolerance-pass .9 --balanced-avg .2",
    ),
    "report": ("mixed --only compare,choose-n,inventory", "failed --with-texts --only trust"),
}
"""What subcommands are asked beside, of the rich report unless they name another."""
FILES = {
    "failed": "tests/data/aisbench/gsm8k_n5_failed_requests.zip",
    "mixed": "tests/data/aisbench/gsm8k_n5_two_models.zip",
    "sample": "sample_data/aisbench_report.zip",
    **{name: f"sample_data/{name}.parquet" for name in ("outcomes", "candidates", "checkpoints")},
}
MOST = 6
"""Of more lines, blocks and numbers so many are kept."""


@cache
def rich() -> Report:
    """Return three checkpoints on two datasets of which everything is known."""
    rng = np.random.default_rng(11)
    runs = []
    for step in (1, 2, 3):
        for dataset, hard in (("maths", 0.1), ("logic", 0.3)):
            p = np.clip(rng.beta(1.5 * step - 1, 1.5, 16) - hard, 0, 1)
            correct = (rng.random((16, 5)) < p[:, None]).astype(int)
            correct[::7, -step:] = -1
            scores = np.where(correct < 0, np.nan, 0.2 + 0.6 * correct + 0.2 * rng.random((16, 5)))
            topics = {"topic": np.where(np.arange(16) % 3, "odd", "even")}
            columns = {
                "tokens_out": rng.gamma(4, 20 * (4 - step), (16, 5)).round(),
                "reward": correct + rng.normal(size=(16, 5)),
            }
            answers = np.where(correct > 0, 0, rng.integers(0, 4, (16, 5)))
            outcomes = Outcomes(correct, scores, None, topics)
            run = Run(f"step-{step}", dataset, outcomes, threshold=0.5, answers=answers)
            runs.append(replace(run, columns=columns))
    return Report("rich", Text("made"), tuple(runs))


def uneven() -> Report:
    """Return runs of the rich report of which less and less is known, one of them all right."""
    first, second, third, fourth, fifth, sixth = rich().runs
    scores = fourth.outcomes.scores
    runs = (
        first,
        replace(second, columns={}, answers=None),
        replace(third, outcomes=Outcomes(third.outcomes.correct), columns={}, threshold=None),
        replace(
            fourth,
            outcomes=Outcomes(fourth.outcomes.correct[:12], scores[:12]),
            answers=None,
            columns={},
        ),
        Run(fifth.model, fifth.dataset, Outcomes(np.ones((16, 3), int))),
        Run(sixth.model, sixth.dataset, Outcomes(np.maximum(sixth.outcomes.correct[:, :1], 0))),
    )
    return Report("uneven", Text("made"), runs)


@cache
def given(kind: str) -> Report:
    if kind in ("rich", "uneven"):
        return rich() if kind == "rich" else uneven()
    return (test_golden_files if kind == "counted" else test_pages_agree).given(kind)


def kept(found: list[Any]) -> list[Any]:
    """Return some of what is long, evenly spaced, with its first and its last."""
    last = len(found) - 1
    return found if last < MOST else [found[last * at // (MOST - 1)] for at in range(MOST)]


def thinned(found: Any) -> Any:
    """Keep of drawn lists some, and of numbers what can be seen."""
    if isinstance(found, dict) and "bdata" in found:
        found = np.frombuffer(b64decode(found["bdata"]), found["dtype"]).tolist()
    if isinstance(found, dict):
        return {key: thinned(each) for key, each in found.items() if key != "template"}
    if isinstance(found, list):
        return [thinned(each) for each in kept(found)]
    return float(f"{found:.5g}") if isinstance(found, float) else found


def drawn(figure: go.Figure) -> Iterator[str]:
    """Yield a line for each trace of a figure, and for each part of its layout."""
    plain = json.loads(figure.to_json(engine="json"))
    layout = [{key: each} for key, each in sorted(plain["layout"].items()) if key != "template"]
    for each in (*kept(plain["data"]), *layout):
        yield json.dumps(thinned(each), ensure_ascii=False, sort_keys=True)


def lines(text: str) -> Iterator[str]:
    """Yield some lines of some blocks."""
    for block in kept(text.rstrip("\n").split("\n\n")):
        yield from (*map(str.rstrip, kept(block.split("\n"))), "")


def said(name: str, kind: str, view: View) -> Iterator[str]:
    """Yield what a subcommand prints of a report on a terminal and in LaTeX, and what it draws."""
    listing: Listing[Any] = resolve_name(SUBCOMMANDS[name].dotted_name.removesuffix(".subcommand"))
    reports = [given(kind)]
    runs = index_runs(reports)
    if listing.compares:
        runs, reports = comparable_runs(runs, reports)
    cards = listing.compute(runs, view, *(choices() for choices, _ in listing.choices.values()))
    every = [*cards, *listing.pooled(reports, cards)]
    yield from lines(listing.on_screen(every, view))
    if view is STRICT:
        yield from lines(listing.write("latex", every, view))
    if listing.figure and (figure := listing.drawn(cards, reports)):
        yield from drawn(figure)


def asked(name: str, words: str) -> Iterator[str]:
    """Yield what a command prints, what it tells beside, and how it ends."""
    files = [*takewhile(FILES.__contains__, shlex.split(words))]
    given = [*([FILES[file] for file in files] or ["rich"]), *shlex.split(words)[len(files) :]]
    out, told = io.StringIO(), io.StringIO()
    report = rich()
    read = inputs.load

    def loaded(source: Any, **options: Any) -> Report:
        return report if source == "rich" else read(source, **options)

    with (
        patch.object(inputs, "load", loaded),
        patch.object(inputs, "source", lambda path: path),
        contextlib.chdir(ROOT),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(told),
    ):
        try:
            status = main([name, *given])
        except SystemExit as ended:
            status = ended.code
    yield from (f"$ kofn {name} {shlex.join(given)}", "")
    yield from lines(out.getvalue().replace(VERSION, "VERSION"))
    yield from (*lines(told.getvalue()), f"ends with {status}", "")


def explained(name: str) -> str:
    """Return the help of a subcommand."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main([name, "--help"])
    return out.getvalue()


def printed(name: str) -> str:
    """Return what is kept of a subcommand."""
    with (
        patch.object(planning, "FARTHEST", 1),
        patch.dict(os.environ, {"COLUMNS": "5000", "LC_ALL": "C.UTF-8"}),
    ):
        found = [explained(name)]
        for words in COMMANDS.get(name, ()):
            found += asked(name, words)
        for kind, view in ASKED if name in LISTINGS else ():
            found += [f"# {kind}, {view.target}", "", *said(name, kind, view), ""]
    return "\n".join(found)


@pytest.mark.wide
@pytest.mark.parametrize("subcommand", SUBCOMMANDS)
def test_what_is_printed_and_drawn_stays(subcommand: str) -> None:
    kept = (PRINTED / f"{subcommand}.txt").read_text()
    assert printed(subcommand).splitlines() == kept.splitlines()


if __name__ == "__main__":
    for name in SUBCOMMANDS:
        (PRINTED / f"{name}.txt").write_text(printed(name))
