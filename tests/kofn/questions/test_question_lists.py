"""Lists of questions: which are listed is counted by hand, question by question."""

from collections import Counter
from typing import get_args
from urllib.parse import parse_qs, urlencode

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from charts.heat import heat
from kofn.card import Card
from kofn.choices.view import View
from kofn.questions.analysis import comparable, run_questions
from kofn.questions.columns import LISTED, ListedQuestions
from kofn.questions.figures import COLUMNS, lay_out
from kofn.questions.filters import PAGES, Kind, QuestionFilter, link
from kofn.questions.groups import group_samples
from kofn.questions.kinds import KINDS, OF_TWO, OF_VERDICTS, search, select
from kofn.questions.words import describe_heat, heat_words
from metrics import ABSENT, FAILED, Outcomes
from metrics.data.words import MetricError
from reports.run.labels import Labels
from reports.run.report import Run

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
SPANS = st.none() | st.tuples(st.floats(0, 1), st.floats(0, 1)).map(
    lambda ends: tuple(sorted(ends))
)
FILTERS = st.builds(
    QuestionFilter,
    a=TEXTS,
    b=TEXTS,
    kind=st.sampled_from(get_args(Kind)),
    search=TEXTS,
    right=SPANS,
    agreed=SPANS,
    sort=TEXTS,
    down=st.booleans(),
    open=TEXTS,
    page=st.none() | st.integers(1, PAGES),
    maths=st.booleans(),
)


@given(FILTERS)
def test_a_filter_survives_a_url(chosen):
    url = urlencode(link(chosen), doseq=True)
    assert QuestionFilter.from_query(parse_qs(url, keep_blank_values=True)) == (chosen, ())


def test_a_link_keeps_the_view_and_shares_no_key_with_it():
    view = View(segment=("level", "hard"), missing="omit")
    assert link(QuestionFilter(kind="flaky"), view) == {
        "segment": ["level=hard"],
        "missing": ["omit"],
        "filter": ["flaky"],
    }
    keys = [setting.key for kind in (View, QuestionFilter) for setting in kind.SETTINGS]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("span", ["", "0.5", "0.5,0.2", "-1,1", "a,b", "0,1,1", "nan,nan"])
def test_a_range_that_is_none_is_refused(span):
    chosen, problems = QuestionFilter.from_query({"right": span})
    assert chosen.right is None
    assert "lowest,highest" in str(problems[0])


def example(seed, m=40, n=5, scores=False):
    """A run with failed and absent samples, answers, and soft scores if asked for."""
    rng = np.random.default_rng(seed)
    correct = (rng.random((m, n)) < rng.beta(0.5, 0.5, (m, 1))).astype(np.int8)
    correct[rng.random((m, n)) < 0.1] = FAILED
    correct[rng.random((m, n)) < 0.1] = ABSENT
    correct[0], correct[1], correct[2] = ABSENT, 1, 0
    answers = np.where(correct == 1, 0, rng.integers(1, 3, (m, n))).astype(np.int32)
    answers[2] = 2
    answers[(correct < 0) | ((rng.random((m, n)) < 0.1) & (correct != 1))] = -1
    soft = None
    if scores:
        soft = np.where(correct == 1, rng.choice([0.6, 1.0], (m, n)), rng.choice([0, 0.3], (m, n)))
        soft[2] = 0.9
        soft = np.where(correct < 0, np.nan, soft)
    outcomes = Outcomes(
        correct,
        soft,
        questions=[f"q{i}" for i in rng.permutation(m)],
        segments={"level": rng.choice(["easy", "hard"], m)},
    )
    return Run(
        "7B",
        "maths",
        outcomes,
        answers=answers,
        answer_labels=["right", "one", "two"],
        threshold=0.5 if scores else None,
        columns={
            "tokens_out": np.where(correct < 0, np.nan, rng.random((m, n))),
            "reward": np.where(rng.random((m, n)) < 0.1, np.nan, rng.integers(0, 4, (m, n))),
        },
        labels={"finish_reason": Labels(rng.choice(2, (m, n), p=[0.8, 0.2]), ("stop", "length"))},
    )


