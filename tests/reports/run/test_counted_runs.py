"""Runs whose samples stay where they are: what they say, ask for, and refuse."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

import metrics
from metrics import JointCounts, MetricError, Outcomes
from metrics.data.counts import NEEDS_SAMPLES
from reports import LoadError, Run, Suite, combine, match, reconcile, reconcile_suite
from reports.run.remote import COLUMNS, COUNTS_ALONE, ListOrder, Which
from reports.run.report import join
from tests.reports.kept_elsewhere import kept_elsewhere
from tests.reports.run.test_any_data import ANALYSES, RUN, plain

LEVELS = np.where(np.arange(40) % 3, "easy", "hard")


def run_of(seed, ids=range(40), share=0.5):
    shares = [share, 0.3, 0.1, 0.6 - share]
    correct = np.random.default_rng(seed).choice([1, 0, -1, -2], (40, 4), p=shares)
    correct[:, :2] = np.maximum(correct[:, :2], -1)
    questions = [f"q{i}" for i in ids]
    return Run(f"m{seed}", "maths", Outcomes(correct, None, questions, {"level": LEVELS}))


A, B, C = run_of(1, share=0.3), run_of(2), run_of(3, range(5, 45))
BY_COUNTS = [
    "estimate", "estimate bayes@n", "curve", "curve geom@k", "posterior_curve", "bootstrap_curve",
    "extrapolate", "independent_curve", "consistency", "any_pass", "choose_n", "score_all",
    "Tally.of",
]  # fmt: skip
UNPAIRED = ["choose_among", "compare", "rank", "lead", "leaders", "series", "stand", "reproduces"]
OTHERWISE = {
    "best_of_suites": "not all runs can be compared",
    "compare_anytime": "on the same questions",
    "compare_suite": "no paired difference",
    "plan": "Plan with one run alone",
    "rank_suite": "no paired difference",
    "stand_suite": "no paired difference",
}


@pytest.mark.parametrize("name", ANALYSES)
def test_an_analysis_of_counts_says_the_same_or_what_it_lacks(name):
    run = kept_elsewhere(RUN)
    if name in BY_COUNTS:
        assert plain(ANALYSES[name](run)) == plain(ANALYSES[name](RUN.outcomes))
    elif name in UNPAIRED:
        ANALYSES[name](run)
    else:
        with pytest.raises(MetricError, match=OTHERWISE.get(name, str(NEEDS_SAMPLES))):
            ANALYSES[name](run)


@pytest.mark.parametrize("other", [B, C])
@pytest.mark.parametrize("target", ["population", "benchmark"])
@pytest.mark.parametrize(("metric", "k"), [("avg@n", None), ("pass@k", 2), ("cons@n", None)])
def test_two_of_one_place_are_compared_as_from_a_file(other, target, metric, k):
    asked = dict(target=target, missing="right", segment=("level", "easy"))
    found, whole = (
        metrics.compare(*both, metric, k, **asked)
        for both in (tuple(map(kept_elsewhere, (A, other))), (A, other))
    )
    assert found.paired
    assert found.interval == pytest.approx(whole.interval)
    assert (found.value, found.wins, found.ties) == pytest.approx(
        (whole.value, whole.wins, whole.ties)
    )
    assert (found.n_questions, found.n_dropped) == (whole.n_questions, whole.n_dropped)
    assert found.method == whole.method


def test_analyses_of_several_are_paired_where_they_are_of_one_place():
    given = {"a": A, "b": B, "c": C}
    held = {name: kept_elsewhere(run) for name, run in given.items()}
    for ask in (metrics.stand, metrics.series, metrics.leaders):
        found, whole = ask(held), ask(given)
        assert plain(found.k) == plain(whole.k)
    assert metrics.stand(held).leaders == metrics.stand(given).leaders
    assert metrics.series(held).from_first[2].interval == pytest.approx(
        metrics.series(given).from_first[2].interval
    )
    led, whole = (metrics.lead(each["a"], each["b"]) for each in (held, given))
    np.testing.assert_allclose([led.low, led.high], [whole.low, whole.high])
    planned, whole = (metrics.plan(each["a"], each["b"]) for each in (held, given))
    assert planned.smallest() == pytest.approx(whole.smallest())
    asked = "level", "avg@n"
    parts, whole = (metrics.compare_segments(e["a"], e["b"], *asked) for e in (held, given))
    assert parts.p_value == pytest.approx(whole.p_value, abs=0.03)
    assert parts.parts == pytest.approx(whole.parts)
    ranked, whole = metrics.rank(held), metrics.rank(given)
    assert (ranked.names, ranked.ranks) == (whole.names, whole.ranks)
    assert "not which question is which" in str(ranked.caveats)  # c has questions of its own
    blends = [metrics.compare(each["a"], each["b"], "geom-ds@k", 2) for each in (held, given)]
    assert blends[0].value == pytest.approx(blends[1].value)
    assert blends[0].interval == pytest.approx(blends[1].interval, abs=0.01)


def test_chances_of_the_best_come_from_joint_counts():
    """Three alike runs are told apart only if it is known how they vary together."""
    rng = np.random.default_rng(8)
    rates = rng.beta(0.3, 0.3, (400, 1))
    given = {
        name: Run(name, "maths", Outcomes(rng.random((400, 8)) < rates * factor))
        for name, factor in (("a", 1.0), ("b", 0.99), ("c", 0.97))
    }
    held = {name: kept_elsewhere(run) for name, run in given.items()}
    apart = {name: kept_elsewhere(run, name) for name, run in given.items()}
    found, whole, blind = (metrics.rank(each) for each in (held, given, apart))
    assert found.names == whole.names
    assert found.chances == pytest.approx(whole.chances, abs=0.03)
    assert found.caveats == whole.caveats
    assert max(np.abs(np.subtract(blind.chances, whole.chances))) > 0.05
    assert "treat the runs as independent" in str(blind.caveats)


def test_two_of_unlike_places_are_not_paired_and_say_so():
    for one, other in (
        (kept_elsewhere(A), kept_elsewhere(B, "there")),
        (kept_elsewhere(A), B),
        (A, kept_elsewhere(B)),
    ):
        found = metrics.compare(one, other)
        assert not found.paired
        assert "only counts are known, not which question is which" in str(found.method)
        assert not match(one, other)
        with pytest.raises(MetricError, match="compared question by question"):
            metrics.compare_segments(one, other, "level")
    refused = match(kept_elsewhere(A), kept_elsewhere(B, "there")).refused
    assert "stored in different places" in str(refused)
    found = match(kept_elsewhere(A), kept_elsewhere(C))
    assert (bool(found), found.shared, found.proven) == (True, match(A, C).shared, False)


def test_joint_counts_are_asked_for_once():
    a, b = kept_elsewhere(A), kept_elsewhere(B)
    for each in ((a, b), (b, a), (a, b)):
        assert metrics.compare(*each).paired
    assert (a.remote.asked, b.remote.asked) == (1, 0)
    a.joint(b, ("level", "easy"))
    assert a.remote.asked == 2
    b.remote.gone = a.remote.gone = True
    assert metrics.compare(a, b).paired
    with pytest.raises(LoadError, match="cannot be reached"):
        a.joint(kept_elsewhere(C))
    assert "cannot be reached" in str(match(a, kept_elsewhere(C)).refused)


def test_joint_counts_of_many_pairs_are_asked_for_together():
    runs = [kept_elsewhere(each) for each in (A, B, C)]
    pairs, easy = list(combinations(runs, 2)), ("level", "easy")
    for _again in range(2):
        join(pairs, None, easy)
        assert sum(run.remote.asked for run in runs) == 2
    for (a, b), held in zip(pairs, combinations((A, B, C), 2), strict=True):
        for segment in (None, easy):
            known = JointCounts.of(*(run.outcomes for run in held), segment)
            assert (
                a.joint(b, segment).tally().questions.tolist() == known.tally().questions.tolist()
            )
    assert sum(run.remote.asked for run in runs) == 2
    gone = [kept_elsewhere(each) for each in (A, B, C)]
    gone[0].remote.gone = True
    join(combinations(gone, 2), None)
    with pytest.raises(LoadError, match="cannot be reached"):
        gone[0].joint(gone[1])


def test_a_counted_run_says_what_is_not_known_of_it_once():
    run = kept_elsewhere(A)
    assert [note.what for note in replace(run, model="z").notes].count(COUNTS_ALONE) == 1
    assert run.summary == A.summary | {"notes": 1}
    assert (run.known, run.states, run.has_texts) == (run.counts, None, False)
    assert run.to_frame().empty
    with pytest.raises(ValueError, match="not both"):
        replace(A, counts=run.counts)
    with pytest.raises(LoadError, match="leaves its prompts and predictions where they are"):
        run.texts("q1")
    for others in ((run, kept_elsewhere(B)), (run, A)):
        with pytest.raises(MetricError, match="needs the single samples"):
            combine(others)
    (line,) = reconcile_suite(Suite("all", (run,), (1.0,), {"pass@2": 0.5}))
    assert line.reason == NEEDS_SAMPLES
    (line,) = reconcile(replace(run, reported={"pass@2": 0.5}))
    assert (line.agrees, line.reason) == (False, NEEDS_SAMPLES)


def test_questions_are_listed_page_by_page():
    remote = kept_elsewhere(A).remote
    pages = [remote.questions(start, 15, ListOrder("share", down=True)) for start in (0, 15, 30)]
    assert [page.num_rows for page in pages] == [15, 15, 10]
    rows = [row for page in pages for row in page.to_pylist()]
    assert list(rows[0]) == [*COLUMNS, "segment.level"]
    assert {row["question"] for row in rows} == set(A.outcomes.questions)
    shares = [row["right"] / (row["graded"] + row["failed"]) for row in rows]
    assert shares == sorted(shares, reverse=True)
    which = Which("omit", ("level", "easy"), (0.5, 1.0), failed=True)
    for row in (few := remote.questions(0, 100, which=which)).to_pylist():
        assert row["segment.level"] == "easy"
        assert row["right"] / row["graded"] >= 0.5
        assert row["failed"] > 0
    assert few.num_rows > 2
