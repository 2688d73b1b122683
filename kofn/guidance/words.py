"""What a model is fit for, what to do with it, and which risks it has, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import starmap
from typing import Final, Literal, NamedTuple

from charts.matrix import DecisionBoard, MatrixWords
from charts.places import FilledBoard
from kofn.card import cards_found, runs_of, side_of
from kofn.choices.runs import FEWEST
from kofn.choices.view import one_try
from kofn.guidance.analysis import GuidanceCard, run_names
from kofn.leaderboard.criteria import FindWinner, find_winner
from kofn.leaderboard.field import assumed_in
from kofn.leaderboard.lines import cards_of_runs, cards_over_datasets
from kofn.leaderboard.words import exclusions_among, with_assumption
from kofn.writing.estimates import NA, percent, percent_of, points, points_of
from kofn.writing.joining import joined, listed, sentences, some
from kofn.writing.layout import short_name
from metrics.analyses.guidance.decision import Guidance
from metrics.analyses.guidance.decision_matrix import (
    BIAS,
    DIMENSIONS,
    PROFILES,
    Cell,
    Dimension,
    Level,
    Profile,
    level_of,
)
from metrics.analyses.guidance.gaps import FAR, NEAR, most_solved, tries_needed
from metrics.analyses.guidance.targets import Goal, Status, Verdict
from metrics.analyses.questions import AGREED
from metrics.data.words import Text
from metrics.estimating.caveats import FEW_QUESTIONS

LIKELY_SHARE = 0.95
"""A place is settled where one cell holds this share of the draws."""
OUT_OF_REACH = 100
"""More than so many times the questions there are is out of reach."""
_HIDDEN = 0.1

LEVEL_NAMES: Mapping[Level, Text] = {
    "low": Text("low"),
    "medium": Text("medium"),
    "high": Text("high"),
}
STATUS_NAMES: Mapping[Status, Text] = {
    "met": Text("met"),
    "not met": Text("not met"),
    "undecided": Text("undecided"),
}
PRINCIPLES: Mapping[Dimension, Text] = {
    "pass": Text("potential: what is solved at all, if one right try is enough"),
    "cons": Text("stability: what most tries get right"),
    "avg": Text("overall quality: how good a single try is"),
}
IMPOSSIBLE = Text(
    "Cannot occur: where most samples of a question are right, at least one is, so cons@k never "
    "exceeds pass@k."
)
RULE_OF_THUMB = Text(
    "How many questions would settle something is a rule of thumb: intervals shrink with the "
    "square root of the number of questions. More samples of each question narrow them less, since "
    "questions differ however often they are asked."
)


def is_judged(found: Guidance) -> bool:
    """Whether there is more than a single try to judge by, which shows neither spread nor vote."""
    return found.k > 1


def describe_cell(found: Guidance, cell: Cell) -> Text:
    """Name a cell, such as "pass@4 high, avg@4 medium, cons@4 low"."""
    first, second, third = (
        Text("{metric} {level}", metric=found.label(dimension), level=LEVEL_NAMES[level])
        for dimension, level in zip(DIMENSIONS, cell, strict=True)
    )
    return Text("{first}, {second}, {third}", first=first, second=second, third=third)


def level_in_words(level: Level, found: Guidance) -> Text:
    """Say where a level lies, such as "> 80%"."""
    low, high = limit_text(found.low), limit_text(found.high)
    if level == "medium":
        return Text("{low} to {high}", low=low, high=high)
    return Text("> {high}", high=high) if level == "high" else Text("< {low}", low=low)


def limit_text(fraction: float) -> str:
    """Write a line between levels, or a target."""
    return f"{100 * fraction:.4g}%"


def profile_of(cell: Cell) -> Profile | None:
    """Return AISBench's row for a cell, if it has one."""
    return next((profile for profile in PROFILES if profile.cell == cell), None)


def place_in_words(found: Guidance) -> Iterator[Text]:
    """Yield where the run stands in the matrix, and what would settle it; nothing of one try."""
    if not is_judged(found):
        return
    first, *others = found.likely(LIKELY_SHARE)
    if not others:
        yield Text("{place}.", place=describe_cell(found, first))
        return
    yield _rival_cells(found, first, others)
    needed, questions = found.questions(), found.estimates["avg"].n_questions
    yield Text("The place is open: {settling}.", settling=questions_needed(needed, questions))


