"""Repeated runs become samples of one where only chance tells them apart."""

from dataclasses import replace

import numpy as np
import pytest

from metrics import MetricError, Outcomes, estimate
from metrics.data.facts import Facts
from metrics.data.words import Text
from reports import Report, Run, Suite, combine
from reports.combining import join_repeated_runs
from reports.files.once import Once
from reports.run.labels import Labels
from reports.run.texts import QuestionTexts, Store, Turn

M = 12


class Shelf(Store):
    """Texts at hand."""

    def __init__(self, kept):
        self.kept, self.index = kept, Once()

    def find(self, progress=None):
        return None

    def read(self, row):
        return self.kept[row]

    def scan(self, progress=None):
        for row, kept in enumerate(self.kept):
            yield row, [kept.prompt[0].text, *kept.predictions]


def run(seed, n=2, order=range(M), asked="What is {}?", **more):
    """Of the same questions in any order, with all that a run may have."""
    rng = np.random.default_rng(seed)
    correct = rng.integers(0, 2, (M, n))[list(order)]
    said = [[f"{q} said {seed}.{r}" for r in range(n)] for q in order]
    kept = [
        QuestionTexts((Turn("user", asked.format(q)),), f"{q}", tuple(texts))
        for q, texts in zip(order, said, strict=True)
    ]
    outcomes = Outcomes(
        correct,
        correct * 0.5,
        questions=[f"q{q}" for q in order],
        segments={"half": ["low" if q < M / 2 else "high" for q in order]},
    )
    fields = {
        "answers": correct - rng.integers(0, 2, correct.shape),
        "answer_labels": [f"a{seed % 2}", "b"],
        "columns": {"latency_s": correct + seed} | ({"only": correct} if seed else {}),
        "labels": {"finish_reason": Labels(correct - 1, [f"stop {seed}"])},
        "settings": {"temperature": 0.7, "seed": seed, "n": n},
        "store": Shelf(kept),
    }
    named = {"model": "7B", "dataset": "aime", "outcomes": outcomes}
    return Run(**(named | fields | more))


def test_samples_stand_beside_one_another_question_by_question():
    parts = [run(0), run(1, 3, range(M - 1, -1, -1)), run(2, 1)]
    whole = combine(parts)
    assert whole.outcomes.shape == (M, 6)
    assert whole.grouping == "proven"
    assert whole.settings == {"temperature": 0.7}
    assert set(whole.columns) == {"latency_s"}
    first = 0
    for part in parts:
        n = part.outcomes.shape[1]
        own = slice(first, first + n)
        for row, question in enumerate(whole.outcomes.questions):
            at = part.outcomes.questions.index(question)
            assert (whole.outcomes.correct[row, own] == part.outcomes.correct[at]).all()
            assert (whole.outcomes.scores[row, own] == part.outcomes.scores[at]).all()
            ended = whole.labels["finish_reason"].words()[row, own]
            assert (ended == part.labels["finish_reason"].words()[at]).all()
            assert (whole.columns["latency_s"][row, own] == part.columns["latency_s"][at]).all()
            assert whole.outcomes.segments["half"][row] == part.outcomes.segments["half"][at]
            texts, theirs = whole.texts(question), part.texts(question)
            assert (texts.prompt, texts.reference) == (theirs.prompt, theirs.reference)
            assert texts.predictions[own] == theirs.predictions
            assert texts.answers[own] == theirs.answers
        first += n
    assert [*np.flatnonzero(whole.search("3 said 1."))] == [3]


def test_avg_of_the_whole_is_that_of_all_samples():
    parts = [run(seed) for seed in range(4)]
    means = [estimate(part, "avg@n").value for part in parts]
    assert estimate(combine(parts), "avg@n").value == pytest.approx(np.mean(means))


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"asked": "Guess what {} is."}, "12 questions were asked with a different prompt"),
        ({"settings": {"temperature": 0.2}}, r"They differ in temperature \(0.7 / 0.2\)."),
        ({"rule": Text("mine")}, "not judged by the same rule"),
        ({"threshold": 0.5}, "not judged by the same rule"),
        ({"order": range(M - 1)}, "1 question is in one run only"),
        ({"model": "8B"}, "not all of one model and one dataset"),
    ],
)
def test_what_is_no_sample_of_the_same_is_refused(other, why):
    fields = {name: other[name] for name in ("order", "asked") if name in other}
    with pytest.raises(MetricError, match=why):
        combine([run(0), replace(run(1, **fields), **{k: other[k] for k in other - fields.keys()})])


