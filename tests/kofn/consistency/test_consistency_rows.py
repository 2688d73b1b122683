"""Votes against averages run by run: the library's numbers, or a reason for none."""

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.consistency.analysis import VoteChoices, compare_votes
from kofn.consistency.columns import VOTES
from kofn.writing.columns import dtypes
from metrics import consistency
from reports import Run
from tests.kofn.consistency.voted_runs import TWO, USUAL, run, verdicts
from tests.kofn.indexed import index


def test_every_number_is_the_library_s() -> None:
    view = View(k=(3, 4), level=0.9, target="benchmark")
    found = VOTES.rows(compare_votes(TWO, view, VoteChoices(margin=0.05)))
    assert len(found) == 4
    for row in found:
        expected = consistency(
            TWO[row["run"]].outcomes, row["k"], target="benchmark", confidence_level=0.9
        )
        for name in ("cons", "avg", "difference"):
            numbers = tuple(row[f"{name}{end}"] for end in ("", "_low", "_high"))
            part = getattr(expected, name)
            assert numbers == (part.value, *part.interval)
        assert row["scenario"] == expected.scenario(0.05).name
        assert (row["vote"], row["tied"]) == (f"maj@{row['k']}", expected.tied)
        assert row["aisbench"] == expected.by_aisbench
        assert (row["questions"], row["level"], row["target"]) == (40, 0.9, "benchmark")
        assert row["remarks"][0] == str(expected.scenario(0.05).text)


def test_agreement_is_told_where_there_are_answers() -> None:
    with_answers, without = VOTES.rows(compare_votes(TWO, View(), USUAL))
    codes = TWO["7B / maths"].answers
    votes = np.array([np.bincount(row).max() for row in codes])
    assert with_answers["agreement"] == pytest.approx(votes.mean() / 5)
    assert with_answers["agreed"] == pytest.approx((votes > 2.5).mean())
    assert with_answers["confidently_wrong"] >= 0
    assert without["agreement"] is without["agreed"] is without["confidently_wrong"] is None


def test_segments_follow_their_run() -> None:
    cards = compare_votes(TWO, View(), VoteChoices(by="half"))
    assert [(card.key, card.view.segment, card.settings.part) for card in cards] == [
        ("7B / maths", None, False),
        ("7B / maths", ("half", "easy"), True),
        ("7B / maths", ("half", "hard"), True),
        ("70B / maths", None, False),
    ]
    easy = consistency(TWO["7B / maths"].outcomes, segment=("half", "easy"))
    assert cards[1].found.compared.cons == easy.cons
    chosen = compare_votes(TWO, View(segment=("half", "easy")), VoteChoices(by="half"))
    assert [card.settings.part for card in chosen] == [False, False]
    assert "no segment" in str(chosen[1].reason)


def test_what_cannot_vote_says_why() -> None:
    runs = index(Run("7B", "aime", None), run(verdicts(n=2)), run(verdicts() * 3, "grades"))
    found = VOTES.rows(compare_votes(runs, View(k=(3,)), USUAL))
    assert [row["cons"] for row in found] == [None] * 3
    none, few, grades = (row["reason"] for row in found)
    assert "which samples were right" in none
    assert "maj@3 needs 3 samples" in few
    assert "0/1 outcomes" in grades


def test_a_frame_holds_what_the_rows_hold() -> None:
    table = VOTES.frame(compare_votes(TWO, View(), USUAL))
    assert list(table.columns) == list(dtypes(VOTES.columns))
    assert dict(table.dtypes.astype(str)) == dtypes(VOTES.columns)
    assert table["k"].isna().all()
