"""CSV and JSON of every subcommand keep their keys and numbers; JSON may hold more.

``python -m tests.kofn.test_golden_files NAME…`` freezes those of subcommands anew.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from kofn.command import main
from kofn.terminal import inputs
from metrics import Outcomes, Text
from reports import Report, Run, load
from tests.kofn.listings import LISTINGS
from tests.reports.kept_elsewhere import kept_elsewhere
from tests.wide import wide_but

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "data" / "golden"
GIVEN = ("table", "sample", "counted")
SLOW = ("plan",)
"""Subcommands that are not asked about the sample."""
LONGEST = ("compare", "guidance", "saturation")
"""Subcommands of whose files the tests are wide."""
ASKED = {"choose-n": ("--basis", "samples"), "trade-offs": ("--basis", "samples")}
"""What a subcommand is asked beside, so that its default may change."""
MOST = 5
"""Of longer lists so many are kept, evenly spaced."""
SENTENCE = re.compile(r".*\w\.$|(\S+ ){5}.*", re.DOTALL)
HEAD = "model,dataset,question_id,sample,correct,score,answer,logprob,tokens_out,subject"


def written_table() -> bytes:
    """Return three checkpoints on two datasets, with scores, answers, tokens and segments."""
    lines = [
        f"ckpt-{m}00,{dataset},q{q},{s},{int((q * 7 + s * 3 + m) % 5 > 1)},{(q + s) % 3 / 2},"
        f"{(q * 7 + s * 3 + m) % 3},{(q + s) % 7},{9 + s},{'odd' if q % 2 else 'even'}"
        for m in (1, 2, 3)
        for dataset in ("maths", "logic")
        for q in range(12)
        for s in range(4)
    ]
    return "\n".join([HEAD, *lines]).encode()


@cache
def given(name: str) -> Report:
    """Return what a subcommand is given in place of a path."""
    if name == "table":
        return load(io.BytesIO(written_table()), name="table.csv")
    if name == "sample":
        return inputs.load(ROOT / "sample_data" / "aisbench_report.zip")
    runs = []
    for step in (1, 2, 3):
        rng = np.random.default_rng(step)
        right = (rng.random((24, 4)) < rng.beta(2, 3 - step / 2, (24, 1))).astype(int)
        right[::7, -1] = -1
        levels = {"level": np.where(np.arange(24) % 2, "easy", "hard")}
        held = Run(f"step-{step}", "maths", Outcomes(right, None, None, levels))
        runs.append(kept_elsewhere(held))
    return Report("engine", Text("a table elsewhere"), tuple(runs))


def printed(subcommand: str, name: str, layout: str) -> str:
    """Return what a subcommand prints of something given."""
    out, report = io.StringIO(), given(name)
    with (
        patch.object(inputs, "load", lambda source, **options: report),
        patch.object(inputs, "source", str),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        main([subcommand, name, "--format", layout, *ASKED.get(subcommand, ())])
    return out.getvalue()


def as_number(cell: str) -> float | str:
    try:
        return float(cell)
    except ValueError:
        return cell


def kept_of(found: list[Any]) -> list[Any]:
    """Return some of a long list, below how long it is."""
    if len(found) <= MOST:
        return found
    places = np.linspace(0, len(found) - 1, MOST).round().astype(int)
    return [f"{len(found)} in all", *(found[place] for place in places)]


def cells(row: list[str]) -> list[Any]:
    """Return the cells of a line of CSV."""
    return [thinned(as_number(cell)) for cell in row]


def thinned(found: Any) -> Any:
    """Keep of long lists some, of sentences that they are there, of floats 12 digits."""
    if isinstance(found, dict):
        return {key: thinned(each) for key, each in found.items()}
    if isinstance(found, list):
        return [thinned(each) for each in kept_of(found)]
    if isinstance(found, str):
        return "a sentence" if SENTENCE.fullmatch(found) else found
    return float(f"{found:.12g}") if isinstance(found, float) else found


def frozen(subcommand: str) -> dict[str, Any]:
    """Return what is kept of a subcommand."""
    found = {}
    for name in GIVEN:
        if name == "sample" and subcommand in SLOW:
            continue
        rows = list(csv.reader(io.StringIO(printed(subcommand, name, "csv"))))
        found[f"{name}.csv"] = (
            [",".join(rows[0]), *kept_of([*map(cells, rows[1:])])] if rows else []
        )
        if name != "sample":
            text = printed(subcommand, name, "json")
            found[f"{name}.json"] = thinned(json.loads(text)) if text else {}
    return found


def assert_alike(one: Any, other: Any, where: str) -> None:
    if isinstance(one, dict) and isinstance(other, dict):
        assert one.keys() >= other.keys(), where
        for key in other:
            assert_alike(one[key], other[key], f"{where}.{key}")
    elif isinstance(one, list) and isinstance(other, list):
        assert len(one) == len(other), where
        for place, (each, beside) in enumerate(zip(one, other, strict=True)):
            assert_alike(each, beside, f"{where}[{place}]")
    elif isinstance(one, float):
        assert one == pytest.approx(other, rel=1e-9, abs=1e-9), where
    else:
        assert one == other, where


@pytest.mark.usefixtures("asked_once")
@pytest.mark.parametrize("subcommand", wide_but({*LISTINGS} - {*LONGEST}, LISTINGS))
def test_files_keep_their_keys_and_numbers(subcommand: str) -> None:
    kept = json.loads((GOLDEN / f"{subcommand}.json").read_text())
    assert_alike(json.loads(json.dumps(frozen(subcommand))), kept, subcommand)


if __name__ == "__main__":
    for asked in sys.argv[1:]:
        text = json.dumps(frozen(asked), indent=1, ensure_ascii=False)
        (GOLDEN / f"{asked}.json").write_text(text + "\n")