def test_questions_with_other_references_are_not_the_same():
    kept = [each._replace(reference="0") for each in run(1).store.kept]
    with pytest.raises(MetricError, match="have another reference"):
        combine([run(0), run(1, store=Shelf(kept))])


def test_a_setting_that_one_does_not_state_is_no_difference():
    made = {"revision": "v2", "temperature": 0.7, "evaluator": "match"}
    whole = combine([run(0, settings=made), run(1, settings=made | {"adapter": "a", "seed": 3})])
    assert whole.outcomes.shape == (M, 4)
    (noted,) = (str(note.what) for note in whole.notes if "takes to be" in str(note.what))
    assert noted.endswith("quantisation, adapter, prompt, dataset.")


def test_copies_are_refused_and_runs_that_only_agree_are_not():
    def of(texts=None, correct=((1,), (0,), (1,))):
        return Run("7B", "aime", Outcomes(correct, texts=texts))

    with pytest.raises(MetricError, match="one is a copy"):
        combine([of(), of()])
    said = [np.array([[n], [n + 1], [n + 2]]) for n in (5, 8)]
    with pytest.raises(MetricError, match="one is a copy"):
        combine([of(said[0]), of(said[0])])
    assert combine([of(said[0]), of(said[1])]).outcomes.shape == (3, 2)
    all_right = ((1,), (1,))
    assert combine([of(correct=all_right), of(correct=all_right)]).outcomes.shape == (2, 2)


def test_one_run_alone_is_not_joined():
    with pytest.raises(MetricError, match="Joining needs"):
        combine([run(0)])


def test_facts_count_over_all_samples():
    facts = [
        Facts(np.array([0, 3]), np.array([2, 2]), np.array(covered), names=("x", "y"))
        for covered in ((0, 2), (1, 1))
    ]
    whole = combine([run(seed, facts=each) for seed, each in enumerate(facts)])
    assert (whole.facts.n.tolist(), whole.facts.c.tolist()) == ([4, 4], [1, 3])
    other = replace(facts[1], question=np.array([1, 3]))
    assert combine([run(0, facts=facts[0]), run(1, facts=other)]).facts is None


def test_answers_that_are_cut_alike_may_not_be_alike():
    cut = "x" * 80 + "…"
    assert combine([run(0, answer_labels=[cut, "b"]), run(1)]).answer_labels == (cut, "b", "a1")
    whole = combine([run(0, answer_labels=[cut, "b"]), run(1, answer_labels=[cut, "b"])])
    assert whole.answers is None


def test_groups_are_joined_in_the_report_of_their_first_and_others_stay():
    a, b, alone, cool = run(0), run(1), run(2, dataset="gsm8k"), run(3, model="8B")
    warm = run(4, model="8B", settings={"temperature": 1.0})
    reports = [
        Report(
            "a.zip", Text("x"), (a, alone, cool), suites=(Suite("all", (a, alone), (1, 1), {}),)
        ),
        Report("b.zip", Text("x"), (warm, b)),
    ]
    (first, second), refused = join_repeated_runs(reports)
    assert [each.outcomes.shape[1] for each in first.runs] == [4, 2, 2]
    assert first.suites == ()
    assert second.runs == (warm,)
    assert [*map(str, refused)] == [
        "The 2 runs of 8B on aime cannot be joined as samples of one run: They differ in "
        "temperature (0.7 / 1.0)."
    ]


def test_runs_at_temperature_0_are_no_independent_tries():
    greedy = {"settings": {"temperature": 0}}
    assert [note.severity for note in run(0, 1, **greedy).notes] == []
    whole = combine([run(0, 1, **greedy), run(1, 1, **greedy)])
    told = [str(note.what) for note in replace(whole).notes if note.severity == "warning"]
    assert len(told) == 1
    assert "not independent tries" in told[0]
