"""How soft scores and verdicts differ, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from charts.levels import LevelsWords, Spectrum
from charts.thresholds import Steps, ThresholdsWords
from kofn.card import cards_by_dataset, names, runs_of, side_of
from kofn.choices.runs import has_scores
from kofn.leaderboard.criteria import FindWinner, find_winner
from kofn.leaderboard.field import assumed_in
from kofn.leaderboard.words import with_assumption
from kofn.soft_vs_hard.analysis import MeanGap, SoftHardCard, mean_gaps
from kofn.soft_vs_hard.rankings import is_kept
from kofn.writing.estimates import SAMPLES_AXIS, percent, points, points_less, points_of
from kofn.writing.joining import joined
from kofn.writing.layout import short_name
from metrics.analyses.soft_vs_hard.comparison import SoftHard
from metrics.data.counts import NEEDS_SAMPLES
from metrics.data.words import Text

FEATURES: tuple[tuple[Text, Text, Text], ...] = (
    (
        Text("What is measured"),
        Text("how well an answer matches, from 0 to 1"),
        Text("whether it is right, 0 or 1"),
    ),
    (
        Text("Averaged over"),
        Text("the questions of each replica first, then over replicas"),
        Text("the replicas of each question first, then over questions"),
    ),
    (Text("Formula"), Text("1/(nD) Σ score"), Text("1/D Σ correct/n")),
    (Text("For"), Text("fine differences in quality"), Text("consistency and robustness")),
    (
        Text("They are the same"),
        Text("where every score is 0 or 1"),
        Text("or where partial credit on both sides of the threshold cancels"),
    ),
)
"""What soft and hard accuracy are, feature by feature, after AISBench's document."""


def rule_of(card: SoftHardCard) -> Text:
    """Say when a sample of a run is right, and if that is an assumption."""
    threshold, strict = card.settings.of_run(card.run)
    rule = Text("right: a score of at least {threshold:g}", threshold=threshold)
    if strict:
        rule = Text("right: a score above {threshold:g}", threshold=threshold)
    unstated = card.run.threshold is None or card.run.assumed
    if unstated and card.settings.threshold is None:
        return Text("{rule}, assumed because the file states no threshold", rule=rule)
    return rule


def explain(found: SoftHard) -> Text:
    """Say in words why soft and hard accuracy differ, or why they cannot."""
    if not found.partial:
        return Text(
            "Every score is 0 or 1, so soft and hard accuracy are identical by construction."
        )
    return Text(
        "{partial:.0%} of the samples have partial credit. Where they count as wrong, soft "
        "accuracy gains {below} that hard accuracy does not see; where they count as right, it "
        "loses {above} that hard accuracy rounds up. Together that is the gap of {gap}.",
        partial=found.partial,
        below=points(found.levels.below),
        above=points(-found.levels.above),
        gap=points(found.gap.value),
    )


NOTHING = Text("No run has soft scores, so soft and hard accuracy are the same.")
ALL_OR_NONE = Text("Every score is 0 or 1, so soft and hard accuracy are the same.")


def answer(cards: Sequence[SoftHardCard], winner: FindWinner = find_winner) -> Text:
    """Say what partial credit is worth where that is most, and what the threshold changes.

    It is said of models over the datasets that all ran on, or of runs; then who is the best by
    soft score.

    winner: In place of `kofn.leaderboard.criteria.find_winner`, such as one with a cache.
    """
    every = runs_of(cards)
    counted = all(card.reason == NEEDS_SAMPLES for card in cards)
    cards = [card for card in cards if card.found is not None]
    accuracies = [
        (name, card.found.accuracies)
        for name, card in zip(names(cards), cards, strict=True)
        if card.found is not None
    ]
    if not accuracies:
        return NEEDS_SAMPLES if counted else NOTHING
    if not any(each.partial for _name, each in accuracies):
        return ALL_OR_NONE
    known: Sequence[tuple[str, MeanGap | SoftHard]] = list(mean_gaps(cards).items()) or accuracies
    name, most = max(known, key=lambda each: abs(each[1].gap.value))
    assumed = assumed_in(card.run for card in cards)
    stated = cards[0].settings.threshold is not None
    worth = [with_assumption(None if stated else assumed, _worth(name, most)), *_unsure(most)]
    groups = [group for group in cards_by_dataset(cards).values() if len(group) > 1]
    if not groups:
        return joined(worth)
    judged = [run for run in every.values() if run.known is not None]
    scored = all(map(has_scores, judged))
    best = winner(every, cards[0].view, "soft") if scored else ()
    return joined([*worth, _order(groups), *best])


