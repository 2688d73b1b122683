"""The works that the numbers behind a pick rest on."""

from __future__ import annotations

from collections.abc import Iterator

from kofn.candidates.details import Details
from kofn.candidates.judging import Judged
from kofn.candidates.lists import Lists
from kofn.citing.sources import JARVELIN, LANG, LI_DISTINCT, POWERED, ROGAN
from kofn.citing.used import Told, Used, estimated
from metrics.analyses.judges.corrected import COUNTED, Corrected
from metrics.analyses.judges.powered import Powered
from metrics.data.words import Text

_DISTINCT = ("distinct-1", "distinct-2")


def resting(found: Details) -> Iterator[Used | Told]:
    """Yield how the numbers behind a pick were made, of those that there are."""
    if found.lists is not None:
        yield from _lists(found.lists)
    for measure in found.diversity.measures if found.diversity else ():
        yield from estimated(measure.name, None, [measure.estimate])
        if measure.estimate is not None and measure.name in _DISTINCT:
            yield _OF_DISTINCT
    if found.judged is not None:
        yield from _judged(found.judged)


def _lists(found: Lists) -> Iterator[Told]:
    if {"nDCG@k", "DCG@k"} & {number.name for number in found.numbers}:
        yield _OF_GAINS


def _judged(found: Judged) -> Iterator[Used | Told]:
    for name, (number, _reason) in found.numbers.items():
        if number is None:
            continue
        yield from estimated(f"corrected {name}", None, [number.estimate])
        if isinstance(number, Powered):
            yield _OF_POWERED
        elif isinstance(number, Corrected) and number.metric not in COUNTED:
            yield _OF_RATES


_OF_GAINS = Told(
    Text("Gains in a list count for less the later their place ({source}).", source=JARVELIN.short),
    (JARVELIN,),
)
_OF_DISTINCT = Told(
    Text("distinct-1 and distinct-2 are as in {source}.", source=LI_DISTINCT.short), (LI_DISTINCT,)
)
_OF_RATES = Told(
    Text(
        "Rates that a judge gives are corrected by its sensitivity and specificity ({value}), with "
        "the interval of {interval}.",
        value=ROGAN.short,
        interval=LANG.short,
    ),
    (ROGAN, LANG),
)
_OF_POWERED = Told(
    Text(
        "Labels of some of these questions and the judge of all are taken together by "
        "prediction-powered inference, its weight tuned ({source}).",
        source=POWERED.short,
    ),
    (POWERED,),
)
