"""Questions of a run whose samples stay elsewhere: the same lists, page by page."""

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.questions import command, paging
from kofn.questions.analysis import run_questions
from kofn.questions.command import QUESTIONS
from kofn.questions.filters import QuestionFilter
from kofn.questions.kinds import KINDS, select
from kofn.questions.paging import ORDERS, page_of
from kofn.questions.words import answer
from metrics import MetricError, Outcomes
from reports import LoadError, Run
from tests.reports.kept_elsewhere import kept_elsewhere

CORRECT = np.random.default_rng(2).choice([1, 0, -1, -2], (60, 4), p=[0.45, 0.35, 0.1, 0.1])
CORRECT[:6], CORRECT[6:12], CORRECT[12:14] = 1, 0, -2
LEVELS = np.where(np.arange(60) % 3, "easy", "hard")
IDS = [f"q{place:02}" for place in range(60)]
RUN = Run("7B", "maths", Outcomes(CORRECT, None, IDS, {"level": LEVELS}))
ELSEWHERE = kept_elsewhere(RUN)
COUNTED = [name for name, kind in KINDS.items() if kind.counted]


def listed(chosen, view):
    page = page_of("7B", ELSEWHERE, view, chosen)
    return page.rows["question"].tolist()


@pytest.mark.wide
@pytest.mark.parametrize("missing", ["wrong", "omit", "right"])
@pytest.mark.parametrize("kind", COUNTED)
@pytest.mark.parametrize("segment", [None, ("level", "hard")])
def test_a_kind_lists_the_questions_that_a_file_lists(kind, missing, segment):
    view = View(missing=missing, segment=segment)
    a = run_questions("7B", RUN, view)
    for span in (None, (0.25, 0.5)):
        for sort in ORDERS if span is None else ("right",):
            chosen = QuestionFilter(kind=kind, right=span, sort=sort, down=sort != "")
            expected = select(a, (), chosen)
            page = page_of("7B", ELSEWHERE, view, chosen)
            assert sorted(page.rows["question"]) == sorted(np.array(a.ids)[expected])
            assert (page.found, page.every) == (len(expected), len(a.ids))
            if sort not in ("", "question"):
                column = a.columns[sort]()[expected]
                np.testing.assert_allclose(page.rows[sort].to_numpy(float), column.astype(float))
    assert str(answer([page])) == str(answer([a]))


def test_a_list_is_read_page_by_page(monkeypatch):
    monkeypatch.setattr(paging, "PAGE", 25)
    pages = [page_of("7B", ELSEWHERE, View(), QuestionFilter(page=n)) for n in (1, 2, 3)]
    assert [name for page in pages for name in page.rows["question"]] == IDS
    assert [str(page.more) for page in pages[:3:2]] == [
        "1 to 25 are listed, other pages by --page",
        "51 to 60 are listed, other pages by --page",
    ]
    assert page_of("7B", ELSEWHERE, View(), QuestionFilter(kind="never")).more is None
    with pytest.raises(MetricError, match="There are 3 pages"):
        page_of("7B", ELSEWHERE, View(), QuestionFilter(page=4))
    monkeypatch.setattr(command, "PAGE", 25)
    for run in (RUN, ELSEWHERE):
        (card,) = QUESTIONS.compute({"a": run}, View(), QuestionFilter(page=2))
        assert list(card.found.cells("question")) == IDS[25:50]


@pytest.mark.parametrize(
    ("chosen", "reason"),
    [
        (QuestionFilter(kind="cut"), "nothing to tell this kind of questions by"),
        (QuestionFilter(kind="a-beats-b"), "nothing to tell this kind of questions by"),
        (QuestionFilter(search="sum"), "stay where they are"),
        (QuestionFilter(agreed=(0.5, 1.0)), "needs the single samples"),
        (QuestionFilter(sort="gap"), "no column gap; there are: question, right, c, n, failed"),
    ],
)
def test_what_counts_do_not_tell_is_refused(chosen, reason):
    with pytest.raises(MetricError, match=reason):
        listed(chosen, View())


def test_a_list_says_why_it_cannot_be_read():
    lost = kept_elsewhere(RUN)
    lost.remote.gone = True
    with pytest.raises(LoadError, match="cannot be reached"):
        page_of("7B", lost, View(), QuestionFilter())
    cards = QUESTIONS.compute({"a": lost, "b": RUN, "c": ELSEWHERE}, View(), QuestionFilter())
    assert [card.found is None for card in cards] == [True, False, False]
    text = QUESTIONS.write("md", cards, View(), filter=QuestionFilter())
    assert "engine: cannot be reached" in text
    frame = QUESTIONS.as_frame(cards[1:])
    assert len(frame) == 120
    assert frame[frame["run"] == "c"]["samples"].isna().all()
