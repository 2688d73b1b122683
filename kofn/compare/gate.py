"""Whether the runs of one file are surely worse than those of another, dataset by dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from kofn.card import attempt, cards_by_dataset
from kofn.choices.codec import Choices
from kofn.choices.settings import number, switch
from kofn.choices.view import View
from kofn.compare.analysis import CompareCard
from kofn.compare.contest import Contest, metric_and_k
from kofn.compare.words import NAMED, in_words
from kofn.leaderboard.words import same_answers_in_words
from kofn.terminal.gate import NOTHING_ASKED, GateVerdict, Ruling
from kofn.writing.estimates import NA, points
from kofn.writing.joining import with_name
from kofn.writing.layout import short_name
from metrics import Difference, compare, compare_suite
from metrics.data.names import MetricName
from metrics.data.words import ListedApart, MetricError, Text, printable, some_of
from reports.run.report import Report, Run
from reports.run.same_answers import SameAnswers

STATUSES = Text(
    """\
  1  with --margin, the new runs are surely worse by more than that on some dataset
  3  with --strict, the data cannot decide on some dataset, and no run is surely worse
"""
)


@dataclass(frozen=True)
class GateChoices(Choices):
    """By how much the new runs may be worse.

    Examples
    --------
    >>> GateChoices(0.01, strict=True).to_query()
    {'margin': ['0.01'], 'strict': ['yes']}
    """

    margin: float | None = None  # As a fraction; None for no gate.
    strict: bool = False  # Whether it has to be sure that they are not worse by more.

    SETTINGS: ClassVar = (
        number(
            "margin",
            (0, 1, 0.01),
            Text("end with 1 if the new runs are surely worse by more than this, such as 0.01"),
        ),
        switch("strict", Text("with --margin, end with 3 if the data cannot decide"), bare=True),
    )


@dataclass(frozen=True, eq=False)
class Two:
    """The baseline and the new run of a dataset."""

    contest: Contest
    base: str
    new: str

    @property
    def names(self) -> tuple[str, str]:
        """How both are called."""
        return self.contest.names[self.base], self.contest.names[self.new]


def judge(reports: Sequence[Report], cards: Sequence[CompareCard], choices: GateChoices) -> Ruling:
    """Say of each dataset, and of all together, whether the new run is worse by more than a margin.

    The intervals hold for all of these claims at once (Bonferroni), so that a gate fails by chance
    with about half of 1 - level, however many datasets there are.
    """
    if choices.margin is None:
        if choices.strict:
            raise MetricError(Text("strict needs a margin, such as --margin 0.01."))
        return NOTHING_ASKED
    runs = {card.key: card.run for card in cards}
    groups = cards_by_dataset(cards)
    pairs = {dataset: _pair_of_files(group, reports) for dataset, group in groups.items()}
    known = {dataset: pair for dataset, pair in pairs.items() if pair is not None}
    claims = len(known) + (len(known) > 1)
    verdicts = []
    for dataset, pair in pairs.items():
        view = groups[dataset][0].view
        if pair is None:
            sentence = _ONE_ONLY
        elif (same := _same_answers(groups[dataset], pair.new)) is not None:
            sentence = _of_one_set(same, pair, choices.margin)
        else:
            sentence = _judge_one(pair, runs, view, choices.margin, claims)
        verdicts.append(_headed(short_name(dataset), sentence))
    if len(known) > 1:
        view = cards[0].view
        sentence = _judge_mean(list(known.values()), runs, view, choices.margin, claims)
        verdicts.append(_headed(Text("all together"), sentence))
    return Ruling(verdicts, choices.strict, _held(claims, cards[0].view) if claims > 1 else None)


def _held(claims: int, view: View) -> Text:
    return Text(
        "The intervals of these {count} differences hold at once with {level:.4g}%, each with "
        "{each:.4g}%.",
        count=claims,
        level=100 * view.level,
        each=100 * level_of_each_claim(view, claims),
    )


def level_of_each_claim(view: View, claims: int) -> float:
    """Return the level at which each of several claims is made, so that all hold at once."""
    return 1 - (1 - view.level) / claims


_ONE_ONLY = GateVerdict(None, Text("there are no two runs to compare."))


def _pair_of_files(cards: Sequence[CompareCard], reports: Sequence[Report]) -> Two | None:
    """Return the two runs of a dataset, one of each file where there are several files."""
    if len(cards) > 2:
        problem = Text(
            "A gate compares two runs of a dataset, and {dataset} has {count}: {runs}. Name two by "
            "--run.",
            dataset=printable(cards[0].run.dataset),
            count=len(cards),
            runs=ListedApart(card.key for card in cards),
        )
        raise MetricError(problem)
    contest = cards[0].found.contest if cards[0].found else None
    if contest is None or contest.base is None or len(contest.others) != 1:
        return None
    homes = [
        place
        for place, report in enumerate(reports)
        for run in report.runs
        for card in cards
        if run is card.run
    ]
    if len(reports) > 1 and len(set(homes)) < 2:
        return None
    return Two(contest, contest.base, contest.others[0])


def _judge_one(
    pair: Two, runs: Mapping[str, Run], view: View, margin: float, claims: int
) -> GateVerdict:
    contest = pair.contest
    same = bool(contest.match(pair.base, pair.new))
    found, reason = attempt(
        compare,
        runs[pair.base],
        runs[pair.new],
        contest.metric,
        contest.k,
        same_questions=same,
        **_options(view, margin, claims),
    )
    if found is None:
        return GateVerdict(None, reason or NA)
    return _verdict(found, pair.names, contest.metric, contest.k)


def _same_answers(cards: Sequence[CompareCard], new: str) -> SameAnswers | None:
    """Return what says that the new run holds the answers of the baseline; None if it does not."""
    (found,) = (card.found for card in cards if card.key == new)
    return found.pair.same if found and found.pair else None


def _of_one_set(same: SameAnswers, pair: Two, margin: float) -> GateVerdict:
    """Judge one set of answers under two rules, of which nothing is chance."""
    difference = pair.contest.against[pair.new]
    passed = difference.value >= -margin
    most = points(margin)
    how = (
        Text("{new} is not worse by more than {most}.", new=pair.names[1], most=most)
        if passed
        else Text("{new} is worse by more than {most}.", new=pair.names[1], most=most)
    )
    return GateVerdict(
        passed, Text("{said} {how}", said=same_answers_in_words(same, *pair.names), how=how)
    )


def _judge_mean(
    pairs: Sequence[Two], runs: Mapping[str, Run], view: View, margin: float, claims: int
) -> GateVerdict:
    """Judge the mean over the datasets whose questions are the same."""
    matched = [pair for pair in pairs if pair.contest.match(pair.base, pair.new)]
    chosen = {key: runs[key] for pair in matched for key in (pair.base, pair.new)}
    metric, k = metric_and_k(chosen, view)
    base = {pair.contest.dataset: runs[pair.base] for pair in matched}
    new = {pair.contest.dataset: runs[pair.new] for pair in matched}
    found, reason = attempt(compare_suite, base, new, metric, k, **_options(view, margin, claims))
    if found is None:
        return GateVerdict(None, reason or NA)
    called = zip(*(pair.names for pair in pairs), strict=True)
    first, second = (str(some_of(dict.fromkeys(each), NAMED)) for each in called)
    return _verdict(found, (first, second), metric, k)


def _options(view: View, margin: float, claims: int) -> dict[str, Any]:
    return view.asked | {"confidence_level": level_of_each_claim(view, claims), "margin": margin}


def _verdict(
    difference: Difference, names: tuple[str, str], metric: MetricName, k: int | None
) -> GateVerdict:
    sentence = in_words(difference, names, metric, k)
    if difference.margin is None or difference.verdict is None:
        return GateVerdict(None, sentence)
    new, most = names[1], points(difference.margin)
    passed, how = {
        "worse": (False, Text("{new} is surely worse by more than {most}.", new=new, most=most)),
        "open": (None, Text("{new} may be worse by more than {most}.", new=new, most=most)),
        "not worse": (
            True,
            Text("{new} is surely not worse by more than {most}.", new=new, most=most),
        ),
        "equivalent": (
            True,
            Text(
                "{new} is surely neither worse nor better by more than {most}.", new=new, most=most
            ),
        ),
    }[difference.verdict]
    return GateVerdict(passed, Text("{said} {how}", said=sentence, how=how))


def _headed(head: str | Text, verdict: GateVerdict) -> GateVerdict:
    return GateVerdict(verdict.passed, with_name(head, verdict.sentence))
