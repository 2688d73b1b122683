"""Verdicts that AISBench got wrong are found, and no others are called wrong.

Real reports whose samples have a known truth: what a reader takes the answer to be.
"""

import json
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from metrics import estimate
from reports import LoadError, audit, load
from reports.readings.kinds import KINDS
from tests.reports.evaluations import aisbench_archives
from tests.reports.evaluations.aisbench_archives import loaded

DATA = Path(__file__).parents[2] / "data" / "verdicts"
BY_CONTENT = "content_only", "content_after_label"


def audited(name):
    truth = json.loads((DATA / f"{name}.json").read_text())
    for run in loaded(DATA / f"{name}.zip").runs:
        entry = {k: np.array(v) for k, v in truth[f"{run.model} / {run.dataset}"].items()}
        yield run, audit(run), entry


@pytest.fixture(scope="module")
def found():
    return [*audited("head_n4"), *audited("old_gpqa_n4")]


@pytest.fixture(scope="module")
def few():
    return [*islice(audited("head_n4"), 4)]


@pytest.mark.wide
def test_what_is_called_missed_or_generous_is_so_and_most_of_it_is_found(found):
    pooled = {}
    for run, about, truth in found:
        kinds = about.kinds
        right = truth["truth"] == "right"
        called = np.isin(kinds, ("missed", "generous"))
        proven = ((kinds == "missed") & right) | ((kinds == "generous") & ~right)
        wrongly = (right != truth["tool"]) & ~np.isin(truth["style"], BY_CONTENT)
        counts = [proven, called, proven & wrongly, wrongly]
        counts = np.array([np.count_nonzero(each) for each in counts])
        key = run.dataset, "old" if len(pooled) >= 5 and run.dataset == "GPQA_diamond" else "new"
        pooled[key] = pooled.get(key, 0) + counts
    assert len(pooled) == 6
    for proven, called, recovered, wrongly in pooled.values():
        assert proven >= 0.95 * called
        assert recovered >= 0.8 * wrongly


@pytest.mark.wide
def test_the_order_as_read_is_the_true_one(found):
    """As judged atlas-8b leads on three data sets on which brook-7b is as good or better."""
    means = {}
    for run, about, truth in found[:10]:
        as_read = estimate(about.as_read, "avg@n").value
        means.setdefault(run.dataset, []).append((as_read, np.mean(truth["truth"] == "right")))
        limits = [estimate(each, "avg@n").value for each in (about.least, about.most)]
        assert limits[0] <= as_read <= limits[1]
    for (first, first_truth), (second, second_truth) in means.values():
        assert np.sign(first - second) == np.sign(first_truth - second_truth) or (
            first_truth == second_truth and abs(first - second) < 0.02
        )


def test_counts_kinds_and_places_are_of_the_same_samples(few):
    for run, about, _ in few[:2]:
        assert sum(about.counts.values()) == about.read == about.codes.size
        assert audit(run).codes is about.codes
        for row in (0, 7):
            question = run.outcomes.questions[row]
            texts, _, stated = about.readings(question)
            for text, places in zip(texts.predictions, stated, strict=True):
                assert all(0 <= each.start < each.end <= len(text) for each in places)


def test_a_verdict_is_changed_only_where_its_kind_says_so(few):
    _, about, _ = few[3]
    changed = about.as_read.correct != about.outcomes.correct
    assert np.array_equal(changed, np.isin(about.codes, [KINDS.index("missed"), 2]))
    assert about.as_read.questions == about.outcomes.questions


def test_free_texts_have_no_readings():
    (run, *_) = load(aisbench_archives.archive("textvqa_n3")).runs
    with pytest.raises(LoadError, match="not options, numbers, formulas or short texts"):
        audit(run)


def test_a_run_without_texts_cannot_be_read():
    (run,) = load(("t.csv", b"question_id,correct\n1,1\n2,0\n")).runs
    with pytest.raises(LoadError, match="right and wrong, but no texts"):
        audit(run)