def _rival_cells(found: Guidance, first: Cell, others: Sequence[Cell]) -> Text:
    likeliest, next_one = (
        Text(
            "{cell} ({share:.0%})",
            cell=describe_cell(found, cell),
            share=found.probability[cell],
        )
        for cell in (first, others[0])
    )
    if len(others) == 1:
        return Text("Undecided between {first} and {second}.", first=likeliest, second=next_one)
    return Text(
        "Undecided between {first}, {second} and {count} more cell of the matrix.",
        "Undecided between {first}, {second} and {count} more cells of the matrix.",
        count=len(others) - 1,
        first=likeliest,
        second=next_one,
    )


def questions_needed(needed: int | None, questions: int) -> Text:
    """Say how many questions would settle what is open."""
    if needed is None or needed > OUT_OF_REACH * questions:
        return Text("too close to a line for any practical number of questions to settle it")
    if needed <= questions:
        return Text("somewhat more questions would settle it")
    return Text(
        "about {needed} questions like these would settle it, {times:.1f} times as many",
        needed=needed,
        times=needed / questions,
    )


def pitfalls(found: Guidance) -> Iterator[Text]:
    """Yield AISBench's pitfalls where they apply to this run."""
    values = {dimension: found.estimates[dimension].value for dimension in DIMENSIONS}
    if found.k == 1:
        yield one_try(known=found.n == 1)
        return
    if (found.cell[0], found.cell[2]) == ("high", "low"):
        yield Text(
            "Do not neglect {cons}: {passed:.0%} of the questions are solved by some of {k} tries, "
            "but only {voted:.0%} by most of them. In production that is unstable.",
            cons=found.label("cons"),
            passed=values["pass"],
            k=found.k,
            voted=values["cons"],
        )
    low, high = found.open_ranges["cons"]
    if high - low > _HIDDEN:
        yield Text(
            "{avg} alone hides how it comes about: at {value:.0%}, {cons} could be anything from "
            "{cons_low:.0%} to {cons_high:.0%} and {passes} from {pass_low:.0%} to {pass_high:.0%}."
            " Here they are {voted:.0%} and {passed:.0%}.",
            avg=found.label("avg"),
            value=values["avg"],
            cons=found.label("cons"),
            cons_low=low,
            cons_high=high,
            passes=found.label("pass"),
            pass_low=found.open_ranges["pass"].low,
            pass_high=found.open_ranges["pass"].high,
            voted=values["cons"],
            passed=values["pass"],
        )


NO_AGREEMENT = Text(
    "Whether samples agree takes extracted answers, and at least two of each question."
)


def bias_in_words(found: Guidance) -> Text:
    """Say how likely the row of systematic bias is with agreement instead of cons@k."""
    if found.agreement is None or found.bias is None:
        return NA
    return Text(
        "{share:.0%}: on {agreed:.0%} of the questions more than half of the samples agree",
        share=found.bias,
        agreed=found.agreement.value,
    )


NEXT_TO_NOTHING = 0.0005
"""Less than this below a target is written as 0 points."""
MARKS: Mapping[Status, str] = {"met": "\u2713", "not met": "\u2717", "undecided": "?"}
"""For those who look over many runs."""
TIMES = 16
"""More than so many times the tries there are is out of reach."""


def shortfall(found: Guidance, goal: Goal) -> float:
    """Return how far a metric is below its target; negative beyond it."""
    return goal.limit - found.estimates[goal.dimension].value


def distance_in_words(found: Guidance, goal: Goal) -> Text:
    """Say whether a target is met, or how far away it is."""
    estimate = found.estimates[goal.dimension]
    value = percent_of(estimate)
    sentence = _beside_goal(found, goal, value)
    if goal.status != "undecided" or _is_unknown(found, goal):
        return sentence
    open_ = questions_needed(goal.questions, estimate.n_questions)
    return Text("{said} but not for certain: {open}", said=sentence, open=open_)


