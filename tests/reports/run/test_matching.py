"""Which questions of two runs are the same is told by ids, and proven by their texts."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from metrics import Outcomes, compare
from reports import Match, Run, match
from reports.files.once import Once
from reports.run.texts import Image, QuestionTexts, Store, Turn
from tests.reports.evaluations.aisbench_archives import archive, loaded


class Shelf(Store):
    """Texts at hand, which counts how often they are read."""

    def __init__(self, kept: Sequence[QuestionTexts]) -> None:
        self.kept, self.reads, self.index = kept, 0, Once()

    def find(self, progress=None):
        return None

    def read(self, row):
        self.reads += 1
        return self.kept[row]


def asked(text: str, reference: str | None = "42") -> QuestionTexts:
    return QuestionTexts((Turn("user", text),) if text else (), reference, ())


def run(ids: Sequence[object], texts: Sequence[QuestionTexts] | None = None, **more) -> Run:
    outcomes = Outcomes([[1]] * len(ids), questions=ids)
    return Run("m", "d", outcomes, store=None if texts is None else Shelf(texts), **more)


def test_equal_ids_and_texts_are_proven_whatever_the_order():
    texts = {name: asked(f"What is {name}?") for name in "abcd"}
    one, other = (run(names, [texts[name] for name in names]) for names in ("abc", "dcb"))
    assert match(one, other) == Match(2, 2, True)


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (asked("What is c?"), "have another prompt, and no references that tell them apart"),
        (asked("What is b?", "41"), "have another reference"),
    ],
)
def test_the_same_ids_with_other_texts_are_refused(other, why):
    texts = [asked("What is a?"), asked("What is b?")]
    found = match(run("ab", texts), run("ab", [texts[0], other]))
    assert not found
    assert not found.proven
    assert f"1 of 2 questions with the same id {why}, such as b: the" in str(found.refused)


def test_what_only_one_of_them_keeps_says_nothing():
    texts = [asked("What is a?"), asked("What is b?")]
    assert match(run("ab", texts), run("ab", [texts[0], asked("What is b?", None)])).proven
    assert match(run("ab", texts), run("ab", [texts[0], asked("", "42")])) == Match(2, 0, False)


SHOTS = (Turn("user", "Q: 1 + 1? A:"), Turn("bot", "2"))


def quiz(m: int = 40, *, seed: int = 0, references: bool = False) -> list[tuple[str, str | None]]:
    rng = np.random.default_rng(seed)
    sums = rng.integers(10, 99, (m, 2)).tolist()
    return [(f"Ann has {a} pens, Bob {b}.", str(a + b) if references else None) for a, b in sums]


def put(text: str, reference: str | None, form: str) -> QuestionTexts:
    """Put a question in one of several forms."""
    prompt = {
        "plain": (Turn("user", text),),
        "instructed": (Turn("user", f"Answer the question.\n{text}\nThink step by step."),),
        "shots": (*SHOTS, Turn("user", f"Q: {text} A:")),
        "in one": (Turn("", f"Q: 1 + 1? A: 2\nQ: {text} A:"),),
        "system": (Turn("system", "You are brief."), Turn("user", text), Turn("bot", "Answer:")),
        "rewritten": (Turn("user", text.replace(" has ", " owns ").replace(" pens", " pencils")),),
    }[form]
    return QuestionTexts(prompt, reference, ())


@pytest.mark.parametrize("form", ["instructed", "shots", "in one", "system"])
def test_the_same_questions_may_be_asked_otherwise(form):
    ids, questions = list(range(40)), quiz()
    plain, other = (run(ids, [put(*each, to) for each in questions]) for to in ("plain", form))
    assert match(plain, other) == Match(40, 0, True, reworded=40)
    moved = run(ids, [put(*each, form) for each in np.roll(questions, 1, axis=0).tolist()])
    found = match(plain, moved)
    assert "40 of 40" in str(found.refused)


def test_part_of_the_questions_asked_otherwise_are_the_same_too():
    questions = [put(*each, "plain") for each in quiz(200)]
    few = [put(*each, "shots") for each in quiz(200)[100:]]
    found = match(run(range(200), questions), run(range(100, 200), few))
    assert found == Match(100, 100, True, reworded=100)


def test_references_tell_questions_that_are_worded_anew():
    questions = quiz(references=True)
    plain, other = (
        run(range(40), [put(*q, to) for q in questions]) for to in ("plain", "rewritten")
    )
    assert match(plain, other) == Match(40, 0, True, reworded=40)
    alike = [(text, "yes") for text, _ in questions]
    plain, other = (run(range(40), [put(*q, to) for q in alike]) for to in ("plain", "rewritten"))
    assert not match(plain, other)
    few = questions[:2]
    plain, other = (run(range(2), [put(*q, to) for q in few]) for to in ("plain", "rewritten"))
    assert not match(plain, other)


def test_pictures_belong_to_a_question():
    def shown(data: bytes) -> QuestionTexts:
        return QuestionTexts(
            (Turn("user", "", Image(data, "image/png")), Turn("user", "What is it?")), None, ()
        )

    one, other = (run("ab", [shown(b"1"), shown(data)]) for data in (b"2", b"3"))
    assert match(one, one).proven
    assert not match(one, other)


def test_a_file_without_prompts_and_references_is_not_read_through():
    one, other = (run(range(500), [asked("", None)] * 500) for _ in range(2))
    assert match(one, other) == Match(500, 0, False)
    assert one.store.reads < 100


def test_without_reading_only_what_was_read_counts():
    texts = [asked("A"), asked("B")]
    one, other = run("ab", texts), run("ab", [texts[0], asked("C")])
    assert match(one, other, read=False) == Match(2, 0, False)
    assert one.store.reads == other.store.reads == 0
    assert not match(one, other)
    assert not match(one, other, read=False)


def test_neighbouring_texts_cannot_be_shifted_into_one_another():
    one = QuestionTexts((Turn("user", "ab"), Turn("user", "c")), None, ())
    other = QuestionTexts((Turn("user", "a"), Turn("user", "bc")), None, ())
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
        (run("abc", grouping="unknown"), "It is unknown which samples"),
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


@pytest.mark.wide
def test_runs_of_a_report_are_proven_to_share_their_questions():
    runs = loaded(archive("gsm8k_n5_two_models")).runs
    assert len(runs) > 1
    for one, other in combinations(runs, 2):
        assert match(one, other) == Match(40, 0, True)
        assert compare(one, other).paired
    moved = np.roll(np.arange(40), 1)
    ids = [runs[0].outcomes.questions[row] for row in moved]
    relabelled = replace(runs[0], outcomes=Outcomes(runs[0].outcomes.correct, questions=ids))
    assert not match(relabelled, runs[1])
