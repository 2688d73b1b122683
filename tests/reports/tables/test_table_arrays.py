"""Arrays of numpy as outcomes: models by questions by samples."""

import io

import numpy as np
import pytest

from reports import LoadError, load
from tests.reports.tables.written_tables import npz, only, refusal


def test_arrays_are_models_by_questions_by_samples():
    R = np.random.default_rng(0).integers(0, 2, (2, 5, 3))
    report = load(("runs.npz", npz(aime=R, gsm8k=R[0].astype(bool), mmlu=np.asfortranarray(R[1]))))
    assert [(run.model, run.dataset) for run in report.runs] == [
        ("model 1", "aime"),
        ("model 2", "aime"),
        ("runs", "gsm8k"),
        ("runs", "mmlu"),
    ]
    for run, matrix in zip(report.runs, (R[0], R[1], R[0], R[1]), strict=True):
        np.testing.assert_array_equal(run.outcomes.correct, matrix)
    assert "they are numbered in its order" in str(report.notes[0].what)


R = np.array([[1, 0, 1], [1, 1, 0], [0, 1, 0]])
VALID = np.array([[1, 1, 1], [1, 1, 0], [0, 1, 0]])
TRUE = [[1, 0, 1], [1, 1, -2], [-2, 1, -2]]


@pytest.mark.parametrize(
    "masks",
    [
        {"mask": VALID},
        {"mask": VALID.astype(bool)},
        {"mask": 1 - VALID},
        {"valid": VALID},
        {"missing": VALID == 0},
    ],
)
@pytest.mark.parametrize("fill", [0, -1, np.nan])
def test_outcomes_and_their_mask_are_one_data_set(masks, fill):
    report = load(("runs.npz", npz(correct=np.where(VALID, R, fill), **masks)))
    (run,) = report.runs
    assert (run.model, run.dataset) == ("runs", "runs")
    assert run.outcomes.correct.tolist() == TRUE
    assert "leaves 3 of 9 samples out" in str(report.notes[0].what)
    several = {name: np.stack([mask, mask]) for name, mask in masks.items()}
    stacked = npz(correct=np.stack([np.where(VALID, R, fill)] * 2), **several)
    assert [run.outcomes.correct.tolist() for run in load(("runs.npz", stacked)).runs] == [TRUE] * 2


def test_a_mask_that_leaves_nothing_out_may_be_all_ones_or_all_zeros():
    for mask in (np.ones_like(R), np.zeros_like(R)):
        run = only("x.npz", npz(correct=R, mask=mask))
        np.testing.assert_array_equal(run.outcomes.correct, R)


@pytest.mark.parametrize(
    ("masks", "problem"),
    [
        ({"mask": R * 0 + [1, 0, 0]}, "mask.npy: may mark the samples that count or those"),
        ({"mask": VALID[:2]}, "not a mask of correct: it must have the shape (3, 3)"),
        ({"valid": VALID * 2}, "hold only 0 and 1"),
        ({"valid": VALID, "mask": VALID}, "mask.npy: stands beside valid.npy"),
    ],
)
def test_a_mask_that_does_not_say_what_counts_is_refused(masks, problem):
    assert problem in refusal("x.npz", npz(correct=R, **masks))


def test_categories_of_arrays_are_kept():
    run = only("x.npz", npz(a=np.array([[0, 2, 127]])))
    assert run.outcomes.correct.tolist() == [[0, 2, 127]]


@pytest.mark.parametrize(
    ("array", "problem"),
    [
        (np.array([[object()]]), "holds object instead of numbers; kofn does not unpickle files"),
        (np.array([["a"]]), "instead of numbers"),
        (np.array([[0.5]]), "holds 0.5; an outcome is 0 or 1"),
        (np.array([[np.nan]]), "holds nan"),
        (np.array([[-1]]), "holds -1"),
        (np.array([[128]]), "holds 128"),
        (np.array([1, 0]), "has the shape (2,)"),
        (np.zeros((1, 0)), "has the shape (1, 0)"),
        (np.zeros((1001, 1, 1)), "holds 1,001 models"),
    ],
)
def test_other_arrays_are_refused(array, problem):
    np.save(buffer := io.BytesIO(), array, allow_pickle=True)
    assert problem in refusal("x.npy", buffer.getvalue())


def test_an_array_that_claims_more_than_there_is_takes_no_memory():
    np.save(buffer := io.BytesIO(), np.zeros((10, 10), np.int8))
    data = buffer.getvalue()
    huge = data.replace(b"(10, 10), }      ", b"(19000, 19000), }")
    assert "ends before its 361,000,000 values do" in refusal("x.npy", huge)
    assert "damaged header" in refusal("x.npy", data[:20])


def test_damaged_arrays_beside_good_tables_are_noted(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"id,correct\na,1\n")
    (tmp_path / "b.npz").write_bytes(npz(gsm8k=np.ones((2, 2), int))[:-30])
    report = load(tmp_path)
    assert [run.dataset for run in report.runs] == ["a"]
    assert [(note.where, note.severity) for note in report.notes] == [("b.npz", "problem")]
    (tmp_path / "a.csv").unlink()
    with pytest.raises(LoadError, match=r"b\.npz"):
        load(tmp_path)
