"""Which questions of two runs are the same is told by ids, and proven by their texts."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from metrics import Outcomes, compare
from reports import Match, Run, load, match
from reports.files.once import Once
from reports.run.texts import Kept, Store, Turn


class Shelf(Store):
    """Texts at hand, which counts how often they are read."""

    def __init__(self, kept: Sequence[Kept]) -> None:
        self.kept, self.reads, self.index = kept, 0, Once()

    def find(self, progress=None):
        return None

    def read(self, row):
        self.reads += 1
        return self.kept[row]


def asked(text: str, reference: str | None = "42") -> Kept:
    return Kept((Turn("user", text),) if text else (), reference, ())


def run(ids: Sequence[object], texts: Sequence[Kept] | None = None, **more) -> Run:
    outcomes = Outcomes([[1]] * len(ids), questions=ids)
    return Run("m", "d", outcomes, store=None if texts is None else Shelf(texts), **more)


def test_equal_ids_and_texts_are_proven_whatever_the_order():
    texts = {name: asked(f"What is {name}?") for name in "abcd"}
    one, other = (run(names, [texts[name] for name in names]) for names in ("abc", "dcb"))
    assert match(one, other) == Match(2, 2, True)


@pytest.mark.parametrize(
    "other",
    [asked("What is c?"), asked("What is b?", "41"), asked("What is b?", None), asked("", "42")],
)
def test_the_same_ids_with_other_texts_are_refused(other):
    texts = [asked("What is a?"), asked("What is b?")]
    found = match(run("ab", texts), run("ab", [texts[0], other]))
    assert not found
    assert not found.proven
    assert "1 of 2 questions with the same id have another prompt or reference, such as b" in str(
        found.refused
    )


def test_neighbouring_texts_cannot_be_shifted_into_one_another():
    one = Kept((Turn("user", "ab"), Turn("user", "c")), None, ())
    other = Kept((Turn("user", "a"), Turn("user", "bc")), None, ())
    assert not match(run("x", [one]), run("x", [other]))


def test_ids_alone_are_taken_but_prove_nothing():
    assert match(run("abc"), run("bcd")) == Match(2, 2, False)
    assert match(run("ab", [asked("A"), asked("B")]), run("ab")) == Match(2, 0, False)
    assert match(run("ab", [asked("", None)] * 2), run("ab", [asked("", None)] * 2)) == Match(
        2, 0, False
    )


def test_numbers_as_ids_of_unlike_sets_need_texts():
    texts = [asked(f"Question {i}") for i in range(4)]
    without = match(run(range(3)), run(range(4)))
    assert not without
    assert "only numbered" in str(without.refused)
    assert match(run(range(3), texts[:3]), run(range(4), texts)) == Match(3, 1, True)
    assert not match(run(range(3), texts[1:]), run(range(4), texts))


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (run("xyz"), "no question in common"),
        (run("abc", grouping="unknown"), "Nothing tells which samples"),
        (Run("m", "d", None), "no outcomes"),
    ],
)
def test_what_cannot_be_matched_is_refused_with_a_reason(other, why):
    found = match(run("abc"), other)
    assert not found
    assert why in str(found.refused)


def test_texts_are_read_once_and_not_before_they_are_asked_for():
    texts = [asked("A"), asked("B")]
    one, other = run("ab", texts), run("ab", texts)
    assert one.store.reads == 0
    for _ in range(3):
        assert match(one, other).proven
    assert one.store.reads == other.store.reads == 2


def test_runs_of_a_report_are_proven_to_share_their_questions():
    report = load("sample_data/aisbench_report.zip")
    runs = [each for each in report.runs if each.dataset == "gsm8k"]
    assert len(runs) > 1
    for one, other in combinations(runs, 2):
        assert match(one, other) == Match(120, 0, True)
        assert compare(one, other).paired
    moved = np.roll(np.arange(120), 1)
    ids = [runs[0].outcomes.questions[row] for row in moved]
    relabelled = replace(runs[0], outcomes=Outcomes(runs[0].outcomes.correct, questions=ids))
    assert not match(relabelled, runs[1])
