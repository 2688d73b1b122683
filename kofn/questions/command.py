"""``kofn questions``: which questions are right, wrong or flaky, as the page lists them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

from kofn.card import Finding, attempt, blocks_of, make_one_each, runs_of, say, title
from kofn.choices.runs import shown_runs
from kofn.choices.view import View
from kofn.leaderboard.field import assumed_in
from kofn.questions import words
from kofn.questions.analysis import RunQuestions, comparable, run_questions
from kofn.questions.columns import LISTED, LOST, ListCard, ListedQuestions
from kofn.questions.filters import PAGE, QuestionFilter
from kofn.questions.gate import STATUSES, Required, judge
from kofn.questions.kinds import OF_TWO, OF_VERDICTS, search, select
from kofn.questions.paging import Page, page_of
from kofn.references import words as references
from kofn.references.analysis import MetricWithout, References, check_references, with_and_without
from kofn.references.columns import SUSPECTS, WITHOUT, lines
from kofn.terminal import inputs, waiting
from kofn.terminal.gate import Gate
from kofn.terminal.subcommand import Listing
from kofn.writing.columns import Block, for_people, rows, written
from kofn.writing.joining import below_one_another
from kofn.writing.kinds import WORD
from kofn.writing.layout import Grid, Lines, Row
from metrics.data.arrays import Flags
from metrics.data.words import MetricError, Text
from reports.readings.audit import audit
from reports.run.report import Run

MOST = 20
"""The most questions to check that a terminal lists."""
_KINDS = below_one_another(
    [
        Text("  {name}  {meaning}", name=f"{name:<17}", meaning=kind.meaning)
        for name, kind in words.KINDS.items()
    ]
)
DETAILS = Text(
    """\
kinds, for --filter:
{kinds}

A strip shows a sample as a letter: # right, . wrong, ! failed, _ never asked.

A run whose samples stay where they are, as in a cluster's table, is listed page by page, in the
order of ids unless --sort names a column, with what its counts show.

formats:
  table  a block for each run, and of each dataset that several models ran the questions whose
         reference is worth checking
  json   {{"view", "filter": the settings, "questions": [one object for each run and question],
         "to_check": {{dataset: the questions whose reference is worth checking, with reasons;
         metrics with and without them; what these runs cannot tell}}}}
  csv    the same rows, without the columns that no run has; segment.NAME is a column, too, and
         reason where a run has no rows. --sort takes the names of columns
  md     a Markdown table, and one of the questions whose reference is worth checking
