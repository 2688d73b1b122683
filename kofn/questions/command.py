"""``kofn questions``: which questions are right, wrong or flaky, as the page lists them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from kofn.card import OF_RUN, Card, Finding, attempt, make_one_each, of_run, say, title
from kofn.choices.runs import shown_runs
from kofn.choices.view import View
from kofn.questions import references
from kofn.questions.analysis import RunQuestions, comparable, run_questions
from kofn.questions.answer import answer
from kofn.questions.filters import PAGE, QuestionFilter
from kofn.questions.gate import STATUSES, Required, judge
from kofn.questions.kinds import KINDS, OF_TWO, OF_VERDICTS, search, select
from kofn.questions.paging import Page, page_of
from kofn.questions.tables import Listed, frame, lines, set_beside, suspected
from kofn.terminal import inputs, waiting
from kofn.terminal.gate import Gate
from kofn.terminal.subcommand import Listing
from kofn.writing.layout import Grid, Lines, Row, named
from kofn.writing.rendering import printable, render
from metrics import Suspect
from metrics.analyses.suspects.suspects import REASONS
from metrics.data.arrays import Flags
from metrics.data.words import MetricError, Text
from reports.readings.audit import audit
from reports.run.report import Run

MOST = 20
"""The most questions to check that a terminal lists."""
_KINDS = "\n".join(f"  {name:<17}  {render(kind.meaning)}" for name, kind in KINDS.items())
DETAILS = f"""\
kinds, for --filter:
{_KINDS}

A strip shows a sample as a letter: # right, . wrong, ! failed, _ never asked.

A run whose samples stay where they are, as in a cluster's table, is listed page by page, by ids
where --sort names nothing, and by what its counts tell.

formats:
  table  a block for each run, and of each dataset that several models ran the questions whose
         reference is worth checking
  json   {{"view", "filter": the settings, "questions": [one object for each run and question],
         "to_check": {{dataset: the questions whose reference is worth checking, with reasons;
         metrics with and without them; what these runs cannot tell}}}}
  csv    the same rows: run, model, dataset, verified, grouping, question, samples (the strip),
         right (the share of right samples), c, n, failed, and what the files have of soft, gap
         (soft minus hard), answer (the most common), agreed (the share that gives it), cut and
         no_answer (how many samples were cut, and have no answer),
         answer_right, tokens_out, segment.NAME; --sort takes these names; where a run has none,
         reason
  md     a Markdown table, and one of the questions whose reference is worth checking