def _beside_goal(found: Guidance, goal: Goal, value: Text) -> Text:
    metric, short = found.label(goal.dimension), shortfall(found, goal)
    if _is_unknown(found, goal):
        return Text("{metric} says nothing of stability", metric=metric)
    if short < 0:
        return Text(
            "{metric} {value}, above {limit}",
            metric=metric,
            value=value,
            limit=limit_text(goal.limit),
        )
    if short < NEXT_TO_NOTHING:
        return Text(
            "{metric} {value}, right at {limit}",
            metric=metric,
            value=value,
            limit=limit_text(goal.limit),
        )
    return Text(
        "{metric} {value}, {short} short of {limit}",
        metric=metric,
        value=value,
        short=points(short),
        limit=limit_text(goal.limit),
    )


def _is_unknown(found: Guidance, goal: Goal) -> bool:
    """Say whether one sample a question is asked for stability."""
    return goal.dimension == "cons" and found.n == 1 and goal.status == "undecided"


def remedy(found: Guidance, goal: Goal) -> Text | None:
    """Say what would meet a target that is missed: an n, a vote, or nothing within reach.

    None where the metric is beyond its target.
    """
    if goal.dimension == "cons" and found.n == 1:
        return Text("How stable answers are takes several samples: run n = {n}.", n=FEWEST)
    if shortfall(found, goal) < 0:
        return None
    if goal.dimension == "pass":
        return _tries(found, goal.limit)
    if goal.dimension == "cons":
        return _for_vote(found, goal.limit)
    return _single_try(found, goal.limit)


def scenario_lines(found: Guidance, verdict: Verdict) -> Iterator[Text]:
    """Yield whether the targets of a scenario are met, and what would meet those that are not.

    Nothing of a single try.
    """
    if not is_judged(found):
        return
    yield Text(
        "{scenario}: {status}.", scenario=verdict.scenario.name, status=STATUS_NAMES[verdict.status]
    )
    for goal in verdict.targets:
        sentence, way = distance_in_words(found, goal), remedy(found, goal)
        yield sentence if way is None else Text("{said}. {way}", said=sentence, way=way)


def scenario_in_short(found: Guidance, verdict: Verdict) -> Text:
    """Say whether the targets of a scenario are met, and how far away those are that are not."""
    mark = MARKS[verdict.status]
    missed = [_missed(found, goal) for goal in verdict.targets if goal.status != "met"]
    if not missed:
        return Text("{mark} {status}", mark=mark, status=STATUS_NAMES[verdict.status])
    return Text("{mark} {missed}", mark=mark, missed=listed(missed))


def _missed(found: Guidance, goal: Goal) -> Text:
    metric, short = found.label(goal.dimension), shortfall(found, goal)
    if short < 0:
        return Text("{metric} not for certain", metric=metric)
    if short < NEXT_TO_NOTHING:
        return Text("{metric} only at its target", metric=metric)
    return Text("{metric} {short} short", metric=metric, short=points(short))


def _tries(found: Guidance, limit: float) -> Text:
    measured = found.gaps.solved
    for n, solved in zip(measured.k.tolist(), measured.value.tolist(), strict=True):
        if solved > limit:
            return Text("n = {n} reaches it: pass@{n} {solved}.", n=n, solved=percent(solved))
    n, solved = int(measured.k[-1]), float(measured.value[-1])
    needed = tries_needed(solved, n, limit)
    if needed is not None and needed <= TIMES * n:
        return Text("It takes n = {needed} at least.", needed=needed)
    return Text(
        "No n within reach: with n = {n} pass is {most} at most.",
        n=TIMES * n,
        most=percent(most_solved(solved, n, TIMES * n)),
    )


def _for_vote(found: Guidance, limit: float) -> Text:
    vote = found.gaps.vote
    if vote is None:
        return Text("Without extracted answers nobody knows whether a vote reaches it.")
    if vote.value > limit:
        return Text(
            "A vote by answers reaches it: plurality@{k} {value}.",
            k=found.k,
            value=percent(vote.value),
        )
    return Text("Nothing within reach: a vote by answers gives {value}.", value=percent(vote.value))


def _single_try(found: Guidance, limit: float) -> Text:
    vote, checked = found.gaps.vote, found.estimates["pass"]
    if vote is not None and vote.value > limit:
        return Text(
            "No n changes a single try; a vote of {k} solves {value}.",
            k=found.k,
            value=percent(vote.value),
        )
    if checked.value > limit:
        return Text(
            "No n changes a single try; checking {k} solves {value}.",
            k=found.k,
            value=percent(checked.value),
        )
    if found.k == 1:
        return Text("No n changes a single try.")
    return Text(
        "Nothing within reach: even checking {k} tries solves {value}.",
        k=found.k,
        value=percent(checked.value),
    )