""",
    kinds=_KINDS,
)


def _list_runs(runs: Mapping[str, Run], view: View, filter: QuestionFilter) -> tuple[ListCard, ...]:
    compared = [key for key in (filter.a, filter.b) if key]
    for unknown in inputs.unknown_names(runs, compared):
        raise MetricError(unknown)
    listed = {filter.a: runs[filter.a]} if filter.a else shown_runs(runs, view.runs)

    def find(key: str, *asked: object) -> Finding[ListedQuestions | Page]:
        return attempt(_list, key, runs, view, filter)

    return make_one_each(find, listed, replace(view, runs=()), filter)


def _list(
    key: str, runs: Mapping[str, Run], view: View, chosen: QuestionFilter
) -> ListedQuestions | Page:
    if runs[key].counts is not None:
        return page_of(key, runs[key], view, chosen)
    a = run_questions(key, runs[key], view, chosen.signal)
    beside = comparable(runs, view, key, chosen.b)[: int(chosen.kind in OF_TWO)]
    others = [run_questions(other, runs[other], view) for other in beside]
    matching = search(a, chosen.search, _in_texts(a, chosen.search)) if chosen.search else None
    if chosen.kind in OF_VERDICTS:
        with waiting.show_progress(Text("{name}", name=key)) as progress:
            audit(runs[key], progress)
    rows = select(a, others, chosen, matching)
    if chosen.page is not None:
        rows = rows[(chosen.page - 1) * PAGE : chosen.page * PAGE]
    return ListedQuestions(a, rows)


def _in_texts(questions: RunQuestions, needle: str) -> Flags | None:
    if not questions.run.has_texts:
        return None
    with waiting.show_progress(Text("{name}", name=questions.key)) as progress:
        questions.run.find_texts(progress)
        return questions.run.search(needle, progress)


def _answer(cards: Sequence[ListCard]) -> Text:
    found = [card.found for card in cards if card.found is not None]
    assumed = assumed_in(card.run for card in cards)
    return words.answer(found, assumed) if found else words.none_listed(cards[0].reason)


def _block(card: ListCard, found: ListedQuestions | Page) -> Lines:
    yield title(card, words.count_in_words(found.found, found.every), found.more)
    if found.count:
        yield Grid(LISTED.written([card], "terminal"))


def _references(cards: Sequence[ListCard]) -> dict[str, Finding[References]]:
    return check_references(runs_of(cards), cards[0].view)


def _without(found: References, cards: Sequence[ListCard]) -> list[MetricWithout]:
    return with_and_without(found, runs_of(cards), cards[0].view, found.strong)


def _screen(cards: Sequence[ListCard]) -> Iterator[Block]:
    """Yield how many questions of each run are lost; of the questions asked for, the first."""
    headings = [str(head) for head, _found in _suspected(cards)]
    if cards[0].settings == QuestionFilter():
        yield Block("", LOST, cards, headings)
    elif rows := LISTED.written([card for card in cards if card.found]):
        columns = [
            for_people(Text("{head}", head=head), WORD, itemgetter(head)) for head in rows[0]
        ]
        yield Block("", columns, rows, headings)


def _to_check(cards: Sequence[ListCard]) -> Iterator[Lines]:
    """Yield a block for each dataset of which several models tell what is worth checking.

    Questions that are only never right are counted, not listed.
    """
    for head, found in _suspected(cards):
        yield str(head), *_checking(found, cards)


def _suspected(cards: Sequence[ListCard]) -> Iterator[tuple[Text, References]]:
    for dataset, (found, _reason) in _references(cards).items():
        if found is not None and found.suspects.questions:
            yield words.references_to_check(dataset, references.answer(found)), found


def _checking(found: References, cards: Sequence[ListCard]) -> Lines:
    if found.listed:
        yield Grid(written(SUSPECTS, lines(found, found.listed[:MOST]), "terminal"))
        if (cut := len(found.listed) - MOST) > 0:
            yield str(words.more_in_json(cut))
        yield Grid(written(WITHOUT, _without(found, cards), "terminal"))
        yield str(references.exclusions(found.strong))
    yield from map(str, references.remarks(found))


def _tables(cards: Sequence[ListCard]) -> Iterator[Sequence[Row]]:
    yield LISTED.written(cards)
    for found, _reason in _references(cards).values():
        if found is not None:
            yield written(SUSPECTS, lines(found, found.listed), "paper")


def _document(cards: Sequence[ListCard]) -> dict[str, Any]:
    return {
        "to_check": {
            dataset: _checked(found, cards) | {"reason": say(reason)}
            for dataset, (found, reason) in _references(cards).items()
        }
    }


def _checked(found: References | None, cards: Sequence[ListCard]) -> dict[str, Any]:
    if found is None:
        return {"answer": None, "questions": [], "without": None, "remarks": []}
    metrics = rows(WITHOUT, _without(found, cards))
    return {
        "answer": say(references.answer(found)),
        "questions": rows(SUSPECTS, lines(found, found.suspects.questions)),
        "without": {
            "reasons": list(found.strong),
            "metrics": metrics,
        },
        "remarks": list(map(say, references.remarks(found))),
    }


QUESTIONS = Listing(
    about=DETAILS,
    result=Text("questions to list"),
    view=("run", "segment", "missing"),
    choices={
        "filter": (
            QuestionFilter,
            (
                "filter",
                "search",
                "sort",
                "down",
                "right",
                "agreed",
                "a",
                "b",
                "signal",
                "page",
            ),
        )
    },
    compute=_list_runs,
    answer=_answer,
    blocks=lambda cards: (*blocks_of(cards, _block), *_to_check(cards)),
    screen=_screen,
    table=LISTED,
    tables=_tables,
    figure="kofn.questions.figures:picture",
    document=_document,
    gate=Gate(Required, judge),
    judged=STATUSES,
)
