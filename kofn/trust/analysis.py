"""Whether runs have the expected numbers, and what may have moved them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from kofn.card import Find, Finding, attempt, finder, make_cards
from kofn.choices.runs import known_of
from kofn.choices.view import View
from kofn.finish_reasons.analysis import count_finish_reasons
from kofn.references.analysis import References, check_references
from kofn.trust.causes import (
    Cause,
    by_chance,
    causes_of,
    reference_causes,
    replica_causes,
    sorted_causes,
)
from kofn.trust.doubts import AskedMetric, doubt, what_is_asked
from kofn.trust.expectations import Expecting, with_checks
from kofn.trust.labels import Labelling, with_filled_list, write_list
from kofn.trust.result import Trust, TrustCard, doubtful
from metrics import estimate, replicas
from reports.run.report import Run


def trust_without_references(run: Run, view: View, asked: AskedMetric) -> Trust:
    """Compute the number of a run, and find what may have moved it, of what it holds alone."""
    judged = estimate(known_of(run), asked.metric, asked.k, **view.asked)
    found, unread = attempt(doubt, run, view, asked)
    causes = sorted_causes([by_chance(judged), *causes_of(run, *asked, view, found)])
    ended, _reason = attempt(count_finish_reasons, run, view)
    evenness, _reason = attempt(replicas, run, **view.asked)
    verdicts = None
    if found is not None and found.audit.doubtful.any():
        low, high = found.least.value - judged.value, found.most.value - judged.value
        verdicts = Cause("divided", low, high, False)
    return Trust(asked, judged, found, unread, causes, ended, evenness, verdicts=verdicts)


def trust(
    runs: Mapping[str, Run],
    view: View,
    labelling: Labelling | None = None,
    expecting: Expecting | None = None,
    find: Find[Trust] | None = None,
    check: Callable[..., Mapping[str, Finding[References]]] = check_references,
) -> tuple[TrustCard, ...]:
    """Find for every run that a View names what may have moved its number.

    labelling: Labels that are loaded first, and the list of samples to be labelled that is written.
    expecting: Numbers or runs that are expected.
    find: Knows what was found before; see `make_cards`.
    check: As `kofn.references.analysis.check_references`.
    """
    if labelling and labelling.labels:
        runs = with_filled_list(runs, labelling.labels)
    cards = make_cards(find or finder(trust_without_references), runs, view, what_is_asked(view))
    if labelling and labelling.to_label:
        found = {card.key: (card.run, card.found.audit) for card in doubtful(cards) if card.found}
        write_list(labelling.to_label, found, view)
    shown = {card.key: card.run for card in cards}
    references = {dataset: found for dataset, (found, _) in check(shown, view).items() if found}
    runs_of_several = sum(bool(card.found and card.found.replicas) for card in cards)
    cards = tuple(
        _among_others(card, references.get(card.run.dataset), runs_of_several) for card in cards
    )
    return with_checks(cards, expecting, view) if expecting else cards


def _among_others(card: TrustCard, references: References | None, runs: int) -> TrustCard:
    """Return a card with what other runs say of it: of its references, and of its replicas.

    Replicas stand out where so many runs do not explain it either: at 95 % any are named without a
    cause in at most 5 of 100 such sets of runs.
    """
    if card.found is None:
        return card
    found, asked = card.found, (card.run, *card.found.asked, card.view)
    more: tuple[Cause, ...] = ()
    if references is not None and card.key in references.names:
        more = reference_causes(*asked, references)
        found = replace(found, references=references)
    across = found.replicas
    if across and across.standing_out and across.p_value.min() <= (1 - card.view.level) / runs:
        more += replica_causes(*asked, across)
    return replace(card, found=replace(found, causes=sorted_causes([*found.causes, *more])))