SURE = 0.95
"""The chance from which on a gap is said to be there."""

ONE_SAMPLE = Text(
    "One sample a question says nothing about stability, nor about what more tries would solve. "
    "Run it with n = {n}.",
    n=FEWEST,
)


def advice(found: Guidance) -> Iterator[Text]:
    """Yield what to do with a run, what is surest first."""
    if not is_judged(found):
        yield gap_in_words(found)
        return
    questions = found.estimates["avg"].n_questions
    if questions < FEW_QUESTIONS:
        yield Text(
            "{count} question is too few to advise on others like it.",
            "{count} questions are too few to advise on others like them.",
            count=questions,
        )
    yield row_in_words(found)
    yield gap_in_words(found)
    if found.gaps.wrong:
        yield Text(
            "On {count} of {all} questions at least {share:.0%} of the samples agree on one wrong "
            "answer: look at it, the reference or the prompt may be wrong.",
            "On {count} of {all} questions at least {share:.0%} of the samples agree on one wrong "
            "answer: look at these, references or prompts may be wrong.",
            count=found.gaps.wrong,
            all=questions,
            share=AGREED,
        )


def row_in_words(found: Guidance) -> Text:
    """Say which of AISBench's rows holds or is nearest, by what, and what it advises."""
    profile, far = found.row()
    row = row_in_short(found)
    if far:
        return Text("Nearest of AISBench's rows: {row}. {advice}", row=row, advice=profile.advice)
    return Text("AISBench's row holds: {row}. {advice}", row=row, advice=profile.advice)


def row_in_short(found: Guidance) -> Text:
    """Name the row of AISBench's that holds with its levels, or the nearest with what it lacks."""
    profile, far = found.row()
    if far:
        return Text(
            "{status}, but {lacks}",
            status=profile.status,
            lacks=listed(_lacking(found, profile)),
        )
    share = found.bias if profile == BIAS else found.probability[profile.cell]
    return Text(
        "{status}, with {levels} (chance {share:.0%})",
        status=profile.status,
        levels=listed(
            Text("{metric} {value} ({asked})", metric=metric, value=percent(value), asked=asked)
            for metric, value, _, asked in _levels(found, profile)
        ),
        share=share,
    )


def _lacking(found: Guidance, profile: Profile) -> Iterator[Text]:
    """Yield what a row asks for and the run has not."""
    for metric, value, level, asked in _levels(found, profile):
        if level_of(value, found.high, found.low) != level:
            yield Text(
                "{metric} is {value}, not {asked}", metric=metric, value=percent(value), asked=asked
            )


def _levels(found: Guidance, profile: Profile) -> Iterator[tuple[str | Text, float, Level, Text]]:
    named = [(found.label(each), found.estimates[each].value) for each in DIMENSIONS]
    if profile == BIAS and found.agreement is not None:
        named[2] = "agreement", found.agreement.value
    for (metric, value), level in zip(named, profile.cell, strict=True):
        yield metric, value, level, level_in_words(level, found)


Gap = Literal["one sample", "one try", "copied", "near", "apart", "between"]
IN_SHORT: Mapping[Gap, Text] = {
    "one sample": Text("Run it with n = {n}", n=FEWEST),
    "one try": Text("Choose a larger k"),
    "copied": Text("Sample anew: copies"),
    "near": Text("Better model or data"),
    "apart": Text("Check answers, or vote"),
    "between": Text("Check answers, if they can be"),
}


def gap_of(found: Guidance) -> Gap:
    """Say which of the cases that are advised on differently a run is."""
    gained = found.gaps.checked.interval
    if found.n == 1:
        return "one sample"
    if not is_judged(found):
        return "one try"
    if found.gaps.copied:
        return "copied"
    if gained is not None and gained.high <= NEAR:
        return "near"
    return "apart" if found.gaps.apart >= SURE else "between"


