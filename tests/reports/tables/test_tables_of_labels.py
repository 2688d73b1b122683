"""Labels by a person, loaded beside a report: calibration sets, and lists that were filled in."""

from dataclasses import replace

import numpy as np
import pytest

from kofn import command
from metrics import Outcomes, judge_errors, spot_check
from reports import Calibration, LoadError, Report, Run, add_labels, load, load_calibration, tables
from reports.column_mapping import CALIBRATION, TABLE
from reports.labelling import with_labels

JUDGED = """question_id,sample,judge,human
a,0,0.9,1
a,1,0.8,0
b,0,0.1,0
b,1,0.7,
c,0,0.2,0
d,0,0.6,1
"""


@pytest.fixture
def judged(tmp_path):
    path = tmp_path / "judged.csv"
    path.write_text(JUDGED)
    return path


def test_a_calibration_set_needs_no_verdicts(judged):
    found = load_calibration(judged)
    assert tuple(found.questions) == ("a", "b", "c", "d")
    np.testing.assert_array_equal(
        found.columns["human"], [[1, 0], [0, np.nan], [0, np.nan], [1, np.nan]]
    )
    np.testing.assert_array_equal(
        found.columns["judge"], [[0.9, 0.8], [0.1, 0.7], [0.2, np.nan], [0.6, np.nan]]
    )
    errors = judge_errors(found, "judge", threshold=0.5)
    assert (errors.sensitivity.value, errors.specificity.value) == (1.0, pytest.approx(2 / 3))
    with pytest.raises(LoadError, match="no column of outcomes"):
        load(judged)
    (told,) = load(judged, columns={TABLE: CALIBRATION}).calibrations
    assert tuple(told.questions) == tuple(found.questions)


