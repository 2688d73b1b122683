"""`kofn compare --margin` fails where the new runs are surely worse, and says of each."""

import json
from pathlib import Path

import numpy as np
import pytest

from kofn.choices.runs import index_runs
from kofn.choices.view import View
from kofn.command import main
from kofn.compare.analysis import compare_runs
from kofn.compare.gate import GateChoices, judge, level_of_each_claim
from metrics import JointTally, MetricError, Outcomes, Text, compare, compare_suite
from reports.run.report import Report, Run
from tests.pages.visiting import table

CAPTURED = pytest.CaptureFixture[str]


def solved(ease: float, dataset: str = "maths", model: str = "7B", m: int = 150) -> Run:
    hard = np.random.default_rng(len(dataset)).random((m, 1))
    rng = np.random.default_rng([round(100 * ease), len(dataset)])
    return Run(model, dataset, Outcomes((rng.random((m, 4)) < 1 - hard * ease).astype(int)))


BASE, ALIKE, WORSE = solved(0.7), solved(0.71), solved(1.0)
OTHER, OTHER_WORSE = solved(0.7, "coding"), solved(0.95, "coding")


def ruled(base, new, margin=0.01, view=None, **chosen):
    reports = Report("base.zip", Text(""), tuple(base)), Report("new.zip", Text(""), tuple(new))
    cards = compare_runs(index_runs(reports), view or View())
    return judge(reports, cards, GateChoices(margin, **chosen))


@pytest.mark.wide
@pytest.mark.parametrize("view", [View(), View(metric="pass@k", k=(4,), level=0.9)])
def test_the_limits_decide_as_the_library_has_them(view):
    low, high = compare(
        BASE, WORSE, view.metric or "avg@n", view.k[0] if view.k else None, **view.asked
    ).interval
    cases = [(-high - 1e-9, 1), (-high + 1e-9, 3), (-low - 1e-9, 3), (-low + 1e-9, 0)]
    for margin, status in cases:
        assert ruled([BASE], [WORSE], margin, view, strict=True).status == status
    assert ruled([BASE], [WORSE], -high + 1e-9, view).status == 0


def test_each_dataset_and_all_together_have_their_line():
    ruling = ruled([BASE, OTHER], [WORSE, OTHER_WORSE], 0.02)
    heads = [line.split(": ")[1] for line in ruling.lines()[:-1]]
    assert heads == ["maths", "coding", "all together"]
    assert [verdict.passed for verdict in ruling.verdicts] == [False, False, False]
    assert ruling.lines()[-1] == (
        "The intervals of these 3 differences hold at once with 95%, each with 98.33%."
    )
    suite = compare_suite(
        {"a": BASE, "b": OTHER}, {"a": WORSE, "b": OTHER_WORSE}, confidence_level=1 - 0.05 / 3
    )
    low, high = (100 * end for end in suite.interval)
    assert f"({-high:.1f} to {-low:.1f})" in ruling.lines()[2]
    assert "7B (new.zip) is surely worse by more than 2.0 points." in ruling.lines()[2]


def test_one_that_is_worse_is_enough():
    ruling = ruled([BASE, OTHER], [WORSE, solved(0.3, "coding")])
    assert [verdict.passed for verdict in ruling.verdicts][:2] == [False, True]
    assert ruling.status == 1


def test_what_only_one_file_has_cannot_be_told():
    ruling = ruled([BASE, OTHER], [ALIKE], 0.2, strict=True)
    assert [verdict.passed for verdict in ruling.verdicts] == [True, None]
    assert ruling.status == 3
    both = [solved(0.7, "law", "7B"), solved(0.7, "law", "8B")]
    assert ruled([BASE, *both], [ALIKE], 0.2).verdicts[1].passed is None


def test_more_than_one_model_in_a_file_must_be_named():
    more = solved(0.5, model="8B")
    with pytest.raises(MetricError, match=r"maths has 3: .*Name two by --run"):
        ruled([BASE, more], [WORSE])
    view = View(runs=("7B / maths (base.zip)", "7B / maths (new.zip)"))
    assert ruled([BASE, more], [WORSE], view=view).status == 1


def test_without_a_margin_nothing_is_asked():
    assert ruled([BASE], [WORSE], None).verdicts == ()
    with pytest.raises(MetricError, match="needs a margin"):
        ruled([BASE], [WORSE], None, strict=True)


@pytest.mark.wide
def test_the_command_ends_with_it(tmp_path: Path, capsys: CAPTURED) -> None:
    paths = []
    for name, run in {"base": BASE, "alike": ALIKE, "worse": WORSE}.items():
        paths.append(str(tmp_path / f"{name}.parquet"))
        Path(paths[-1]).write_bytes(table(run.outcomes.correct, "7B"))
    base, alike, worse = paths
    assert main(["compare", base, alike, "--margin", "0.01"]) == 0
    assert "\ncannot tell: maths: " in capsys.readouterr().out
    assert main(["compare", base, alike, "--margin", "0.01", "--strict"]) == 3
    assert main(["compare", base, alike, "--margin", "0.2", "--strict"]) == 0
    capsys.readouterr()
    asked = ["compare", base, worse, "--metric", "pass@k", "--k", "2", "--margin", "0.01"]
    assert main([*asked, "--format", "json"]) == 1
    gate = json.loads(capsys.readouterr().out)["gate"]
    assert gate["status"] == 1
    assert [each["passed"] for each in gate["verdicts"]] == [False]
    assert main([*asked, "--format", "md"]) == 1
    assert "\n- **failed** maths: " in capsys.readouterr().out
    assert main([*asked, "--margin", "1"]) == 0
    assert main(["compare", base, worse, "--margin", "1%"]) == 2
    assert main(["compare", base, worse, "--strict"]) == 2
    assert "needs a margin" in capsys.readouterr().err
    assert main(["compare", base, worse, "--margin", "0.01", "--run", "8B"]) == 2


def test_a_model_stands_for_all_its_runs(tmp_path: Path, capsys: CAPTURED) -> None:
    path = tmp_path / "both.parquet"
    path.write_bytes(table(BASE.outcomes.correct, "7B"))
    (tmp_path / "more.parquet").write_bytes(table(OTHER.outcomes.correct, "7B", "coding"))
    paths = [str(path), str(tmp_path / "more.parquet")]
    assert main(["score", *paths, "--run", "7B", "--format", "json"]) == 0
    assert len({row["run"] for row in json.loads(capsys.readouterr().out)["scores"]}) == 2


@pytest.mark.slow
@pytest.mark.parametrize("datasets", [1, 5])
def test_equal_runs_fail_by_chance_as_seldom_as_said(datasets):
    rng = np.random.default_rng(datasets)
    claims = datasets + (datasets > 1)
    level, failed, sets = level_of_each_claim(View(), claims), 0, 2000
    for _ in range(sets):
        rates = rng.beta(1, 1, (datasets, 60))
        suite = {
            str(place): JointTally.of_questions(4, rng.binomial(4, rate), 4, rng.binomial(4, rate))
            for place, rate in enumerate(rates)
        }
        found = [compare(joint, confidence_level=level) for joint in suite.values()]
        if datasets > 1:
            found.append(compare_suite(suite, dict.fromkeys(suite), confidence_level=level))
        failed += any(each.interval.high < 0 for each in found)
    print(f"\n{datasets} datasets: {failed / sets:.3f} of {sets} gates failed")
    assert failed / sets <= 0.025 + 2.5 * (0.025 / sets) ** 0.5