def _worth(name: str, found: MeanGap | SoftHard) -> Text:
    gap, credit = found.gap, Text("Partial credit")
    if isinstance(found, MeanGap):
        credit = Text("On average over {count} datasets partial credit", count=len(found.over))
    run, side = short_name(name), side_of(gap)
    if side == 0:
        return Text(
            "{credit} changes the score of {run} by {gap}.",
            credit=credit,
            gap=points_of(gap),
            run=run,
        )
    soft, hard = percent(found.accuracy.value), percent(found.avg.value)
    if side < 0:
        return Text(
            "{credit} takes {gap} from the score of {run}: {soft} soft, {hard} hard.",
            credit=credit,
            gap=points_less(gap),
            run=run,
            soft=soft,
            hard=hard,
        )
    return Text(
        "{credit} adds {gap} to the score of {run}: {soft} soft, {hard} hard.",
        credit=credit,
        gap=points_of(gap),
        run=run,
        soft=soft,
        hard=hard,
    )


def _unsure(found: MeanGap | SoftHard) -> Iterator[Text]:
    if side_of(found.gap) == 0:
        yield Text(
            "{count} question is too few to be sure.",
            "{count} questions are too few to be sure.",
            count=found.gap.n_questions,
        )


def _order(groups: Sequence[Sequence[SoftHardCard]]) -> Text:
    changed = [group for group in groups if not is_kept(group)]
    if not changed:
        return Text("The order of the models is the same at every threshold.")
    if len(groups) == 1:
        return Text("The order of the models depends on the threshold.")
    return Text(
        "The order of the models depends on the threshold on {count} of {all} dataset.",
        "The order of the models depends on the threshold on {count} of {all} datasets.",
        count=len(changed),
        all=len(groups),
    )


# The figure --------------------------------------------------------------------------------------

RIGHT = Text("right")
WRONG = Text("wrong")


def score_detail(
    *, run: object, score: float, verdict: object, share: object, credit: object
) -> Text:
    """Say how much one score adds to the gap."""
    return Text(
        "{run}: score {score:.4g}, {verdict}: {share} of the samples, {credit} of the gap",
        run=run,
        score=score,
        verdict=verdict,
        share=share,
        credit=credit,
    )


def bin_detail(
    *, run: object, low: float, high: float, verdict: object, share: object, credit: object
) -> Text:
    """Say how much scores of a bin add to the gap."""
    return Text(
        "{run}: scores from {low:.4g} to {high:.4g}, {verdict}: {share} of the samples, "
        "{credit} of the gap",
        run=run,
        low=low,
        high=high,
        verdict=verdict,
        share=share,
        credit=credit,
    )


def threshold_name(mark: float) -> Text:
    """Name a threshold."""
    return Text("threshold {mark:g}", mark=mark)


def evaluator_threshold_name(mark: float) -> Text:
    """Name the threshold of an evaluator."""
    return Text("evaluator's threshold {mark:g}", mark=mark)


def describe_levels(spectra: Sequence[Spectrum]) -> Text:
    """Say in words what `charts.levels.levels` shows, for those who do not see it."""
    partial = [
        float(spectrum.share[(spectrum.score > 0) & (spectrum.score < 1)].sum())
        for spectrum in spectra
    ]
    return Text(
        "Histogram of the scores of {count} run: {low:.0%} of its samples have partial credit.",
        "Histograms of the scores of {count} runs: {low:.0%} to {high:.0%} of their samples have "
        "partial credit.",
        count=len(spectra),
        low=min(partial, default=0.0),
        high=max(partial, default=0.0),
    )


def describe_thresholds(runs: Sequence[Steps]) -> Text:
    """Say in words what `charts.thresholds.thresholds` shows, for those who do not see it."""
    return Text(
        "Hard accuracy of {count} run at every threshold, falling from {first:.1%} to {last:.1%}.",
        "Hard accuracy of {count} runs at every threshold. It falls as the threshold rises, for "
        "{name} from {first:.1%} to {last:.1%}.",
        count=len(runs),
        name=runs[0].name,
        first=float(runs[0].reached[0]),
        last=float(runs[0].reached[-1]),
    )


def levels_words() -> LevelsWords:
    """Return what the figure of scores says."""
    return LevelsWords(Text("Score of a sample"), SAMPLES_AXIS)


def thresholds_words() -> ThresholdsWords:
    """Return what the figure of thresholds says."""
    return ThresholdsWords(
        Text("Threshold between wrong and right"),
        lambda level: Text(
            "Hard accuracy and {level:.4g}% interval, in percent", level=100 * level
        ),
        partial(_scoring, Text("at least")),
        partial(_scoring, Text("more than")),
        Text("a score must reach it, ≥"),
        Text("a score must exceed it, >"),
        Text("soft accuracy"),
    )


def _scoring(sign: Text, run: str, value: float, threshold: float) -> Text:
    return Text(
        "{run}: {value:.1%} of the samples score {sign} {threshold:.4g}",
        run=run,
        value=value,
        sign=sign,
        threshold=threshold,
    )