def gap_in_words(found: Guidance) -> Text:
    """Say what a vote and a check would gain, and whether more samples would help."""
    gap, gaps, k = gap_of(found), found.gaps, found.k
    one, some, most = (percent(found.estimates[each].value) for each in ("avg", "pass", "cons"))
    if gap == "one sample":
        return ONE_SAMPLE
    if gap == "one try":
        return Text(
            "With k = 1 only pass@1 is looked at, and all three metrics are the same. Choose a k "
            "up to {n}.",
            n=found.n,
        )
    if gap == "copied":
        return Text(
            "Samples look like copies of one another, so what more tries would solve cannot be "
            "told from them."
        )
    if gap == "near" and gaps.checked.interval is not None:
        return Text(
            "More samples will not help: {k} tries solve {some}, one {one}, at most {gain} more. "
            "It takes a better model or better data.",
            k=k,
            some=some,
            one=one,
            gain=points(gaps.checked.interval.high),
        )
    gains = Text(
        "Checking {k} answers gains {checked} on one try; {vote}.",
        k=k,
        checked=points_of(gaps.checked),
        vote=_vote(found),
    )
    if gap == "between":
        return Text(
            "Check answers, if they can be: {k} tries solve {some}, one {one}. {gains}",
            k=k,
            some=some,
            one=one,
            gains=gains,
        )
    return Text(
        "Check answers, or vote: some of {k} tries solve {some}, most of them {most}, surely more "
        "than {far:.0f} points apart. {gains}",
        k=k,
        some=some,
        most=most,
        far=100 * FAR,
        gains=gains,
    )


def _vote(found: Guidance) -> Text:
    """Say what a vote by answers gains."""
    gaps = found.gaps
    if gaps.vote is None or gaps.voted is None:
        return Text("what a vote gains is not known without extracted answers")
    side = side_of(gaps.voted)
    value, gain = percent(gaps.vote.value), points_of(gaps.voted)
    if side > 0:
        return Text("a vote by answers gains {gain} and solves {value}", value=value, gain=gain)
    if side < 0:
        return Text(
            "a vote by answers changes it by {gain}, to {value}: do not vote",
            value=value,
            gain=gain,
        )
    return Text(
        "a vote by answers solves {value}: too close to call, {gain}",
        value=value,
        gain=gain,
    )


ALL_RIGHT: Final = "pass^k"


class _Fit(NamedTuple):
    """A run in one scenario."""

    name: str
    found: Guidance
    verdict: Verdict

    @property
    def farthest(self) -> Goal:
        """The target that the run is farthest from."""
        return max(self.verdict.targets, key=lambda goal: shortfall(self.found, goal))


def answer(cards: Sequence[GuidanceCard], winner: FindWinner = find_winner) -> Text:
    """Say for which kinds of work models meet the targets, over all datasets or on one.

    Of several datasets that models do not share the runs are counted. A single try is not judged.

    cards: Of runs, and of models over several datasets.
    winner: In place of `kofn.leaderboard.criteria.find_winner`, such as one with a cache.
    """
    whole = cards_over_datasets(cards)
    first, *others = sentences(_answer_of(whole or cards))
    first = with_assumption(assumed_in(card.run for card in cards), first)
    runs = runs_of(cards_of_runs(cards))
    if not any(card.found and is_judged(card.found) for card in cards):
        return joined([first, *others])
    best = winner(runs, cards[0].view, ALL_RIGHT)
    alone = _on_some(whole, cards_of_runs(cards)) if whole else ()
    return joined([first, *others, *alone, *best, *exclusions_among(runs)])


def _answer_of(cards: Sequence[GuidanceCard]) -> Text:
    judged_cards = [
        (name, card, card.found)
        for name, card in zip(run_names(cards), cards, strict=True)
        if card.found is not None
    ]
    if not judged_cards:
        return Text("Nothing can be advised: {why}", why=cards[0].reason if cards else "")
    judged = [each for each in judged_cards if is_judged(each[2])]
    if not judged:
        return gap_in_words(max((each for _, _, each in judged_cards), key=lambda each: each.n))
    most = max(each.estimates["avg"].n_questions for _, _, each in judged)
    if most < FEW_QUESTIONS:
        return Text(
            "{count} question is too few to say what a model is fit for.",
            "{count} questions are too few to say what a model is fit for.",
            count=most,
        )
    fits = {
        verdict.scenario.key: [_Fit(name, each, each.verdicts[i]) for name, _, each in judged]
        for i, verdict in enumerate(judged[0][2].verdicts)
    }
    one_dataset = len({card.run.dataset for _, card, _ in judged_cards}) == 1
    fitting = list(_who_fits(fits) if one_dataset else starmap(_how_many_fit, fits.items()))
    return joined([*fitting, *_not_judged([name for name, _, each in judged_cards if each.n == 1])])


