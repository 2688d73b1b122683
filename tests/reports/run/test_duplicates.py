"""Questions that stand twice under two names are found by their texts, said, and count as one."""

import json

import numpy as np
import pytest

import reports
from metrics import Outcomes, estimate
from reports.run import duplicates
from tests.metrics.difficulties import of_kinds


def table(tmp_path, asked, references=None, verdicts=None, **more):
    """A table with a question for each text that is asked, of two samples each."""
    path = tmp_path / "t.jsonl"
    rows = [
        {
            "question_id": f"q{i}",
            "sample": s,
            "correct": int((i + s) % 2 if verdicts is None else verdicts[i][s]),
            "prompt": text,
            "response": "Because.",
            **({} if references is None else {"reference": references[i]}),
            **{name: values[i] for name, values in more.items()},
        }
        for i, text in enumerate(asked)
        for s in range(2)
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def run_of(path):
    return reports.load(path).runs[0]


def said(run):
    return [str(note.what) for note in run.notes if "under" in str(note.what)]


ASKED = [f"Solve: what is {i % 12} and {i % 12}?" for i in range(15)]


@pytest.mark.parametrize("references", [None, [str(2 * (i % 12)) for i in range(15)]])
def test_the_same_text_under_two_names_is_one_cluster(tmp_path, references):
    run = run_of(table(tmp_path, ASKED, references))
    assert said(run) == [
        "3 questions repeat others under different names (such as q0 and q12); "
        "intervals count each set as one."
    ]
    clusters = run.outcomes.clusters
    assert (clusters[:3] == clusters[12:]).all()
    assert len(np.unique(clusters)) == 12
    assert "clusters" in str(estimate(run, "avg@n").method)
    bare = table(tmp_path, [f"{i}, {text}" for i, text in enumerate(ASKED)], references)
    other = run_of(bare)
    assert other.outcomes.clusters is None
    assert other.outcomes.digest != run.outcomes.digest
    assert estimate(other, "avg@n").value == estimate(run, "avg@n").value


@pytest.mark.parametrize(
    ("asked", "references"),
    [
        (["Answer the question."] * 8, list("ABCDABCD")),
        (["Answer the question."] * 8, None),
        (["Answer in law.", "Answer in art."] * 4, list("ABBCDDAC")),
        (["Answer in law.", "Answer in art."] * 4, None),
        ([f"What is {i}?" for i in range(8)], list("ABCDABCD")),
        ([f"What is {i % 7}?" for i in range(8)], list("ABCDEFGH")),
    ],
)
def test_prompts_that_do_not_tell_questions_apart_say_nothing(tmp_path, asked, references):
    run = run_of(table(tmp_path, asked, references))
    assert not said(run)
    assert run.outcomes.clusters is None


def test_clusters_of_the_file_are_joined_by_doubles(tmp_path):
    groups = [f"passage {i // 2}" for i in range(15)]
    run = run_of(table(tmp_path, ASKED, cluster=groups))
    clusters = run.outcomes.clusters
    assert clusters[0] == clusters[1] == clusters[12] == clusters[13]
    assert clusters[2] == clusters[3] == clusters[14]
    assert len(np.unique(clusters)) == 6


def test_loading_finds_them_once_where_texts_are_quick_to_read(tmp_path, monkeypatch):
    path = table(tmp_path, ASKED)
    report = reports.load(path)
    (found,) = report.runs
    assert len(said(found)) == 1
    assert len(np.unique(found.outcomes.clusters)) == 12
    assert found.digests.known is not None
    assert reports.find_doubles(found) is found
    for most in ("MOST_BYTES", "MOST_QUESTIONS"):
        with monkeypatch.context() as patched:
            patched.setattr(duplicates, most, 14)
            (unread,) = reports.load(path).runs
        assert unread.outcomes.clusters is None
        assert unread.digests.known is None
        assert not said(unread)
        asked = reports.find_doubles(unread)
        np.testing.assert_array_equal(asked.outcomes.clusters, found.outcomes.clusters)
        assert asked.digests is unread.digests
        assert reports.match(asked, unread).proven


@pytest.mark.wide
@pytest.mark.parametrize("kind", ["uniform", pytest.param("Beta(.3,.3)", marks=pytest.mark.slow)])
def test_intervals_hold_where_most_questions_stand_twice(tmp_path, kind):
    """Uncounted, doubles make intervals of questions like these too narrow."""
    rng, quantile, held = np.random.default_rng(5), of_kinds(kind)[kind], {"once": [], "twice": []}
    truth = quantile((np.arange(10_000) + 0.5) / 10_000).mean()
    asked = [f"What is {i % 25} plus 1?" for i in range(50)]
    clustered = run_of(table(tmp_path, asked)).outcomes.clusters
    for _ in range(150):
        difficulty = np.tile(quantile(rng.random(25)), 2)
        right = (rng.random((50, 8)) < difficulty[:, None]).astype(int)
        for name, clusters in (("once", clustered), ("twice", None)):
            low, high = estimate(Outcomes(right, clusters=clusters), "avg@n").interval
            held[name].append(low <= truth <= high)
    assert np.mean(held["once"]) > 0.93
    assert np.mean(held["twice"]) < 0.9