def test_labels_may_be_words_of_groups_or_of_a_score(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("question_id,score,human_group\na,0.7,yes\nb,0.2,no\nc,0.4,\n")
    found = load_calibration(path)
    np.testing.assert_array_equal(found.question_columns["human_group"], [1, 0, np.nan])
    np.testing.assert_array_equal(found.columns["score"][:2], [[0.7], [0.2]])
    listed = '{"id": "%s", "judge": [1, 0], "human": [1, null], "correct": [0, 0]}\n'
    path.write_text(listed % "a" + listed % "b")
    found = load_calibration(path)
    np.testing.assert_array_equal(found.columns["human"], [[1, np.nan]] * 2)
    path.write_text("question_id,human_1,human_2,judge_1,judge_2\na,1,0,1,1\nb,0,,0,1\n")
    found = load_calibration(path)
    np.testing.assert_array_equal(found.columns["human"], [[1, 0], [0, np.nan]])
    np.testing.assert_array_equal(found.columns["judge"], [[1, 1], [0, 1]])
    path.write_text("question_id,gold,judge\na,1,0\nb,0,0\n")
    assert load_calibration(path, columns={"human": "gold"}).columns["human"].tolist() == [[1], [0]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("question_id,judge\na,1\n", "no column of human labels"),
        ("question_id,judge,human\na,1,\nb,0,\n", "empty in every row"),
        ("question_id,judge,human\na,1,7\nb,0,1\n", "row 1 holds 7"),
        ("judge,human\n1,1\n0,0\n", "which question"),
    ],
)
def test_what_is_no_calibration_set_is_refused(text, said, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(LoadError, match=said):
        load_calibration(path)


def test_questions_of_several_models_stay_apart(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("model,question_id,judge,human\nx,a,1,1\ny,a,0,1\ny,b,0,0\n")
    found = load_calibration(path)
    assert [*zip(found.models, found.questions, strict=True)] == [
        ("x", "a"),
        ("y", "a"),
        ("y", "b"),
    ]
    assert found.columns["human"].tolist() == [[1], [1], [0]]


def run_of(seed=1, questions=40, n=4):
    rng = np.random.default_rng(seed)
    right = rng.integers(0, 2, (questions, n))
    judge = np.where(rng.random(right.shape) < 0.8, right, 1 - right).astype(float)
    reward = right + rng.normal(size=right.shape)
    ids = [f"q{place}" for place in range(questions)]
    outcomes = Outcomes(right, questions=ids)
    return Run("cedar", "maths", outcomes, columns={"judge": judge, "reward": reward})


def filled(run, path, each="one", **more):
    """Fill a list of samples as a person would who sees what is right, but for the last one."""
    drawn = spot_check(run, "reward", "judge", questions=10, picked=4, each=each)
    table = drawn.to_frame().assign(**more)
    places = [int(question[1:]) for question in table["question_id"]]
    if each == "question":
        table["human_group"] = run.outcomes.correct[places].max(axis=1)
    else:
        table["human"] = run.outcomes.correct[places, table["sample"]]
        table.loc[len(table) - 1, "human"] = np.nan
    table.to_csv(path, index=False)
    return table


@pytest.mark.parametrize("each", ["one", "all", "question"])
def test_a_list_that_was_filled_in_gives_labels_to_its_run(each, tmp_path):
    run, path = run_of(), tmp_path / "list.csv"
    table = filled(run, path, each, model="cedar", dataset="maths")
    other = replace(run, model="aspen")
    reports = [Report("r", "", (other, run)), load(path)]
    assert str(reports[1].reader) == "labels of a spot check"
    (report, _), refused = with_labels(reports)
    assert not refused
    assert report.runs[0] is other
    labelled = report.runs[1]
    if each == "question":
        known = ~np.isnan(labelled.question_columns["human_group"])
        assert known.sum() == len(table) == 10
        np.testing.assert_array_equal(
            labelled.question_columns["human_group"][known],
            run.outcomes.correct[known].max(axis=1),
        )
        return
    human, chance = labelled.columns["human"], labelled.columns["human_probability"]
    known = ~np.isnan(human)
    assert known.sum() == len(table) - 1
    np.testing.assert_array_equal(human[known], run.outcomes.correct[known])
    assert (chance[known] == 0).sum() == (table["why"] == "disagreement").sum() - 1
    assert labelled.columns["judge"] is run.columns["judge"]


def test_without_names_it_belongs_to_the_only_run_that_it_fits(tmp_path):
    run, path = run_of(), tmp_path / "list.csv"
    filled(run, path)
    labels = load(path)
    small = run_of(2, questions=3)
    (first, _), refused = with_labels([Report("r", "", (small, run)), labels])
    assert not refused
    assert "human" in first.runs[1].columns
    (first, _), refused = with_labels([Report("r", "", (run, replace(run, model="b"))), labels])
    assert "could belong to several runs: cedar / maths, b / maths" in str(refused[0])
    assert "human" not in first.runs[0].columns


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"question_id": "q77"}, "has no question q77"),
        ({"sample": 9}, "has no sample 9"),
        ({"dataset": "aime"}, "labels, but of none"),
    ],
)
def test_a_list_that_does_not_fit_is_refused(change, said, tmp_path):
    run, path = run_of(), tmp_path / "list.csv"
    table = filled(run, path, model="cedar", dataset="maths")
    rows = slice(None) if "dataset" in change else 0
    for name, value in change.items():
        table.loc[rows, name] = value
    table.to_csv(path, index=False)
    (first, _), refused = with_labels([Report("r", "", (run,)), load(path)])
    assert said in str(refused[0])
    assert "human" not in first.runs[0].columns


def test_a_label_that_contradicts_another_is_refused():
    run = run_of()
    once = Calibration("a", ["q0"], {"human": np.array([[1.0]])})
    labelled = add_labels(run, once)
    assert add_labels(labelled, once).columns["human"][0, 0] == 1
    with pytest.raises(LoadError, match="already has a different label"):
        add_labels(labelled, Calibration("b", ["q0"], {"human": np.array([[0.0]])}))
    with pytest.raises(LoadError, match="no label of cedar"):
        add_labels(run, Calibration("c", ["q0"], {"human": np.array([[0.0]])}, {}, ["x"], ["y"]))


def test_the_command_gives_labels_to_the_runs_beside_them(tmp_path, capsys):
    run = run_of()
    tables.write([run], tmp_path / "run.parquet")
    table = filled(run, tmp_path / "list.csv", model="cedar", dataset="maths")
    out = tmp_path / "out.parquet"
    paths = [str(tmp_path / name) for name in ("run.parquet", "list.csv")]
    assert command.main(["convert", *paths, "-o", str(out)]) == 0
    (found,) = load(out).runs
    assert (~np.isnan(found.columns["human"])).sum() == len(table) - 1
    table.loc[0, "question_id"] = "elsewhere"
    table.to_csv(tmp_path / "list.csv", index=False)
    assert command.main(["score", *paths]) == 2
    assert "has no question elsewhere" in capsys.readouterr().err
