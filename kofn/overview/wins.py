"""Who wins by what: one answer, a vote, checked answers, all tries right, partial credit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kofn.card import attempt
from kofn.choices.runs import has_scores, has_tokens, shared_k, shown_runs
from kofn.choices.view import View
from kofn.leaderboard.field import assumed_in, names_of
from kofn.leaderboard.lines import shared_datasets
from kofn.leaderboard.pairs import Matching, find_order, match_by_texts
from kofn.leaderboard.same_tokens import SameTokens, standing_for_tokens
from kofn.leaderboard.suite import find_suite
from kofn.leaderboard.words import name_with_answers
from kofn.overview.analysis import GlanceCard
from kofn.overview.next_steps import Goal
from kofn.writing.layout import short_name
from metrics import Standing
from metrics.data.names import MetricName
from metrics.data.words import Text
from reports.run.report import Run


@dataclass(frozen=True)
class Criterion:
    """What a model may be chosen by."""

    called: Callable[[int | None], Text]  # From a number of tries, or None, to its name.
    metric: MetricName
    goal: Goal  # The page that shows why.
    holds: Callable[[Run], bool]  # Whether runs have what it needs.


@dataclass(frozen=True, eq=False)
class Win:
    """Who wins by a criterion, over all datasets or on the only one."""

    criterion: Criterion
    k: int | None
    standing: Standing
    names: Mapping[str, str]  # How its runs are called.
    # The score above which a try counts as right, where it rests on one that is assumed.
    assumed: float | None = None

    @property
    def name(self) -> Text:
        """The criterion with its number of tries."""
        return self.criterion.called(self.k)


def _always(run: Run) -> bool:
    return True


def _same_tokens(k: int | None) -> Text:
    return Text("The tokens of one long answer")


CRITERIA = (
    Criterion(lambda k: Text("One answer"), "avg@n", "compare", _always),
    Criterion(
        lambda k: Text("A vote of {k}", k=k),
        "plurality@k",
        "consistency",
        lambda run: run.answers is not None,
    ),
    Criterion(
        lambda k: Text("{k} tries, answers can be checked", k=k), "pass@k", "saturation", _always
    ),
    Criterion(lambda k: Text("{k} tries, all of them right", k=k), "pass^k", "guidance", _always),
    Criterion(lambda k: Text("Soft score"), "soft", "soft_hard", has_scores),
)


def find_wins(
    runs: Mapping[str, Run], view: View, matching: Matching = match_by_texts
) -> tuple[Win, ...]:
    """Find out who wins by each criterion of which the runs have what it takes.

    Over the datasets that all models ran on, which count equally; by one number of tries, the most
    that all of these runs have. Nobody wins alone: there is none of a single model.

    view: Runs, segment, level, target and treatment of failed requests count.
    """
    shown = shown_runs(runs, view.runs)
    known = {key: run for key, run in shown.items() if run.known is not None}
    shared = shared_datasets(known)
    group = {key: run for key, run in known.items() if run.dataset in shared}
    if len({run.model for run in group.values()}) < 2:
        return ()
    k = shared_k(group.values(), view)
    wins = [win for win in _wins(group, view, shared, k, matching) if win.standing.paired]
    tokens = standing_for_tokens(group, view, matching)
    return (*wins, *([] if tokens is None else [_for_tokens(tokens, assumed_in(group.values()))]))


def _for_tokens(found: SameTokens, assumed: float | None) -> Win:
    criterion = Criterion(_same_tokens, "pass@k", "choose_n", has_tokens)
    names = {name: name_with_answers(found, name) for name in found.standing.estimates}
    return Win(criterion, None, found.standing, names, assumed)


def wins_of(cards: Sequence[GlanceCard]) -> tuple[Win, ...]:
    """Find out who wins by each criterion of the runs of some cards, under their View."""
    runs = {card.key: card.run for card in cards if card.found and card.found.dataset}
    return find_wins(runs, cards[0].view.plain) if runs else ()


def _wins(
    runs: Mapping[str, Run], view: View, shared: Sequence[str], k: int, matching: Matching
) -> Iterator[Win]:
    assumed = assumed_in(runs.values())
    for criterion in CRITERIA:
        takes_k = "@k" in criterion.metric or "^k" in criterion.metric
        if (takes_k and k < 2) or not all(map(criterion.holds, runs.values())):
            continue
        tries = k if takes_k else None
        if len(shared) > 1:
            suite = find_suite(runs, view, matching, criterion.metric, tries)
            if suite is not None:
                names = {line: short_name(line) for line in suite.standing.estimates}
                yield Win(criterion, tries, suite.standing, names, assumed)
        else:
            found, _reason = attempt(find_order, runs, criterion.metric, tries, view, matching)
            if found is not None:
                names = names_of({key: run.model for key, run in runs.items()}, shared[0])
                yield Win(criterion, tries, found, names, assumed)
