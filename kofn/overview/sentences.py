"""What is stated wrongly of a dataset, and what to be careful of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kofn.choices.view import View
from kofn.inventory.stated import StatedNumber
from kofn.inventory.words import what_is_wrong
from kofn.overview.analysis import Dataset
from kofn.overview.doubts import Doubt, Kind, treatment
from kofn.standings.field import Field
from kofn.standings.sentences import unlike
from kofn.writing.joining import some
from metrics.data.words import Text
from metrics.estimating.caveats import FEW_QUESTIONS


def wrong(stated: Sequence[StatedNumber], *, worst: bool = True) -> Iterator[Text]:
    """Say what is wrong with stated numbers, if anything is, and which is the worst of them."""
    if any(each.is_wrong or each.is_doubtful for each in stated):
        yield from what_is_wrong(stated, worst=worst)


def stated_in(dataset: Dataset) -> list[StatedNumber]:
    """Return what the files state of a dataset."""
    return [each for fact in dataset.facts.values() for each in fact.stated]


def careful(dataset: Dataset, view: View) -> Iterator[Text]:
    """Say what to be careful of before using the numbers of a dataset."""
    field, facts = dataset.field, dataset.facts
    silent = [name for key, name in field.names.items() if key not in facts]
    if silent and facts:
        yield Text("{names}: the file does not say which samples were right.", names=some(silent))
    doubts: dict[Kind, dict[str, Doubt]] = {}
    for key, fact in facts.items():
        for doubt in fact.doubts:
            doubts.setdefault(doubt.kind, {})[field.names[key]] = doubt
    for kind, found in doubts.items():
        if kind == "failed":
            yield _failed(field, found, view)
        elif kind == "unsettled":
            yield _unsettled(found)
        elif kind == "odd":
            yield from _odd(found)
        elif kind in _DOUBTS:
            yield Text("{names}: {doubt}", names=some(found), doubt=_DOUBTS[kind])
    fewest = min((fact.questions for fact in facts.values()), default=FEW_QUESTIONS)
    if fewest < FEW_QUESTIONS and view.target == "population":
        yield Text(
            "{count} question says nothing about questions like it.",
            "{count} questions are too few for a claim about questions like them.",
            count=fewest,
        )
    yield from unlike(field)
    yield from dataset.verdicts


def _odd(found: Mapping[str, Doubt]) -> Iterator[Text]:
    """Say which replicas of the first such run are unlike, and name the others."""
    (first, doubt), *others = found.items()
    yield Text("{name}: {doubt}", name=first, doubt=doubt.text)
    if others:
        yield Text(
            "Replicas of {names} differ by more than chance, too.",
            names=some(name for name, _ in others),
        )


_DOUBTS: dict[Kind, Text] = {
    "unknown": Text(
        "nothing tells which samples belong to the same question, only one try can be judged."
    ),
    "stated": Text(
        "which samples belong to the same question is stated by the file only, not proven."
    ),
    "unfinished": Text(
        "unfinished, it goes on, ended early or was cut short. What came first may not be like the "
        "rest."
    ),
    "copied": Text("samples repeat one another, or look like it."),
}


def _unsettled(found: Mapping[str, Doubt]) -> Text:
    if len(found) == 1:
        ((name, doubt),) = found.items()
        return Text("{names}: {doubt}", names=name, doubt=doubt.text)
    return Text(
        "{count:,} of {all:,} samples of {names} were cut off at a limit or have no answer.",
        count=sum(doubt.count for doubt in found.values()),
        all=sum(doubt.all for doubt in found.values()),
        names=some(found),
    )


def _failed(field: Field, found: Mapping[str, Doubt], view: View) -> Text:
    failed = sum(doubt.count for doubt in found.values())
    return Text(
        "{count} of {all:,} requests of {names} failed and {treatment}.",
        "{count:,} of {all:,} requests of {names} failed and {treatment}.",
        count=failed,
        all=sum(doubt.all for doubt in found.values()),
        names=some(found),
        treatment=treatment(view.missing, failed),
    )
