"""Type checkers know the names of all metrics, and of nothing else."""

from pathlib import Path
from typing import get_args

import pytest
from numpy.testing import assert_equal

from metrics import METRICS, JudgedMetric, Metric, MetricName, estimate, metric_name
from metrics.analyses.judges.corrected import METRICS_OF_JUDGES
from metrics.scoring.payoffs import any_correct

ASKED = """\
from kofn import metrics
from metrics import estimate, metric_name

R = [[0, 1], [1, 1]]
metrics.estimate(R, "pass@k", 2)
metrics.curve(R, "pass^k")
metrics.compare(R, R, "maj@k", k=2)
estimate(R, metric_name(input()), 2)
metrics.estimate(R, "pas@k", 2)  # misspelled
metrics.curve(R, "pass^n")  # misspelled
metrics.compare(R, R, "pass@2")  # misspelled
metrics.choose_n(R, metric="majority")  # misspelled
metrics.correct_judge(R, metric="soft")  # misspelled
estimate(R, input(), 2)  # misspelled
"""


def test_the_names_are_those_of_the_registry() -> None:
    assert get_args(MetricName) == tuple(METRICS)
    assert get_args(JudgedMetric) == METRICS_OF_JUDGES


def test_a_type_checker_finds_every_misspelled_name_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mypy = pytest.importorskip("mypy.api", reason="mypy comes with the group ci")
    (tmp_path / "asked.py").write_text(ASKED)
    house = Path(__file__).parents[3]
    monkeypatch.setenv("MYPYPATH", str(house))
    told, trouble, status = mypy.run(
        [
            "--no-pretty",
            "--explicit-package-bases",
            "--ignore-missing-imports",
            "--follow-imports=silent",
            f"--config-file={house / 'pyproject.toml'}",
            f"--cache-dir={house / '.mypy_cache' / 'asked'}",
            str(tmp_path / "asked.py"),
        ]
    )
    expected = {place for place, line in enumerate(ASKED.split("\n"), 1) if "# misspelled" in line}
    found = {int(line.split(":")[1]) for line in told.splitlines() if ": error:" in line}
    assert (found, trouble, status) == (expected, "", 1), told


def test_a_metric_of_ones_own_has_a_name_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    known = METRICS["pass@k"]
    mine = Metric("mine@k", known.family, known.sentence, known.formula, "me", any_correct)
    monkeypatch.setitem(METRICS, "mine@k", mine)
    R = [[0, 1, 1], [0, 0, 1]]
    assert_equal(estimate(R, metric_name("mine@k"), 2).value, estimate(R, "pass@k", 2).value)