def expected(kind, run, place, missing, other=None):
    """Say by itself whether a question is of a kind."""

    def counts(run, place):
        verdicts = [int(v) for v in run.outcomes.correct[place] if v != ABSENT]
        if missing == "omit":
            verdicts = [v for v in verdicts if v != FAILED]
        right = sum(v == 1 or (v == FAILED and missing == "right") for v in verdicts)
        return right, len(verdicts)

    c, n = counts(run, place)
    verdicts, codes = run.outcomes.correct[place], run.answers[place]
    cut = run.labels["finish_reason"].codes[place] == 1
    of_any = {
        "all": True,
        "failed": FAILED in verdicts,
        "cut": bool((cut & (verdicts != ABSENT)).any()),
        "no-answer": bool(((verdicts == 0) & (codes < 0) & ~cut).any()),
    }
    if kind in of_any:
        return of_any[kind]
    if kind == "disputed":
        scores = run.outcomes.scores[place]
        return any(v >= 0 and (s > 0.5) != (v == 1) for v, s in zip(verdicts, scores, strict=True))
    if n == 0:
        return False
    if kind == "confidently-wrong":
        votes = Counter(code for code in codes.tolist() if code >= 0).most_common(2)
        if not votes or votes[0][1] < max(2, 0.8 * n):
            return False
        judged = [v for v, code in zip(verdicts, codes, strict=True) if code == votes[0][0]]
        return 2 * sum(v == 1 for v in judged) <= len(judged)
    if kind in OF_TWO:
        name = run.outcomes.questions[place]
        d, m = (0, 0)
        if name in other.outcomes.questions:
            d, m = counts(other, other.outcomes.questions.index(name))
        return (
            m > 0
            and {
                "a-beats-b": c > n / 2 and d <= m / 2,
                "a-above-b": c * m > d * n,
                "a-equals-b": c * m == d * n,
            }[kind]
        )
    if kind == "picked-wrong":
        fails = {"wrong": 0, "right": 1}
        judged = [
            (s if s == s else -np.inf, fails[missing] if v == FAILED else v)
            for v, s in zip(verdicts, run.columns["reward"][place], strict=True)
            if v >= 0 or (v == FAILED and missing != "omit")
        ]
        best = [v for s, v in judged if s == max(s for s, _ in judged)]
        return c > 0 and 2 * sum(best) <= len(best)
    if kind == "soft-gap":
        filled = {"wrong": 0.0, "right": 1.0}
        scores = [
            filled[missing] if v == FAILED else s
            for v, s in zip(verdicts, run.outcomes.scores[place], strict=True)
            if v >= 0 or (v == FAILED and missing != "omit")
        ]
        return abs(sum(scores) / n - c / n) > 1e-6
    return {
        "always": c == n,
        "never": c == 0,
        "flaky": 0 < c < n,
        "majority-wrong": 0 < c <= n / 2,
    }[kind]


@pytest.mark.wide
@pytest.mark.parametrize("missing", ["wrong", "omit", "right"])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in OF_VERDICTS])
def test_a_kind_is_what_it_says(kind, missing):
    run, other = example(1, scores=True), example(2, m=30)
    view = View(missing=missing)
    a, b = run_questions("a", run, view), run_questions("b", other, view)
    listed = select(a, [b], QuestionFilter(kind=kind)).tolist()
    places = range(len(run.outcomes.questions))
    assert listed == [i for i in places if expected(kind, run, i, missing, other)]
    assert kind == "all" or 0 < len(listed) < len(places)


def test_what_a_run_cannot_tell_is_said():
    a = run_questions("a", Run("7B", "maths", Outcomes([[1, 0]])), View())
    silent = ("cut", "no-answer", "soft-gap", "disputed", *OF_VERDICTS)
    for kind in ("picked-wrong", "confidently-wrong", *OF_TWO, *silent):
        with pytest.raises(MetricError, match="nothing to tell this kind of questions by"):
            select(a, [], QuestionFilter(kind=kind))
    with pytest.raises(MetricError, match="no column answer; there are: question, right"):
        select(a, [], QuestionFilter(sort="answer"))
    with pytest.raises(MetricError, match="does not say which samples were right"):
        run_questions("a", Run("7B", "maths", None), View())


