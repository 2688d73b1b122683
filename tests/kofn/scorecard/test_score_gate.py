"""`kofn score --fail-under` fails where a lower limit is not as high as asked, and says of each."""

import json
from pathlib import Path

import pytest

from kofn.choices.view import View
from kofn.command import main
from kofn.scorecard.analysis import score_runs
from kofn.scorecard.choices import ScoreChoices
from kofn.scorecard.gate import LineChoices, judge
from metrics import MetricError, Outcomes, estimate
from reports.run.report import Run
from tests.kofn.indexed import index
from tests.reports.tables.outcome_tables import write_table

GOOD = Outcomes([[1, 1]] * 45 + [[0, 1]] * 5)
POOR = Outcomes([[1, 1]] * 20 + [[0, 0]] * 30)
LOW = estimate(GOOD, "avg@n").interval.low


def ruled(*lines, runs=(GOOD,), view=None, chosen=None):
    named = index(*(Run(f"m{place}", "gsm8k", each) for place, each in enumerate(runs)))
    cards = score_runs(named, view or View(), chosen or ScoreChoices())
    choices, problems = LineChoices.from_query({"fail-under": lines})
    assert not problems
    return judge((), cards, choices)


@pytest.mark.parametrize(("least", "status"), [(LOW - 1e-6, 0), (LOW + 1e-6, 1), (0, 0), (1, 1)])
def test_it_is_the_lower_limit_that_counts(least, status):
    assert ruled(f"avg@n={least!r}").status == status


def test_every_run_has_its_line_and_one_that_fails_is_enough():
    ruling = ruled("avg@n=.7", runs=(GOOD, POOR))
    assert [verdict.passed for verdict in ruling.verdicts] == [True, False]
    assert ruling.status == 1
    assert ruling.lines() == [
        "passed: m0 / gsm8k: avg@2 is 95.0% (87.4 to 99.1), surely 70.0% or more.",
        "failed: m1 / gsm8k: avg@2 is 40.0% (26.5 to 54.3), surely below 70.0%.",
    ]
    assert "which may be below 40.0%" in ruled("avg@n=.4", runs=(POOR,)).lines()[0]


def test_every_k_that_is_shown_counts():
    view = View(k=(1, 2))
    ruling = ruled("pass^k=.85", view=view)
    assert [verdict.passed for verdict in ruling.verdicts] == [True, False]


def test_what_has_no_value_fails_with_the_reason():
    ruling = ruled("soft=.1", runs=(GOOD,))
    assert ruling.status == 1
    assert "N/A" in ruling.lines()[0]
    assert ruled("avg@n=0", runs=(GOOD, None)).status == 1


def test_a_line_of_what_is_left_out_is_refused():
    with pytest.raises(MetricError, match="No scorecard has pass@k"):
        ruled("pass@k=.5", chosen=ScoreChoices(("avg@n",)))


@pytest.mark.parametrize("text", ["avg@n", "avg@n=70", "avg@n=x", "=.5", "avg=.5"])
def test_what_is_no_line_is_refused(text):
    assert LineChoices.from_query({"fail-under": text})[1]


def test_the_command_ends_with_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = str(write_table(tmp_path / "t.parquet"))
    assert main(["score", table, "--fail-under", "avg@n=0.01", "--format", "json"]) == 0
    gate = json.loads(capsys.readouterr().out)["gate"]
    assert gate["status"] == 0
    assert [each["passed"] for each in gate["verdicts"]] == [True]
    assert main([table, "--fail-under", "avg@n=.99", "--format", "md"]) == 1
    answer, _, covers, _, verdict, gap, *_ = capsys.readouterr().out.splitlines()
    assert verdict.startswith("- **failed** 7B / gsm8k: avg@4 is ")
    assert (answer[-1], covers[-1], gap) == (".", ".", "")
    assert main([table, "--fail-under", "avg@n=.99", "--format", "csv"]) == 1
    assert main(["score", table, "nothing.zip", "--fail-under", "avg@n=.99"]) == 2
    assert main(["score", table, "--fail-under", "avg@n=99"]) == 2
    capsys.readouterr()
    assert main(["score", table, "--format", "json"]) == 0
    assert "gate" not in json.loads(capsys.readouterr().out)
