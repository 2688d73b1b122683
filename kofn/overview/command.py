"""``kofn overview``: every dataset in a few lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kofn.card import MEAN, say
from kofn.choices.runs import USUAL_K
from kofn.choices.view import View
from kofn.citing.used import DIFFERENCE, Used, used_of_estimates, used_of_score
from kofn.finish_reasons.columns import ENDED
from kofn.leaderboard.words import field_in_words
from kofn.overview.analysis import (
    Dataset,
    GlanceCard,
    averages,
    datasets_of,
    ended_runs,
    sort_key,
    summarize_runs,
)
from kofn.overview.choices import Further
from kofn.overview.columns import COLUMNS, GLANCES, WINS
from kofn.overview.next_steps import next_step
from kofn.overview.words import answer, best_with_checks, cautions, scope, stated_in, wrong_numbers
from kofn.terminal.subcommand import Listing
from kofn.writing.columns import Block
from kofn.writing.joining import joined, with_name
from kofn.writing.layout import Row, short_name
from metrics import Standing
from metrics.data.words import Text, printable


def _of_dataset(dataset: Dataset, datasets: Sequence[Dataset], view: View) -> dict[str, Any]:
    """Return what there is to say of one of some datasets, and the numbers under it, for JSON."""
    field = dataset.field
    return {
        "dataset": printable(dataset.name),
        "leads": [say(text) for text in field_in_words(field)],
        "wrong": [
            say(text) for text in wrong_numbers(stated_in(dataset), worst=len(datasets) == 1)
        ],
        "careful": [say(text) for text in cautions(dataset, view)],
        "next": say(next_step(dataset).label),
        "one_try": _standing(field.one_try),
        "many": _standing(field.many),
    }


def _standing(standing: Standing | None) -> dict[str, Any] | None:
    if standing is None:
        return None
    return {
        "metric": standing.metric,
        "k": standing.k,
        "order": list(standing.estimates),
        "leaders": list(standing.leaders),
        "ahead": [
            {
                "run": key,
                "difference": difference.value,
                "low": None if difference.interval is None else difference.interval.low,
                "high": None if difference.interval is None else difference.interval.high,
                "paired": difference.paired,
                "questions": difference.n_questions,
                "left_out": difference.n_dropped,
            }
            for key, difference in standing.ahead.items()
        ],
    }


DETAILS = Text(
    """\
The leader of a dataset is decided by its paired differences from all other runs: a run leads alone
if the intervals of all of them exclude 0. One try is judged by avg@n, several by pass@k at the
largest k that all runs have.

formats:
  table  a block for each dataset: what to know of it, and its runs, the best first
  json   {{"view": the settings, "scope", "wins": [who wins by one answer, a vote, several tries …,
         over the datasets that all models ran on], "datasets": [who leads, what is stated wrongly,
         what to be careful of, and the differences under it], "runs": [one object for each run and
         average], "states": [how the samples of each run ended, and how much that leaves open in
         avg@n]}}
  csv    the runs and averages
  md     the datasets and the runs as Markdown tables
"""
)


def _answer(cards: Sequence[GlanceCard]) -> Text:
    runs = {card.key: card.run for card in cards if card.found and card.found.dataset}
    return answer(cards, best_with_checks(runs, cards[0].view) if runs else None)


def _wins(cards: Sequence[GlanceCard]) -> Iterator[Block]:
    if wins := list(WINS.lines(cards)):
        yield Block(str(Text("Who wins by what")), WINS.columns, wins, head=False)


def _blocks(cards: Sequence[GlanceCard]) -> Iterator[Block]:
    yield Block(str(scope(cards)))
    yield from _wins(cards)
    datasets = datasets_of(cards)
    for dataset in datasets:
        own = [card for card in cards if card.key in dataset.field.models]
        yield _block(dataset, datasets, own)
    edge = [card for card in cards if not _is_of_one(card)]
    if edge:
        yield Block(str(Text("averages")), COLUMNS, edge, head=False)


def _is_of_one(card: GlanceCard) -> bool:
    return bool(card.found and card.found.dataset)


def _place(card: GlanceCard) -> tuple[bool, bool]:
    return _is_of_one(card), card.run.dataset != MEAN


def _screen(cards: Sequence[GlanceCard]) -> Iterator[Block]:
    yield from _wins(cards)
    yield Block("", COLUMNS, sorted(cards, key=_place))


def _block(dataset: Dataset, datasets: Sequence[Dataset], cards: Sequence[GlanceCard]) -> Block:
    first, *others = _sentences(dataset, datasets, cards[0].view)
    best = sorted(cards, key=sort_key)
    below = [*others, Text("Next: {step}.", step=next_step(dataset).label)]
    return Block(str(with_name(short_name(dataset.name), first)), COLUMNS, best, below, head=False)


def _sentences(dataset: Dataset, datasets: Sequence[Dataset], view: View) -> Iterator[Text]:
    yield from field_in_words(dataset.field)
    yield from wrong_numbers(stated_in(dataset), worst=len(datasets) == 1)
    yield from cautions(dataset, view)


def _tables(cards: Sequence[GlanceCard]) -> Iterator[Sequence[Row]]:
    datasets = datasets_of(cards)
    yield GLANCES.written(cards)
    yield WINS.written(cards)
    yield [
        {
            str(Text("dataset")): short_name(dataset.name),
            str(Text("finding")): printable(
                str(joined([*_sentences(dataset, datasets, cards[0].view)]))
            ),
        }
        for dataset in datasets
    ]


def _document(cards: Sequence[GlanceCard]) -> dict[str, Any]:
    datasets = datasets_of(cards)
    return {
        "scope": say(scope(cards)),
        WINS.key: WINS.rows(cards),
        "datasets": [_of_dataset(dataset, datasets, cards[0].view) for dataset in datasets],
        "states": ENDED.rows(list(ended_runs(cards))),
    }


def _used(cards: Sequence[GlanceCard]) -> Iterator[Used]:
    for card in cards:
        if card.found and card.found.score:
            yield from used_of_score(card.found.score)
    for dataset in datasets_of(cards):
        for standing in filter(None, (dataset.field.one_try, dataset.field.many)):
            yield from used_of_estimates(standing.metric, standing.k, standing.estimates.values())
            yield from (Used(DIFFERENCE, None, each.method) for each in standing.ahead.values())


OVERVIEW = Listing(
    about=DETAILS,
    result=Text("a number to show"),
    view=("metric", "k", "level", "target", "missing", "segment", "run"),
    defaults={
        "metric": "avg@n",
        "k": USUAL_K,
    },
    choices={"further": (Further, ())},
    compute=summarize_runs,
    found=lambda card: card.found and card.found.score,
    answer=_answer,
    blocks=_blocks,
    screen=_screen,
    table=GLANCES,
    tables=_tables,
    used=_used,
    figure="kofn.overview.figures:picture",
    document=_document,
    pooled=averages,
)