def _not_judged(one_sample: Sequence[str]) -> Iterator[Text]:
    if one_sample:
        yield Text(
            "{runs} has one sample a question and is not judged: run it with n = {n}.",
            "{runs} have one sample a question and are not judged: run them with n = {n}.",
            count=len(one_sample),
            runs=_some_names(one_sample),
            n=FEWEST,
        )


WORK = {
    "reliability": Text("work that must be reliable"),
    "tolerance": Text("work that tolerates faults"),
    "balanced": Text("everyday work"),
}
"""What the scenarios are about."""


def _who_fits(fits: Mapping[str, Sequence[_Fit]]) -> Iterator[Text]:
    """Say who meets which targets, then who comes closest to one that nobody meets."""
    met = {key: tuple(fit.name for fit in _fits(group, "met")) for key, group in fits.items()}
    perhaps = {
        key: tuple(fit.name for fit in _fits(group, "undecided")) for key, group in fits.items()
    }
    for names in dict.fromkeys(filter(None, met.values())):
        yield from _meets("met", [key for key in fits if met[key] == names], names, fits)
    missing = [key for key in fits if not met[key]]
    for names in dict.fromkeys(perhaps[key] for key in missing if perhaps[key]):
        keys = [key for key in missing if perhaps[key] == names]
        yield from _meets("undecided", keys, names, fits)
    missed = [key for key in missing if not perhaps[key]]
    if missed:
        key = min(missed, key=lambda each: min(map(_away, fits[each])))
        yield _closest(key, fits[key], len(missed) == len(fits))


def _away(fit: _Fit) -> float:
    """Return how far a run is from the targets of a scenario."""
    return shortfall(fit.found, fit.farthest)


def _number(fit: _Fit) -> Text:
    """Write the metric that is farthest from its target, and the target."""
    goal = fit.farthest
    estimate = fit.found.estimates[goal.dimension]
    return Text(
        "{metric} {value}, target {limit}",
        metric=fit.found.label(goal.dimension),
        value=percent(estimate.value, *(estimate.interval or ())),
        limit=limit_text(goal.limit),
    )


def _meets(
    status: Status,
    keys: Sequence[str],
    names: Sequence[str],
    fits: Mapping[str, Sequence[_Fit]],
) -> Iterator[Text]:
    """Say who meets targets most clearly, or may meet them, by the tightest; then who else."""
    each = [
        max((fit for key in keys for fit in fits[key] if fit.name == name), key=_away)
        for name in names
    ]
    best, *others = sorted(each, key=_away)
    run, works, number = (
        short_name(best.name),
        _works_in_words([WORK[key] for key in keys]),
        _number(best),
    )
    if status == "met":
        yield Text(
            "{run} meets the targets for {works}: {number}.", run=run, works=works, number=number
        )
    else:
        yield Text(
            "{run} may meet the targets for {works}, but not for certain: {number}.",
            run=run,
            works=works,
            number=number,
        )
    if others:
        runs = _some_names([fit.name for fit in others])
        yield (
            Text("So does {runs}.", "So do {runs}.", count=len(others), runs=runs)
            if status == "met"
            else Text("So may {runs}.", runs=runs)
        )


def _works_in_words(works: Sequence[Text]) -> Text:
    if len(works) == 1:
        return works[0]
    if len(works) == 2:
        return Text("{one} and {other}", one=works[0], other=works[1])
    return Text("all three kinds of work")


def _closest(scenario: str, fits: Sequence[_Fit], none: bool) -> Text:
    """Say who comes closest to the targets of a scenario, where none is met in any or in this."""
    nearest, work = min(fits, key=_away), WORK[scenario]
    name, number = short_name(nearest.name), _number(nearest)
    if none and len(fits) == 1:
        return Text(
            "{run} meets no target; it is closest for {work}: {number}.",
            run=name,
            work=work,
            number=number,
        )
    if none:
        return Text(
            "None of {count} models meets a target; closest is {run} for {work}: {number}.",
            count=len(fits),
            work=work,
            run=name,
            number=number,
        )
    return Text(
        "For {work} no model meets the targets; {run} comes closest: {number}.",
        work=work,
        run=name,
        number=number,
    )