@pytest.mark.parametrize("down", [False, True])
def test_every_column_orders_the_list_and_what_is_missing_comes_last(down):
    run, other = example(1, scores=True), example(2, m=30)
    a, b = run_questions("a", run, View()), run_questions("b", other, View())
    for name in [*a.columns, "right.b"]:
        rows = select(a, [b], QuestionFilter(sort=name, down=down))
        assert sorted(rows) == list(range(40))
        if name == "right.b":
            names = {q: b.right[i] for i, q in enumerate(b.ids)}
            values = [names.get(a.ids[row], np.nan) for row in rows]
        else:
            values = a.columns[name]()[rows].tolist()
        there = [value for value in values if value is not None and value == value]
        assert values[: len(there)] == there
        assert there == sorted(there, reverse=down)


def test_a_segment_and_a_range_confine_the_list():
    run = example(3)
    a = run_questions("a", run, View(segment=("level", "hard")))
    rows = select(a, [], QuestionFilter(right=(0.25, 0.75), agreed=(0.5, 1.0)))
    assert len(rows)
    for row in rows:
        place = run.outcomes.questions.index(a.ids[row])
        assert run.outcomes.segments["level"][place] == "hard"
        verdicts = [v for v in run.outcomes.correct[place] if v != ABSENT]
        assert 0.25 <= verdicts.count(1) / len(verdicts) <= 0.75


def test_a_search_finds_ids_and_what_was_found_in_texts():
    run = example(3)
    a = run_questions("a", run, View(segment=("level", "hard")))
    assert [a.ids[i] for i in np.flatnonzero(search(a, "Q3", None))] == [
        name for name in a.ids if "q3" in name
    ]
    everywhere = np.ones(len(run.outcomes.questions), dtype=bool)
    assert search(a, "nowhere", everywhere).all()


def test_strips_and_marks_are_the_samples():
    run = Run("7B", "d", Outcomes([[1, 0, FAILED], [1, ABSENT, ABSENT]]))
    a = run_questions("a", run, View())
    assert a.strips(np.array([1, 0])) == ["#__", "#.!"]
    assert a.marks(np.array([0])).tolist() == [[1, -1, 0]]
    soft = Run("7B", "d", Outcomes([[1, 0]], [[0.6, 0.3]]))
    assert run_questions("a", soft, View()).marks(np.array([0])).round(9).tolist() == [[0.6, -0.7]]


def test_a_frame_has_a_row_for_each_question_of_each_run():
    one, two = (run_questions(key, example(4), View()) for key in "ab")
    chosen = {one: np.array([3, 1]), two: np.array([0])}
    table = LISTED.frame(
        [
            Card(each.key, each.run, View(), QuestionFilter(), ListedQuestions(each, rows))
            for each, rows in chosen.items()
        ]
    )
    assert table["run"].tolist() == ["a", "a", "b"]
    assert table["question"].tolist() == [one.ids[3], one.ids[1], two.ids[0]]
    assert table["right"].isna().tolist() == [False, False, True]
    assert table["answer"].tolist()[1] == "right"
    assert set(table.columns) >= {"samples", "c", "n", "agreed", "tokens_out", "segment.level"}


def test_samples_are_grouped_by_answer_the_most_common_first():
    run = Run(
        "7B",
        "d",
        Outcomes([[0, 1, 0, FAILED, 0, ABSENT, 0]]),
        answers=np.array([[4, 3, 4, -1, -1, -1, 4]]),
        answer_labels=["", "", "", "right", "wrong"],
    )
    a = run_questions("a", run, View())
    labels = ["wrong", "right", "wrong", None, None, None, "wrong"]
    found = group_samples(a, 0, labels)
    assert [(g.kind, g.answer, g.samples, g.right) for g in found] == [
        ("answer", "wrong", (0, 2, 6), 0),
        ("answer", "right", (1,), 1),
        ("none", None, (4,), 0),
        ("failed", None, (3,), 0),
    ]
    bare = run_questions("a", Run("7B", "d", run.outcomes), View())
    assert [(g.kind, len(g.samples), g.right) for g in group_samples(bare, 0)] == [
        ("verdict", 4, 0),
        ("verdict", 1, 1),
        ("failed", 1, 0),
    ]