"""


_Card = Card[Listed | Page, QuestionFilter]


def _list_runs(runs: Mapping[str, Run], view: View, filter: QuestionFilter) -> tuple[_Card, ...]:
    compared = [key for key in (filter.a, filter.b) if key]
    for unknown in inputs.unknown(runs, compared):
        raise MetricError(unknown)
    listed = {filter.a: runs[filter.a]} if filter.a else shown_runs(runs, view.runs)

    def find(key: str, *asked: object) -> Finding[Listed | Page]:
        return attempt(_list, key, runs, view, filter)

    return make_one_each(find, listed, replace(view, runs=()), filter)


def _list(key: str, runs: Mapping[str, Run], view: View, chosen: QuestionFilter) -> Listed | Page:
    if runs[key].counts is not None:
        return page_of(key, runs[key], view, chosen)
    a = run_questions(key, runs[key], view, chosen.signal)
    beside = comparable(runs, view, key, chosen.b)[: int(chosen.kind in OF_TWO)]
    others = [run_questions(other, runs[other], view) for other in beside]
    found = search(a, chosen.search, _in_texts(a, chosen.search)) if chosen.search else None
    if chosen.kind in OF_VERDICTS:
        with waiting.shown(key) as progress:
            audit(runs[key], progress)
    rows = select(a, others, chosen, found)
    if chosen.page is not None:
        rows = rows[(chosen.page - 1) * PAGE : chosen.page * PAGE]
    return Listed(a, rows)


def _in_texts(questions: RunQuestions, needle: str) -> Flags | None:
    if not questions.run.has_texts:
        return None
    with waiting.shown(questions.key) as progress:
        questions.run.find_texts(progress)
        return questions.run.search(needle, progress)


def _answer(cards: Sequence[_Card]) -> Text:
    found = [card.found for card in cards if card.found is not None]
    if not found:
        return Text("No question can be listed: {why}", why=cards[0].reason or "")
    return answer(found)


def _block(card: _Card) -> Lines:
    if card.found is None:
        yield f"{title(card)}: {render(card.reason or '')}"
        return
    counted = Text(
        "{count} of {every:,} question",
        "{count:,} of {every:,} questions",
        count=card.found.found,
        every=card.found.every,
    )
    yield title(card, counted, card.found.more)
    shown = list(lines(card.found))
    if shown:
        yield Grid(shown)


def _tables(cards: Sequence[_Card]) -> Iterator[list[Row]]:
    rows = [{"run": card.key, **row} for card in cards if card.found for row in lines(card.found)]
    names = dict.fromkeys(name for row in rows for name in row)
    yield [{name: row.get(name, "") for name in names} for row in rows]
    yield [{"run": card.key, "reason": say(card.reason) or ""} for card in cards if card.reason]
    yield [
        {"dataset": printable(dataset), **suspected(each, found)}
        for dataset, (found, _reason) in _references(cards).items()
        if found is not None
        for each in _listed(found)
    ]


def _to_check(cards: Sequence[_Card]) -> Iterator[Lines]:
    """Yield a block for each dataset of which several models tell what is worth checking.

    Questions that are only never right are counted, not listed.
    """
    for dataset, (found, _reason) in _references(cards).items():
        if found is None or not found.suspects.questions:
            continue
        said = Text(
            "Check the reference, {dataset}: {said}",
            dataset=named(printable(dataset)),
            said=references.answer(found),
        )
        listed = _listed(found)
        yield [
            render(said),
            *([Grid([suspected(each, found) for each in listed[:MOST]])] if listed else ()),
            *map(render, _cut(len(listed))),
            *(_without(found, cards) if listed else ()),
            *map(render, references.remarks(found)),
        ]


def _listed(found: references.References) -> tuple[Suspect, ...]:
    """Return the questions of which more is known than that nobody succeeds."""
    return found.suspects.of(found.strong) if found.strong != REASONS else ()


def _without(found: references.References, cards: Sequence[_Card]) -> Lines:
    rows = references.beside(found, _runs(cards), cards[0].view, found.strong)
    yield Grid(list(map(set_beside, rows)))
    yield render(references.left_out(found.strong))


def _cut(count: int) -> Iterator[Text]:
    if count > MOST:
        yield Text("and {count} more; JSON has all of them.", count=count - MOST)


def _references(cards: Sequence[_Card]) -> dict[str, Finding[references.References]]:
    return references.check_references(_runs(cards), cards[0].view)


def _runs(cards: Sequence[_Card]) -> dict[str, Run]:
    return {card.key: card.run for card in cards}


def _frame(cards: Sequence[_Card]) -> pd.DataFrame:
    parts = [frame([card.found]) if card.found else _refused(card) for card in cards]
    return pd.concat(parts, ignore_index=True).convert_dtypes()


def _refused(card: _Card) -> pd.DataFrame:
    row = of_run(card.key, card.run) | {"reason": say(card.reason)}
    return pd.DataFrame([row]).astype(OF_RUN)


def _document(cards: Sequence[_Card]) -> dict[str, Any]:
    table = _frame(cards)
    return {
        "questions": table.astype(object).where(table.notna(), None).to_dict("records"),
        "to_check": {
            dataset: {
                "answer": None if found is None else render(references.answer(found)),
                "questions": [] if found is None else references.rows(found),
                "without": None
                if found is None
                else {
                    "reasons": list(found.strong),
                    "metrics": references.beside(found, _runs(cards), cards[0].view, found.strong),
                },
                "remarks": []
                if found is None
                else [render(each) for each in references.remarks(found)],
                "reason": say(reason),
            }
            for dataset, (found, reason) in _references(cards).items()
        },
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
    found=lambda card: card.found,
    answer=_answer,
    blocks=lambda cards: (*map(_block, cards), *_to_check(cards)),
    tables=_tables,
    figure="kofn.questions.figures:picture",
    frame=_frame,
    document=_document,
    gate=Gate(Required, judge),
    judged=STATUSES,
)
