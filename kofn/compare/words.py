"""Which run is better, and what else differs between the two, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from charts.differences import Gap
from charts.pairs import PairCell
from charts.ranks import RankRow
from charts.theme import Stretch
from kofn.card import cards_by_dataset, runs_of
from kofn.compare.analysis import CompareCard, card_in_detail
from kofn.compare.contest import Contest, metric_and_k
from kofn.compare.over_datasets import OverDatasets
from kofn.compare.pair import ComparedPair
from kofn.leaderboard.field import ONE_TRY
from kofn.leaderboard.pairs import match_by_texts
from kofn.leaderboard.suite import SuiteStanding, find_standing
from kofn.leaderboard.words import (
    by_metric,
    crossing_point,
    exclusions,
    likeliest_in_words,
    same_answers_in_words,
    suite_in_words,
)
from kofn.writing.estimates import NA, percent_of, points, points_less, points_of
from kofn.writing.joining import joined, listed, some, with_name
from kofn.writing.layout import short_name
from kofn.writing.settings import differences_in_words
from metrics import BySegment, Difference, Ranking
from metrics.analyses.compare.sides import DIGITS
from metrics.data.names import MetricName
from metrics.data.words import Text
from metrics.scoring.registry import find_metric
from reports.run.differing import Differing
from reports.run.matching import Match


def settings_in_words(differing: Sequence[Differing] | None) -> Text:
    """Say where the settings of two runs differ; None where neither states any.

    Examples
    --------
    >>> str(settings_in_words([])), str(settings_in_words(None))
    ('Settings differ: none.', 'Settings: neither says how it was made.')
    >>> str(settings_in_words([Differing("temperature", 0.2, 0.8)]))
    'They were run with different settings: temperature 0.2 against 0.8.'
    """
    if differing is None:
        return Text("Settings: neither says how it was made.")
    return differences_in_words(differing) or Text("Settings differ: none.")


UNNAMED = Text(
    "Their tables name no dataset: they are compared since their questions have the same ids."
)


def matched_in_words(match: Match) -> Iterator[Text]:
    """Say what must be known of how questions were matched."""
    if match.refused is not None:
        yield match.refused
        return
    if match.unnamed:
        yield UNNAMED
    if match.reworded:
        yield Text(
            "{count} of {all} questions was asked by another prompt.",
            "{count} of {all} questions were asked by other prompts.",
            count=match.reworded,
            all=match.shared,
        )


NAMED = 4
"""The most runs that a sentence names."""


def answer(cards: Sequence[CompareCard]) -> Text:
    """Say which model is the best over all datasets; else which run of the first is better.

    Of two runs the difference is told, of more which may be the best.
    """
    return best_over_datasets(cards) or answer_of_first(cards, answer_of)


def best_over_datasets(cards: Sequence[CompareCard]) -> Text | None:
    """Say which model is the best over all datasets.

    None unless several models share several, and where a dataset or a baseline was chosen.
    """
    runs, first = runs_of(cards), cards[0]
    if first.found is None or first.found.chosen or first.settings.base:
        return None
    suite, leaders = find_standing(
        runs, first.view, match_by_texts, *metric_and_k(runs, first.view)
    )
    return None if suite is None else suite_answer(suite, leaders)


def suite_answer(suite: SuiteStanding, leaders: Mapping[str, str | None]) -> Text:
    """Say who leads over all datasets by the metric of a suite.

    leaders: Who leads on each dataset, as `kofn.leaderboard.suite.find_leaders` has it.
    """
    return joined([*suite_in_words(suite, leaders), *exclusions(suite)])


def answer_of_first(
    cards: Sequence[CompareCard], answering: Callable[[Sequence[CompareCard]], Text]
) -> Text:
    """Say something of the first dataset, and name it where there are several."""
    groups = cards_by_dataset(cards)
    if all(len(group) == 1 for group in groups.values()) and len(groups) > 1:
        return Text(
            "No two runs are of the same dataset, so none can be compared: there are {datasets}. "
            "Tables that name none are compared if most of their questions have the same ids.",
            datasets=some(short_name(name) for name in groups),
        )
    dataset, group = next(iter(groups.items()))
    sentence = answering(group)
    if len(groups) == 1:
        return sentence
    return with_name(short_name(dataset), sentence)


def answer_of(cards: Sequence[CompareCard]) -> Text:
    """Return the answer for the runs of one dataset."""
    known = [card.found.contest for card in cards if card.found]
    contest, shown = known[0], card_in_detail(cards)
    return answer_to(
        contest,
        shown.found.pair if shown and shown.found else None,
        shown.found.together if shown and shown.found else None,
    )


def answer_to(contest: Contest, pair: ComparedPair | None, together: OverDatasets | None) -> Text:
    """Say what a contest shows, and a pair of it in detail."""
    if pair is None:
        return no_comparison(contest)
    names = contest.names[pair.base], contest.names[pair.other]
    if len(contest.estimates) == 2:
        sentences = [*_of_pair(pair, contest, names), *_on_all_datasets(together, names)]
    else:
        sentences = [*ranking_in_words(contest), *_against_base(contest)]
        if pair.same is not None:
            sentences.append(same_answers_in_words(pair.same, *names))
    return joined(sentences)


def no_comparison(contest: Contest) -> Text:
    """Say why nothing of a dataset can be compared."""
    if contest.refusal is not None:
        return contest.refusal
    if not contest.estimates:
        reasons = dict.fromkeys(contest.reasons.values())
        return joined([Text("No run can be compared."), *reasons])
    (key, estimate), *_others = contest.estimates.items()
    alone = Text(
        "{run} has {metric} {value}; there is no other run of {dataset} to compare it with.",
        run=contest.names[key],
        metric=contest.label,
        value=percent_of(estimate),
        dataset=short_name(contest.dataset),
    )
    return joined([alone, *dict.fromkeys(contest.reasons.values())])


def ranking_in_words(contest: Contest) -> Iterator[Text]:
    """Say which of three runs or more may be the best, and how many pairs are told apart."""
    ranking = contest.ranking
    if ranking is None:
        return
    measure = by_metric(contest.metric, contest.k)
    count, pairs = len(ranking.names), len(ranking.pairs)
    best = [name for name, ranks in zip(ranking.names, ranking.ranks, strict=True) if ranks[0] == 1]
    close = sum(not ranking.sure(one, other) for one, other in ranking.pairs)
    if close == pairs:
        yield Text(
            "None of the {count} runs can be told apart from another {by}.", count=count, by=measure
        )
        yield from _likely(contest)
        yield from _unpaired(contest)
        return
    if len(best) == 1:
        yield Text(
            "Of {count} runs {best} is surely the best {by}: {value}.",
            count=count,
            best=contest.names[best[0]],
            by=measure,
            value=percent_of(contest.estimates[best[0]]),
        )
    else:
        yield Text(
            "Any of {few} of {count} runs may be the best {by}: {names}.",
            few=len(best),
            count=count,
            by=measure,
            names=some(contest.names[key] for key in best),
        )
        yield from _likely(contest)
    if close:
        yield Text(
            "{count} of {pairs} pairs is too close to call.",
            "{count} of {pairs} pairs are too close to call.",
            count=close,
            pairs=pairs,
        )
    else:
        yield Text("The order of all is sure.")
    yield from _unpaired(contest)


def _likely(contest: Contest) -> Iterator[Text]:
    """Say which run is most likely the best."""
    ranking = contest.ranking
    if ranking is not None and ranking.chances is not None and ranking.losses is not None:
        names = [contest.names[key] for key in ranking.names]
        yield from likeliest_in_words(names, ranking.chances, ranking.losses)


def _unpaired(contest: Contest) -> Iterator[Text]:
    """Say how many pairs are not known to have answered the same questions, and why the first."""
    assert contest.ranking is not None
    pairs = len(contest.ranking.pairs)
    refused = [each.refused for each in contest.matches.values() if each.refused is not None]
    if refused:
        yield Text(
            "{count} of {pairs} pairs is not paired. {reason}",
            "{count} of {pairs} pairs are not paired. {reason}",
            count=len(refused),
            pairs=pairs,
            reason=refused[0],
        )


def _against_base(contest: Contest) -> Iterator[Text]:
    """Count those that are surely better and worse than the baseline, unless it is an end."""
    assert contest.base is not None
    assert contest.ranking is not None
    order = list(contest.estimates)
    apart = [key for key in contest.others if contest.told_apart(contest.base, key)]
    place = order.index(contest.base)
    better = sum(order.index(key) < place for key in apart)
    if better and len(apart) > better:
        yield Text(
            "{count} is better than the baseline {base}, {worse} worse.",
            "{count} are better than the baseline {base}, {worse} worse.",
            count=better,
            base=contest.names[contest.base],
            worse=len(apart) - better,
        )


def _of_pair(pair: ComparedPair, contest: Contest, names: tuple[str, str]) -> Iterator[Text]:
    """Say which of two runs is better, and whether that holds along k."""
    if pair.same is not None:
        yield same_answers_in_words(pair.same, *names)
        return
    yield in_words(pair.difference, names, contest.metric, contest.k)
    if not pair.difference.sure and round(pair.difference.value, DIGITS):
        yield from _likely(contest)
    if pair.along is not None:
        yield from _followed(pair, names)
    if pair.match.refused is not None:
        yield Text("They are not paired. {reason}", reason=pair.match.refused)


def in_words(
    difference: Difference, names: tuple[str, str], metric: MetricName, k: int | None
) -> Text:
    """Say which of two runs is better by how much, or that the data cannot tell.

    names: Of the run that is subtracted, then of the other.
    """
    behind = difference.value < 0
    worse, better = names[::-1] if behind else names
    gain, measure = lead_in_words(difference), by_metric(metric, k)
    if difference.interval is None:
        return Text(
            "{better} is ahead of {worse} by {gain} {by}; such scores have no interval.",
            better=better,
            worse=worse,
            gain=gain,
            by=measure,
        )
    if not round(difference.value, DIGITS):
        sentence = Text(
            "{better} and {worse} are even {by}: {gain}",
            better=better,
            worse=worse,
            by=measure,
            gain=gain,
        )
    elif not difference.sure:
        sentence = Text(
            "{better} and {worse} cannot be told apart {by}: the first is ahead by {gain}",
            better=better,
            worse=worse,
            by=measure,
            gain=gain,
        )
    elif metric == ONE_TRY:
        sentence = Text(
            "{better} solves {gain} more than {worse} on one try",
            better=better,
            worse=worse,
            gain=gain,
        )
    else:
        sentence = Text(
            "{better} is ahead of {worse} by {gain} {by}",
            better=better,
            worse=worse,
            gain=gain,
            by=measure,
        )
    if metric != ONE_TRY or difference.wins is None or difference.losses is None:
        return Text("{said}.", said=sentence)
    counts = {
        "wins": difference.losses if behind else difference.wins,
        "count": difference.n_questions,
        "losses": difference.wins if behind else difference.losses,
    }
    if not difference.sure and round(difference.value, DIGITS):
        each = Text(
            "The first is better on {wins} of {count} question, worse on {losses}.",
            "The first is better on {wins} of {count} questions, worse on {losses}.",
            **counts,
        )
        return joined([Text("{said}.", said=sentence), each])
    return Text(
        "{said}, better on {wins} of {count} question, worse on {losses}.",
        "{said}, better on {wins} of {count} questions, worse on {losses}.",
        said=sentence,
        **counts,
    )


def lead_in_words(difference: Difference) -> Text:
    """Write by how much the better one is ahead."""
    return points_less(difference) if difference.value < 0 else points_of(difference)


def _followed(pair: ComparedPair, names: tuple[str, str]) -> Iterator[Text]:
    """Say from which k on something else holds than at first."""
    assert pair.along is not None
    base, other = names
    sure, ks = pair.along.sure.tolist(), pair.along.k.tolist()
    first, last = sure[0], sure[-1]
    changed = 1 + max((place for place, each in enumerate(sure) if each != last), default=-1)
    label = find_metric(pair.followed).label(ks[-1])
    if not changed:
        if not last:
            yield Text(
                "With more tries they cannot be told apart either, up to {metric}.", metric=label
            )
        elif pair.difference.sure:
            yield Text("The same holds for any number of tries up to {metric}.", metric=label)
        return
    if not last and ks[changed] == ks[-1]:
        yield Text("With all {k} tries they cannot be told apart.", k=ks[-1])
    elif not last:
        yield Text("From k = {k} on they cannot be told apart.", k=ks[changed])
    elif last == -first and pair.along.crossed is not None:
        yield Text(
            "{leader} passes it at {k}.",
            leader=other if last > 0 else base,
            k=crossing_point(pair.along.crossed),
        )
    elif last != first:
        yield Text(
            "From k = {k} on {leader} leads.", k=ks[changed], leader=other if last > 0 else base
        )


def _on_all_datasets(together: OverDatasets | None, names: tuple[str, str]) -> Iterator[Text]:
    """Say what holds on all datasets together."""
    if together is None or together.all is None:
        return
    difference, count = together.all, len(together.keys)
    base, other = names
    if not difference.sure:
        yield Text("On {count} datasets together they cannot be told apart.", count=count)
        if together.best is not None:
            yield from likeliest_in_words(names, *together.best)
        return
    yield Text(
        "On {count} datasets together {better} is ahead by {gain}.",
        count=count,
        better=other if difference.value > 0 else base,
        gain=lead_in_words(difference),
    )


def power_in_words(pair: ComparedPair) -> Text:
    """Say what difference would have been shown, so that none is read for what it is."""
    if pair.same is not None:
        return Text("The two hold the same answers: p-values and intervals of chance say nothing.")
    if pair.power is None:
        return pair.no_power or NA
    power, count = pair.power, pair.difference.n_questions
    if power.smallest is None:
        return Text(
            "This benchmark could have shown no difference at all: {count} question is too few.",
            "This benchmark could have shown no difference at all: {count} questions are too few.",
            count=count,
        )
    shown = Text(
        "This benchmark could have shown a difference of {smallest} or more, with a chance of "
        "{chance:.0%}",
        smallest=points(power.smallest),
        chance=power.chance,
    )
    if power.finer is None or power.questions is None:
        return Text("{shown}.", shown=shown)
    return Text(
        "{shown}; {finer} need about {questions} questions.",
        shown=shown,
        finer=points(power.finer),
        questions=power.questions,
    )


def segments_in_words(segments: BySegment) -> Text:
    """Say whether segments differ from one another, and which of them make the difference."""
    if segments.p_value is None:
        differ = Text("Whether the segments differ from one another cannot be tested here.")
    elif segments.p_value <= 1 - segments.overall.confidence_level:
        differ = Text("The segments differ from one another (p = {p:.2g}).", p=segments.p_value)
    else:
        differ = Text(
            "Nothing shows that the segments differ from one another (p = {p:.2g}): the difference "
            "may be the same in all.",
            p=segments.p_value,
        )
    if not segments.decisive:
        return Text("{differ} In none of them alone is one surely better.", differ=differ)
    parts = listed(
        Text("{label} {part}", label=short_name(label), part=points(segments.parts[label]))
        for label in segments.decisive[:NAMED]
    )
    return Text(
        "{differ} Of the difference of {all}, these surely make a part: {parts}.",
        differ=differ,
        all=points(segments.overall.value),
        parts=parts,
    )


def ranks_in_words(ranking: Ranking) -> Text:
    """Say how many pairs of models are told apart over all datasets."""
    apart = sum(ranking.sure(*pair) for pair in ranking.pairs)
    return Text(
        "Over all datasets {apart} of {pairs} pairs of models differ for certain.",
        apart=apart,
        pairs=len(ranking.pairs),
    )


# The figure --------------------------------------------------------------------------------------


def rank_detail(*, run: object, ranks: object, metric: object, value: object) -> Text:
    """Say which ranks a run may have."""
    return Text(
        "{run}: rank {ranks}, {metric} {value}", run=run, ranks=ranks, metric=metric, value=value
    )


def rank_axis(*, metric: object, level: float) -> Text:
    """Name the axis of ranks."""
    return Text(
        "Rank by {metric}; all bars hold together with {level:.4g}%", metric=metric, level=level
    )


def gap_detail(*, name: object, points: object, count: int) -> Text:
    """Say of a difference how large it is, and from how many questions."""
    return Text(
        "{name}: {points}, {count} question",
        "{name}: {points}, {count} questions",
        name=name,
        points=points,
        count=count,
    )


def gap_of_best(*, base: object, metric: object, level: float) -> Text:
    """Name the axis of differences where the baseline leads."""
    return Text(
        "{base} better by, in points of {metric}, {level:.4g}% intervals",
        base=base,
        metric=metric,
        level=level,
    )


def gap_of_all(*, base: object, metric: object, level: float) -> Text:
    """Name the axis of differences of all runs."""
    return Text(
        "Better than {base} by, in points of {metric}, {level:.4g}% intervals",
        base=base,
        metric=metric,
        level=level,
    )


def gap_of_one(*, run: object, base: object, level: float) -> Text:
    """Name the axis of differences of one run."""
    return Text(
        "{run} better than {base} by, in points, {level:.4g}% intervals",
        run=run,
        base=base,
        level=level,
    )


def better_side_name(run: object) -> Text:
    """Name the side of a run."""
    return Text("{run} better", run=run)


def pair_detail(*, one: object, other: object, points: object, p: float) -> Text:
    """Say of a pair how far its runs lie apart."""
    return Text(
        "{one} less {other}: {points}; p {p:.2g} for all pairs together",
        one=one,
        other=other,
        points=points,
        p=p,
    )


def describe_lead_over_k(gap: Stretch, metric: str) -> Text:
    """Say in words what `charts.lead_over_k.lead_over_k` shows, for those who do not see it."""
    return Text(
        "The difference in {metric} over k: {first:.1f} points at k = {low}, {last:.1f} at k = "
        "{high}.",
        metric=metric,
        first=100 * float(gap.value[0]),
        last=100 * float(gap.value[-1]),
        low=int(gap.x[0]),
        high=int(gap.x[-1]),
    )


def describe_differences(gaps: Sequence[Gap]) -> Text:
    """Say in words what `charts.differences.differences` shows, for those who do not see it."""
    known = [gap for gap in gaps if gap.value is not None]
    return Text(
        "{count} difference with its interval; {sure} leave out 0.",
        "{count} differences with their intervals; {sure} leave out 0.",
        count=len(known),
        sure=sum(gap.sure for gap in known),
    )


def describe_pairs(cells: Sequence[PairCell], runs: int) -> Text:
    """Say in words what `charts.pairs.pairs` shows, for those who do not see it."""
    return Text(
        "Each of {runs} runs against each other; {sure} of {count} pairs surely differ.",
        runs=runs,
        sure=sum(cell.sure for cell in cells) // 2,
        count=len(cells) // 2,
    )


def describe_ranks(places: Sequence[RankRow]) -> Text:
    """Say in words what `charts.ranks.ranks` shows, for those who do not see it."""
    return Text(
        "The places that each of {count} runs may have; {sure} have a single one. The table has "
        "the same numbers.",
        count=len(places),
        sure=sum(place.first == place.last for place in places),
    )
