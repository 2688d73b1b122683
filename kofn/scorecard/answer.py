"""Who leads, on one try and on many, in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from kofn.card import names
from kofn.choices.focus import by_dataset
from kofn.choices.runs import NO_VERDICTS, shared_k
from kofn.choices.view import View
from kofn.overview.analysis import Field
from kofn.overview.answer import leaders
from kofn.overview.sentences import lead, some
from kofn.overview.standings import MANY, ONE_TRY, Standing, stand
from kofn.scorecard.analysis import ScoreCard
from kofn.writing.joining import joined
from kofn.writing.layout import named
from kofn.writing.rendering import printable
from metrics.data.words import Text

Stand = Callable[..., Standing | None]


def answer(cards: Sequence[ScoreCard], stand: Stand = stand) -> Text:
    """Say who leads the runs of some cards, dataset by dataset; averages of suites do not count.

    Parameters
    ----------
    cards : sequence of ScoreCard
    stand : callable
        In place of `kofn.overview.standings.stand`, such as one with a cache.
    """
    own = {card.key: card for card in cards if not (card.found and card.found.pooled)}
    groups = by_dataset({key: card.run for key, card in own.items()})
    fields = [
        _field(dataset, [own[key] for key in group], stand) for dataset, group in groups.items()
    ]
    if len(fields) == 1:
        return joined(list(lead(fields[0])))
    return joined([*leaders(list(own.values()), fields), *_on_many_tries(own, fields)])


def _field(dataset: str, cards: Sequence[ScoreCard], stand: Stand) -> Field:
    """Set the runs of a dataset against one another, at the largest k of their view."""
    view = cards[0].view
    runs = {card.key: card.run for card in cards}
    k = max(view.k, default=0) or shared_k(runs.values(), view.missing, view.segment)
    plain = View(segment=view.segment, missing=view.missing, level=view.level, target=view.target)
    many = stand(runs, MANY, k, plain) if k > 1 else None
    reason = next((card.reason for card in cards if card.reason is not None), NO_VERDICTS)
    called = dict(zip(runs, map(named, names(cards)), strict=True))
    return Field(dataset, called, {}, k, stand(runs, ONE_TRY, None, plain), many, reason)


def _on_many_tries(own: Mapping[str, ScoreCard], fields: Sequence[Field]) -> Iterator[Text]:
    """Say on which datasets a model surely leads on many tries, and does not on one."""
    found: dict[str, list[str]] = {}
    for field in fields:
        if field.one_try is None or field.many is None or not field.many.ahead:
            continue
        if len(field.many.leaders) == 1 and field.many.leaders != field.one_try.leaders:
            model = named(printable(own[field.many.first].run.model))
            found.setdefault(model, []).append(_called(field))
    for model, datasets in found.items():
        yield Text(
            "With many tries {name} leads on {datasets}.", name=model, datasets=some(datasets)
        )


def _called(field: Field) -> str:
    return f"{named(printable(field.dataset))} (k = {field.k})"
