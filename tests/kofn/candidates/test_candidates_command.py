"""``kofn candidates``: every format, calibration sets, and columns that are not there."""

import json
import re

import numpy as np
import pytest

import reports
from kofn.command import main
from metrics import estimate, ndcg, selected, selection_efficiency
from tests.kofn.candidates.picked_runs import drawn, table
from tests.kofn.indexed import HOSTILE


@pytest.fixture
def path(tmp_path):
    right, signal = drawn(20, 4)
    judge = np.abs(right - (np.arange(right.size).reshape(right.shape) % 7 == 0))
    path = tmp_path / "a.parquet"
    columns = {"judge": judge, "tokens_out": [10] * right.size, "response": ["a b c"] * right.size}
    path.write_bytes(table(right, signal, HOSTILE, **columns))
    return path


@pytest.mark.parametrize("form", ["table", "md", "csv", "json"])
def test_the_command_prints_every_format(form, path, capsys):
    asked = ["--nested", "yes", "--texts", "--weights", "2,1", "--all"]
    assert main(["candidates", str(path), "--format", form, *asked]) == 0
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert all(each in printed for each in ("rm", "nDCG@4", "distinct-2", "weighted mean"))
    if form == "json":
        _assert_numbers(json.loads(printed))


def _assert_numbers(document):
    assert document["picking"]["vote"] is None
    assert document["further"] == {"calibration": "", "texts": True}
    numbers = {(row["number"], row["k"]): row for row in document["numbers"]}
    assert len(numbers) == len(document["numbers"])
    right, signal = drawn(20, 4)
    truth = selected(right, signal)
    found = numbers["selected@3", 3]
    ends = truth.value[2], truth.low[2], truth.high[2]
    assert (found["value"], found["low"], found["high"], found["tokens"]) == (*ends, 30)
    assert numbers["efficiency", 4]["value"] == selection_efficiency(right, signal).value
    assert numbers["nDCG@4", 4]["value"] == ndcg(right, 4, by=signal).value[0]
    (run,) = document["runs"]
    assert [each["signal"] for each in run["signals"]] == ["rm", "judge", "tokens_out"]
    assert len(run["checklist"]) == 8
    assert any("one half of the questions chooses" in said for said in run["says"])


def test_what_lies_behind_a_pick_is_cited_where_it_was_used(path, tmp_path, capsys):
    def keys(*asked):
        main(["candidates", str(path), *asked, "--format", "bibtex"])
        return set(re.findall(r"^@\w+\{(\w+),$", capsys.readouterr().out, re.MULTILINE))

    labels = tmp_path / "labels.csv"
    lines = [f"c{i},{i % 2},{int(i % 2 or i % 10 == 0)}" for i in range(60)]
    labels.write_text("\n".join(["question_id,human,judge", *lines]))
    bare = keys()
    assert "jarvelin2002cumulated" in bare
    assert not bare & {"li2016diversity", *JUDGED}
    assert "li2016diversity" in keys("--texts")
    assert keys("--judge", "judge", "--calibration", str(labels)) & JUDGED == {
        "rogan1978estimating",
        "lang2014confidence",
    }


JUDGED = {"rogan1978estimating", "lang2014confidence", "angelopoulos2023ppi"}


def test_labels_of_these_questions_are_cited_as_prediction_powered(tmp_path, capsys):
    right, signal = drawn(60, 4)
    judge = np.abs(right - (np.arange(right.size).reshape(right.shape) % 7 == 0))
    human = np.full(right.shape, np.nan)
    human[::2, 0] = right[::2, 0]
    path = tmp_path / "a.parquet"
    path.write_bytes(table(right, signal, judge=judge, human=human))
    main(["candidates", str(path), "--judge", "judge", "--format", "latex"])
    paper = capsys.readouterr().out
    cited = set(re.findall(r"\\cite\{(\w+)\}", paper))
    assert cited & JUDGED == {"angelopoulos2023ppi"}
    assert "prediction-powered inference with a tuned weight (Angelopoulos et al. 2023" in paper


def test_a_calibration_set_corrects_the_judge(path, tmp_path, capsys):
    labels = tmp_path / "labels.csv"
    lines = [f"c{i},{i % 2},{int(i % 2 or i % 10 == 0)}" for i in range(60)]
    labels.write_text("\n".join(["question_id,human,judge", *lines]))
    asked = ["--judge", "judge", "--calibration", str(labels), "--format", "json"]
    assert main(["candidates", str(path), *asked]) == 0
    document = json.loads(capsys.readouterr().out)
    numbers = {row["number"]: row for row in document["numbers"]}
    q, t = numbers["judged avg@n"]["value"], 1 - 6 / 30
    assert numbers["corrected avg@n"]["value"] == pytest.approx((q + t - 1) / t)
    (item,) = (i for i in document["runs"][0]["checklist"] if i["point"] == "Errors of the judge")
    assert item["state"] == "done"


def test_texts_that_nobody_compared_are_not_called_measured(path, capsys):
    assert main(["candidates", str(path), "--signal", "judge", "--all"]) == 0
    printed = capsys.readouterr().out
    assert "texts are there but not compared yet" in printed
    assert "Measured on texts" not in printed
    assert printed.count("no candidate of any worth") == 1
    assert "nDCG@k: " in printed


def test_a_column_that_no_run_has_is_refused(path, capsys):
    assert main(["candidates", str(path), "--signal", "likelihood"]) == 2
    assert "There is no column likelihood to pick by; known: rm" in capsys.readouterr().err


@pytest.mark.wide
def test_errors_that_go_together_in_the_sample_are_allowed_for(capsys):
    path = "sample_data/candidates.parquet"
    assert main(["candidates", path, "--judge", "judge", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    numbers = {row["number"]: row for row in document["numbers"]}
    (run,) = reports.load(path).runs
    for name in ("pass@16", "pass^16"):
        found = numbers[f"corrected {name}"]
        assert found["low"] < estimate(run, name[:-2] + "k", 16).value < found["high"]
    assert 0.4 < numbers["corrected avg@n"]["value"] < 0.6
