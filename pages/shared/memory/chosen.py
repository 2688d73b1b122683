"""How many tries of which model to pay for, chosen once for the same settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from kofn.card import Card
from kofn.choices.focus import runs_by_dataset
from kofn.choices.view import View
from kofn.choose_n.analysis import (
    ChoiceCard,
    Choices,
    add_alternatives,
    choose_jointly,
    choose_means,
)
from kofn.choose_n.lengths import Tokens
from kofn.choose_n.pricing import Pricing
from kofn.choose_n.sequential_stopping import Ending
from kofn.workers.reading import tokens
from pages.shared.memory import session
from pages.shared.memory.cached import remember
from reports.run.report import Run

Identities = tuple[tuple[str, str], ...]


def choose_once(
    runs: Mapping[str, Run], view: View, pricing: Pricing, ending: Ending
) -> list[ChoiceCard]:
    """Choose among the runs of each dataset, as `kofn.choose_n.analysis.choose_runs` does."""
    found: list[ChoiceCard] = []
    for group in runs_by_dataset(runs).values():
        chosen = _choose(_identities(group), view, pricing, ending, group)
        found += [Card(key, run, view, pricing, *chosen[key]) for key, run in group.items()]
    return found


def choose_means_once(
    runs: Mapping[str, Run], view: View, pricing: Pricing
) -> tuple[ChoiceCard, ...]:
    """Choose among models over all datasets, as `kofn.choose_n.analysis.choose_means` does."""
    return _choose_means(_identities(runs), view, pricing, runs)


def _identities(runs: Mapping[str, Run]) -> Identities:
    return tuple((key, session.identity(key, run)) for key, run in runs.items())


@remember(50)
def _choose(
    identities: Identities, view: View, pricing: Pricing, ending: Ending, _runs: Mapping[str, Run]
) -> Choices:
    """Return the choices and how costs are spelled; neither runs nor their costs are kept."""
    tokens_of = _kept_tokens(identities, _runs)
    found = choose_jointly(_runs, view, pricing, tokens_of)
    found = add_alternatives(found, _runs, view, pricing, ending, tokens_of)
    return {
        key: (each and replace(each, priced=replace(each.priced, costs=0.0)), reason)
        for key, (each, reason) in found.items()
    }


@remember(50)
def _choose_means(
    identities: Identities, view: View, pricing: Pricing, _runs: Mapping[str, Run]
) -> tuple[ChoiceCard, ...]:
    return choose_means(_runs, view, pricing, _kept_tokens(identities, _runs))


def _kept_tokens(identities: Identities, runs: Mapping[str, Run]) -> Callable[[Run], Tokens]:
    """Return a function that estimates the tokens of these runs once."""
    known = dict(identities)

    def tokens_of(run: Run) -> Tokens:
        key = next(key for key, each in runs.items() if each is run)
        return tokens_once(known[key], run)

    return tokens_of


@remember(50)
def tokens_once(identity: str, _run: Run) -> Tokens:
    """Estimate the tokens of a run by its identity in the session, unless they are known."""
    return tokens(_run)
