"""What numbers of candidates mean together, said where the data meet it and not before."""

from __future__ import annotations

from collections.abc import Iterator

from kofn.candidates.analysis import Examined
from kofn.candidates.lists import Lists
from kofn.writing.estimates import percent, points
from metrics.analyses.diversity.diversity import Diversity
from metrics.data.words import Text

LEFT = 0.05
"""What a pick leaves of an oracle that is worth a sentence."""
WELL, BADLY = 0.8, 0.5
"""From where on an order is good, and up to where few questions are solved."""
ALIKE = 0.4
"""Up to here pairs of tokens are said again and again."""


def of_picks(found: Examined) -> Iterator[Text]:
    """Say that a pick surely leaves right candidates lying.

    pass@k and selected@k are on one scale. The best score of a question is not: it says what the
    signal says, and so nothing of what is right.
    """
    share = found.efficiency and found.efficiency[0]
    oracle, picked = found.value("oracle"), found.value("picked")
    if not share or share.interval is None or oracle is None or picked is None:
        return
    if share.interval.high < 1 and oracle - picked > LEFT:
        yield Text(
            "The pick leaves {left} lying that an oracle finds: a better selector would gain more "
            "than more candidates. (The best score of each question does not show that: it is the "
            "signal's own, not a share of right answers.)",
            left=points(oracle - picked),
        )


def of_lists(found: Lists) -> Iterator[Text]:
    """Say why a good order and few solved questions do not contradict one another."""
    numbers = {number.name: number for number in found.numbers}
    order, solved = numbers.get("nDCG@k"), numbers.get("any-pass")
    if order is None or solved is None:
        return
    k = 3 if 3 in order.at else max(order.at)
    (gained, least, _), (passed, _, most) = order.at[k], solved.at[0]
    if least is not None and most is not None and least > WELL and most < BADLY:
        yield Text(
            "nDCG@{k} is {gained} though only {passed} of the questions have a right candidate. "
            "That is no contradiction and no fault of the gains: nDCG tells of the order alone, of "
            "questions that have something to order. The candidates are what is to be improved.",
            k=k,
            gained=percent(gained),
            passed=percent(passed),
        )


def of_diversity(found: Diversity) -> Iterator[Text]:
    """Say that candidates repeat one another, and whether that goes with failing."""
    names = {measure.name: measure for measure in found.measures}
    pairs = names.get("distinct-2")
    if pairs is None or pairs.estimate is None or pairs.estimate.interval is None:
        return
    if pairs.estimate.interval.high >= ALIKE:
        return
    said = percent(pairs.estimate.value, *pairs.estimate.interval)
    apart = None if pairs.split is None else pairs.split.difference.interval
    if apart is not None and apart.low > 0:
        yield Text(
            "Only {share} of all pairs of tokens are new, and questions whose candidates repeat "
            "one another are solved less often: try a higher temperature or other templates.",
            share=said,
        )
    else:
        yield Text(
            "Only {share} of all pairs of tokens are new. Questions whose candidates repeat one "
            "another are not shown to be solved less often here, so a higher temperature may gain "
            "nothing.",
            share=said,
        )