def _how_many_fit(scenario: str, fits: Sequence[_Fit]) -> Text:
    work, every = WORK[scenario], len(fits)
    met, perhaps = len(_fits(fits, "met")), len(_fits(fits, "undecided"))
    if not met and not perhaps:
        return Text("None of {all} runs meets the targets for {work}.", work=work, all=every)
    if not perhaps:
        return Text(
            "Of {all} runs {count} meets the targets for {work}.",
            "Of {all} runs {count} meet the targets for {work}.",
            work=work,
            count=met,
            all=every,
        )
    if not met:
        return Text(
            "Of {all} runs {perhaps} may meet the targets for {work}, and none surely does.",
            work=work,
            all=every,
            perhaps=perhaps,
        )
    return Text(
        "Of {all} runs {count} meets the targets for {work}, and {perhaps} more may.",
        "Of {all} runs {count} meet the targets for {work}, and {perhaps} more may.",
        work=work,
        count=met,
        all=every,
        perhaps=perhaps,
    )


def _on_some(whole: Sequence[GuidanceCard], cards: Sequence[GuidanceCard]) -> Iterator[Text]:
    """Say on which datasets alone targets are met that are not met over all."""
    within = {key for card in whole for key in card.over}
    inside = [*cards_found(card for card in cards if card.key in within)]
    met = {
        verdict.scenario.key
        for card in whole
        for verdict in (card.found.verdicts if card.found else ())
        if verdict.status == "met"
    }
    for key, work in WORK.items():
        places = {
            card.run.dataset: None
            for card, found in inside
            for verdict in found.verdicts
            if verdict.scenario.key == key and verdict.status == "met"
        }
        if key not in met and places and is_judged(inside[0][1]):
            yield Text(
                "On {datasets} alone some model meets the targets for {work}.",
                datasets=some(short_name(name) for name in places),
                work=work,
            )


def _fits(fits: Sequence[_Fit], status: Status) -> list[_Fit]:
    return [fit for fit in fits if fit.verdict.status == status]


def _some_names(names: Sequence[str]) -> Text:
    return some(map(short_name, names))


# The figure --------------------------------------------------------------------------------------


def place_detail(*, run: object, place: object, share: float) -> Text:
    """Say where a run most likely is."""
    return Text("{run}: {place}, {share:.0%}", run=run, place=place, share=share)


def describe_matrix(board: DecisionBoard) -> Text:
    """Say in words what `charts.matrix.matrix` shows, for those who do not see it."""
    likeliest = max(board.probability, key=lambda cell: board.probability[cell])
    first, second, third = (
        Text("{metric} {level}", metric=metric, level=board.levels[level])
        for metric, level in zip(board.metrics, likeliest, strict=True)
    )
    return Text(
        "Decision matrix. The likeliest cell is {first}, {second}, {third}, with {share:.0%}.",
        first=first,
        second=second,
        third=third,
        share=board.probability[likeliest],
    )


def describe_places(field: FilledBoard) -> Text:
    """Say in words what `charts.places.places` shows, for those who do not see it."""
    cell, most = Counter(place.cell for place in field.runs).most_common(1)[0]
    first, second, third = (field.levels[level] for level in cell)
    return Text(
        "{count} run in the decision matrix: pass@k {first}, avg@n {second}, cons@k {third}.",
        "{count} runs in the decision matrix. Most, {most}, have pass@k {first}, avg@n {second}, "
        "cons@k {third}.",
        count=len(field.runs),
        most=most,
        first=first,
        second=second,
        third=third,
    )


def matrix_words() -> MatrixWords:
    """Return what the decision matrix says."""
    return MatrixWords(
        _at_levels, lambda place: Text("{place}: impossible with any data", place=place), _likely_at
    )


def _at_levels(metrics: Sequence[str], levels: Sequence[Text]) -> Text:
    first, second, third = (
        Text("{metric} {level}", metric=metric, level=level)
        for metric, level in zip(metrics, levels, strict=True)
    )
    return Text("{first}, {second}, {third}", first=first, second=second, third=third)


def _likely_at(place: Text, share: float, name: Text | None) -> Text:
    if name is None:
        return Text("{place}: {share:.1%}", place=place, share=share)
    return Text("{place}: {share:.1%}. {name}", place=place, share=share, name=name)