def test_runs_of_one_dataset_are_comparable():
    outcomes = Outcomes([[1]])
    runs = {key: Run(key, "d", outcomes) for key in "abc"}
    runs |= {"other": Run("a", "e", outcomes), "none": Run("d", "d", None)}
    assert comparable(runs, View(), "a") == ("b", "c")
    assert comparable(runs, View(), "a", "c") == ("c", "b")
    assert comparable(runs, View(runs=("a", "b")), "a") == ("b",)


def test_a_picture_has_the_easiest_question_first_and_means_of_neighbours():
    easy, hard = [1, 1, FAILED], [0, 1, 0]
    runs = [Run("7B", "d", Outcomes([hard, easy]))]
    runs += [Run("72B", "d", Outcomes([easy, hard], questions=["1", "x"]))]
    shown = [run_questions(run.model, run, View()) for run in runs]
    drawn = lay_out(shown)
    assert drawn.questions == ("1", "0")
    first, second = drawn.panels
    assert np.array_equal(first.value, [[1, 0], [1, 1], [np.nan, 0]], equal_nan=True)
    assert first.failed.tolist() == [[0, 0], [0, 0], [1, 0]]
    assert np.isnan(second.value[:, 1]).all()
    many = Run("7B", "d", Outcomes(np.arange(2_000 * 100).reshape(2_000, 100) % 3 == 0))
    drawn = lay_out([run_questions("a", many, View())])
    assert drawn.questions[0] == "1–5"
    assert drawn.panels[0].value.shape == (64, COLUMNS)
    assert [drawn.panels[0].samples[place] for place in (0, 35, 36, 63)] == [
        *("1–2", "71–72"),
        *("73", "100"),
    ]
    assert drawn.panels[0].value.mean() == pytest.approx(1 / 3, abs=0.01)


def test_a_picture_is_ordered_by_the_mean_over_runs():
    right = {"7B": [[1, 0], [0, 0], [1, 1]], "72B": [[0, 0], [1, 1], [1, 1]]}
    runs = [Run(model, "d", Outcomes(each)) for model, each in right.items()]
    drawn = lay_out([run_questions(run.model, run, View()) for run in runs])
    assert drawn.questions == ("2", "1", "0")


def test_a_heat_map_shows_values_failures_and_names_as_letters():
    runs = [Run("<b>7B</b>", "d", Outcomes([[1, FAILED], [0, 0]], questions=["<i>", "y" * 99]))]
    drawn = lay_out([run_questions("<b>a</b>", run, View()) for run in runs])
    figure = heat(drawn.panels, drawn.questions, words=heat_words(drawn.soft))
    graded, failed = figure.data
    assert np.array_equal(graded.z, [[1, 0], [np.nan, 0]], equal_nan=True)
    assert np.array_equal(failed.z, [[np.nan, np.nan], [1, np.nan]], equal_nan=True)
    assert graded.x[0] == "&lt;i&gt;"
    assert figure.layout.annotations[0].text == "&lt;b&gt;a&lt;/b&gt;"
    assert figure.layout.xaxis.title.text
    assert "2 questions" in str(describe_heat(drawn.panels, 2))
    assert len(set(heat(drawn.panels, ["same", "same"], words=heat_words(True)).data[0].x)) == 2


def test_a_search_finds_a_name_however_it_is_cased():
    names = ["STRASSE", "Straße", "stress"]
    outcomes = Outcomes([[1], [0], [1]], questions=names)
    a = run_questions("a", Run("7B", "maths", outcomes), View())
    for needle in ("straße", "STRASSE", "strasse"):
        assert search(a, needle, None).tolist() == [True, True, False]
