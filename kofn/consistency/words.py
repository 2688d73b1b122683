"""What is said of a vote beside its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kofn.consistency.analysis import VoteCard
from kofn.consistency.replicas import odd_ones
from metrics.data.words import Text

SCENARIOS: Mapping[str, Text] = {
    "above": Text("vote above average"),
    "below": Text("vote below average"),
    "about equal": Text("about equal"),
    "cannot tell": Text("cannot tell"),
}
"""Where the vote is, against the average: AISBench's three, and what the data do not decide."""


def meaning(scenario: str, margin: float) -> Text:
    """Say what a scenario means; the margin is a fraction."""
    points = 100 * margin
    return {
        "above": Text("Right answers mostly have the majority: a vote hides occasional mistakes."),
        "below": Text("Right answers are there, but without a majority: a vote loses them."),
        "about equal": Text(
            "Questions are nearly always right or nearly always wrong, or gains and losses "
            "cancel. The interval of the difference lies within {points:.4g} points.",
            points=points,
        ),
        "cannot tell": Text(
            "The interval of the difference includes 0 and more than {points:.4g} points.",
            points=points,
        ),
    }[scenario]


def remarks(card: VoteCard) -> Iterator[Text]:
    """Yield the scenario in words, and what must be known of the numbers, each once."""
    if card.found is not None:
        yield card.found.compared.scenario(card.settings.margin).text
        yield from card.found.compared.remarks()
        yield from caveats(card)
        if card.found.replicas is not None:
            yield from odd_ones(card.found.replicas)


def caveats(card: VoteCard) -> Iterator[Text]:
    """Yield the caveats of the estimates, each once."""
    found = card.found.compared if card.found else None
    estimates = () if found is None else (found.cons, found.avg, found.difference)
    yield from dict.fromkeys(caveat for each in estimates for caveat in each.caveats)
