"""The table of what is read of each tool, in docs/formats.md, is what its real files give."""

import re

import pytest

from reports import load
from tests.reports.harnesses.truths import DATA

PLACES = {
    "Inspect, logs": "inspect/logs",
    "Inspect, data frames": "inspect/dataframes",
    "SWE-bench": "swebench",
    "tau2-bench": "tau2",
    "lm-evaluation-harness": "lm_eval",
    "bigcode-evaluation-harness": "bigcode",
}
"""The folders of tools that are not called as their folder."""
TOLD = {
    "inspect": {"correct": ("match", "choice", "graded")},
    "every_eval_ever": {"correct": "exact_match:score-first"},
    "lm_eval": {"filter": ("score-first", "strict-match")},
}
HELD = {
    "answers": lambda run: run.answers is not None,
    "tokens": lambda run: "tokens_out" in run.columns,
    "seconds": lambda run: "latency_s" in run.columns,
    "cost": lambda run: "cost" in run.columns,
    "why it ended": lambda run: "finish_reason" in run.labels,
    "errors": lambda run: not run.labels.keys().isdisjoint({"error", "result"}),
    "segments": lambda run: bool(run.outcomes.segments),
    "time of the run": lambda run: run.time is not None,
}


def rows():
    text = (DATA.parents[1] / "docs/formats.md").read_text()
    lines = re.search(r"\| tool \| answers .*?\n\n", text, re.DOTALL)[0].strip().splitlines()
    head, _, *rest = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return [dict(zip(head, row, strict=True)) for row in rest]


@pytest.mark.wide
@pytest.mark.parametrize("row", rows(), ids=lambda row: row["tool"])
def test_a_row_is_what_real_files_give(row):
    tool = row["tool"]
    place = PLACES.get(tool, tool.lower().replace(" ", "_").replace("-", "_"))
    runs = load(DATA / place, columns=TOLD.get(place.partition("/")[0])).runs
    for field, held in HELD.items():
        if row[field] in ("yes", "–"):
            assert any(map(held, runs)) is (row[field] == "yes"), field
