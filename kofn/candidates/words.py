"""Sentences about best-of-n selection, for pages, the command and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from charts.best_of_n import Course
from kofn.candidates.analysis import CandidateCard, Examined, WayWorth, Who
from kofn.candidates.choices import Picking
from kofn.candidates.judging import Judged, has_labels
from kofn.candidates.ranking_metrics import Lists
from kofn.candidates.signals import Chosen, SignalTrust
from kofn.card import cards_found, names, side_of
from kofn.choices.runs import FEWEST, NO_VERDICTS, outcomes_of
from kofn.choices.view import View
from kofn.choose_n.words import unsure_gain
from kofn.writing.estimates import percent, percent_of, points, points_less, points_of
from kofn.writing.joining import joined, with_name
from kofn.writing.layout import short_name
from metrics.analyses.candidates.weighted_vote import Weighing
from metrics.analyses.diversity.diversity import Diversity
from metrics.analyses.judges.corrected import Corrected
from metrics.analyses.trust.optimism import Optimism
from metrics.data.results import Estimate
from metrics.data.words import Enumerated, Text, printable, some_of
from reports.run.report import Run

WHO: Mapping[Who, Text] = {
    "oracle": Text("An oracle"),
    "picked": Text("The pick"),
    "weighted": Text("Weighted vote"),
    "vote": Text("Majority vote"),
    "one": Text("One sample"),
}
VOTES: Mapping[Weighing, Text] = {
    "sum": Text("Vote by sum of signals"),
    "mean": Text("Vote by mean signal"),
    "max": Text("Vote by highest signal"),
}


def way_name(found: Examined, way: WayWorth) -> Text:
    """Name a way of using candidates."""
    if way.who == "picked" and found.signal is not None:
        return Text("Picked by {signal}", signal=found.signal)
    return WHO[way.who] if way.rule is None else VOTES[way.rule]


# The answer ---------------------------------------------------------------------------------------

NEEDED = Text(
    "A column of numbers, one for each sample, such as the score of a reward model or a judge, "
    "or a log-probability, would show how much of that can be reached."
)
"""What would bring the page to life."""
_NOTHING = 0.0005


def answer(cards: Sequence[CandidateCard], detail: str = "") -> Text:
    """Say what a pick solves, between one sample and an oracle, and whom picking harms.

    detail: The run to tell of; by default the one that `leading_card` returns.
    """
    card = leading_card(cards, detail)
    if card is None or card.found is None:
        return next((card.reason for card in cards if card.reason is not None), NO_VERDICTS)
    sentence = joined(list(_of_run(card.found)))
    if len(cards) == 1:
        return sentence
    called = dict(zip((each.key for each in cards), names(cards), strict=True))
    return joined(
        [
            with_name(short_name(called[card.key]), sentence),
            *_range_of_runs(cards),
        ]
    )


def leading_card(cards: Sequence[CandidateCard], detail: str = "") -> CandidateCard | None:
    """Return the run of a name, or the one of which most is known and whose pick is best."""

    def merit(each: tuple[CandidateCard, Examined]) -> tuple[bool, list[float], list[float]]:
        card, found = each
        return card.key == detail, found.values("picked"), found.values("oracle")

    card, _found = max(cards_found(cards), key=merit, default=(None, None))
    return card


def efficiency_of(found: Examined) -> Estimate | None:
    """Return the share of what picking can gain that the pick gains, if it is known."""
    return None if found.efficiency is None else found.efficiency[0]


def _of_run(found: Examined) -> Iterator[Text]:
    if found.k == 1 and found.n > 1:
        yield Text("One candidate leaves no choice: choose k from 2 to {n}.", n=found.n)
        return
    if found.k == 1:
        yield Text(
            "One sample per question leaves no choice: run it with n = {n}.",
            n=FEWEST,
        )
        return
    if found.n_questions == 1:
        yield Text("There is only one question, which says nothing about others.")
    if found.signal is None:
        yield from _without_signal(found)
        return
    yield _picked_by_signal(found, found.signal)
    if found.free is not None and found.free.free_value is not None:
        difference = unsure_gain(found.free)
        if difference is not None:
            yield Text(
                "A plain vote solves {value}: {difference}.",
                value=percent(found.free.free_value.value),
                difference=difference,
            )
    if found.is_optimistic:
        yield Text(
            "That is optimistic, because {signal} also gives the verdicts.", signal=found.signal
        )
    fall = found.picked and found.picked.fall
    if fall:
        yield Text(
            "Beyond {count} candidate it gets worse, by {lost} with {last}.",
            "Beyond {count} candidates it gets worse, by {lost} with {last}.",
            count=fall.first,
            last=fall.last,
            lost=points_less(fall.change),
        )


def _picked_by_signal(found: Examined, signal: Text) -> Text:
    share = efficiency_of(found)
    oracle, picked, one = map(percent, found.values("oracle", "picked", "one"))
    if share is None:
        return Text(
            "Picking by {signal} among {k} solves {picked}, an oracle {oracle}, one sample {one}.",
            signal=signal,
            k=found.k,
            oracle=oracle,
            picked=picked,
            one=one,
        )
    part = percent_of(share)
    if side_of(share) < 0:
        return Text(
            "Picking by {signal} does harm: among {k} candidates it solves {picked}, one sample "
            "solves {one} and an oracle {oracle}. That is {part} of the possible gain.",
            signal=signal,
            k=found.k,
            part=part,
            oracle=oracle,
            picked=picked,
            one=one,
        )
    sentence = Text(
        "Picking by {signal} among {k} candidates solves {picked}; an oracle solves {oracle} "
        "and one sample {one}. That is {part} of the possible gain.",
        signal=signal,
        k=found.k,
        part=part,
        oracle=oracle,
        picked=picked,
        one=one,
    )
    if share.interval is not None and share.interval.low <= 0:
        return Text("{told} It may gain nothing.", told=sentence)
    return sentence


def _without_signal(found: Examined) -> Iterator[Text]:
    oracle, one = found.values("oracle", "one")
    if oracle - one < _NOTHING:
        yield Text(
            "However one picks, {k} candidates are worth no more than one: {one}.",
            k=found.k,
            one=percent(one),
        )
        return
    vote = found.value("vote")
    if vote is None:
        yield Text(
            "Among {k} candidates, an oracle solves {oracle}; one sample solves {one}.",
            k=found.k,
            oracle=percent(oracle),
            one=percent(one),
        )
    else:
        yield Text(
            "Among {k} candidates an oracle solves {oracle}, a majority vote {vote}, one sample "
            "{one}.",
            k=found.k,
            oracle=percent(oracle),
            vote=percent(vote),
            one=percent(one),
        )
    yield NEEDED


def _range_of_runs(cards: Sequence[CandidateCard]) -> Iterator[Text]:
    shares = [share for card in cards if card.found and (share := efficiency_of(card.found))]
    if len(shares) < 2:
        return
    sides = list(map(side_of, shares))
    yield Text(
        "Picking surely gains for {gains} of {count} runs.",
        gains=sides.count(1),
        count=len(shares),
    )
    if harms := sides.count(-1):
        yield Text("It surely harms {count}.", count=harms)


# What must be said beside the numbers -------------------------------------------------------------


def remarks(found: Examined) -> Iterator[Text]:
    """Say how well the signal ranks, what it gains of what is possible, and what is missing."""
    yield from efficiency_in_words(found)
    yield from ranking_in_words(found)
    if found.picked is not None and found.picked.target == "benchmark":
        yield Text(
            "The intervals of its share of an oracle's gain and of its ranking are for "
            "questions like these, although another target was chosen."
        )
    yield from missed_candidates(found)
    before = found.picked.caveats if found.picked is not None else ()
    yield from before
    weighted = found.way("weighted")
    if weighted is not None and weighted.rule is not None:
        for caveat in weighted.caveats:
            if caveat not in before:
                yield with_name(VOTES[weighted.rule], caveat)
    yield from found.missing


def efficiency_in_words(found: Examined) -> Iterator[Text]:
    """Say how much of what an oracle gains the pick gains, or why that is not known."""
    share, reason = found.efficiency or (None, None)
    if share is not None:
        yield Text(
            "It gains {share} of what an oracle gains over one sample, with {k} candidates.",
            share=percent_of(share),
            k=found.k,
        )
        yield from share.caveats
    elif reason is not None and found.k > 1:
        yield reason


def ranking_in_words(found: Examined) -> Iterator[Text]:
    """Say how well the signal tells right samples from wrong ones of the same question."""
    quality, reason = found.ranking or (None, None)
    if quality is not None:
        written, side = percent_of(quality), side_of(quality, 1 / 2)
        if side < 0:
            yield Text(
                "A right sample outranks a wrong one of the same question in {chance} of pairs: "
                "the lowest value would pick better.",
                chance=written,
            )
        elif side == 0:
            yield Text(
                "A right sample outranks a wrong one of the same question in {chance} of pairs. "
                "Tossing a coin gives 50%, so there is no proof that the signal says anything.",
                chance=written,
            )
        else:
            yield Text(
                "A right sample outranks a wrong one of the same question in {chance} of pairs; "
                "tossing a coin gives 50%.",
                chance=written,
            )
    elif reason is not None:
        yield reason


def target_remarks(view: View, names: Iterable[str]) -> Iterator[Text]:
    """Say which intervals are not for these questions, though such are asked for."""
    named = ", ".join(names)
    if view.target == "benchmark" and named:
        yield Text(
            "The intervals of {names} are for questions like these, although another target was "
            "chosen.",
            names=named,
        )


def each_with_names(names: Sequence[str], sentences: Iterable[tuple[str, Text]]) -> Iterator[Text]:
    """Say each sentence once, with the names it is said of where these are not all.

    Examples
    --------
    >>> sentences = [("a", Text("Few.")), ("b", Text("Few.")), ("b", Text("Drawn."))]
    >>> list(map(str, each_with_names("ab", sentences)))
    ['Few.', 'b: Drawn.']
    """
    of: dict[Text, dict[str, None]] = {}
    for name, text in sentences:
        of.setdefault(text, {})[name] = None
    for text, some in of.items():
        if len(some) == len(names):
            yield text
        else:
            yield with_name(Enumerated(some), text)


# What numbers mean together -----------------------------------------------------------------------

LEFT = 0.05
"""What a pick leaves of an oracle that is worth a sentence."""
WELL, BADLY = 0.8, 0.5
"""From where on an order is good, and up to where few questions are solved."""
ALIKE = 0.4
"""Up to here pairs of tokens are said again and again."""


def missed_candidates(found: Examined) -> Iterator[Text]:
    """Say that a pick surely leaves right candidates lying.

    pass@k and selected@k are on one scale. The best score of a question is not: it says what the
    signal says, and so nothing of what is right.
    """
    share = found.efficiency and found.efficiency[0]
    if not share or share.interval is None:
        return
    oracle, picked = found.values("oracle", "picked")
    if share.interval.high < 1 and oracle - picked > LEFT:
        yield Text(
            "The pick misses {left} that an oracle finds: a better selector would gain more "
            "than more candidates. (The best score of each question does not show that: it is "
            "the signal's own, not a share of right answers.)",
            left=points(oracle - picked),
        )


MEANINGS: Mapping[str, Text] = {
    "nDCG@k": Text("the first k, with later places counting less, against the best order"),
    "DCG@k": Text("the gain of the first k, with later places counting less"),
    "first@k": Text("one of the first k as ranked is right"),
    "pass@k": Text("one of any k, drawn at random, is right"),
    "recall@k": Text("gold facts that any k cover"),
    "first-recall@k": Text("gold facts that the first k cover"),
    "any-pass": Text("at least one of all candidates is right, however many a question has"),
    "majority, ties fail": Text("more than half are right; half is not"),
    "majority, ties half": Text("more than half are right; half counts as half"),
    "majority, ties pass": Text("half or more are right"),
    "weighted mean": Text("mean by weights"),
}
"""What each number of lists says, by its name."""


def order_remarks(found: Lists) -> Iterator[Text]:
    """Say why a good order and few solved questions do not contradict one another."""
    numbers = {number.name: number for number in found.numbers}
    order, solved = numbers.get("nDCG@k"), numbers.get("any-pass")
    if order is None or solved is None:
        return
    k = 3 if 3 in order.at else max(order.at)
    (gained, least, _), (passed, _, most) = order.at[k], solved.at[0]
    if least is not None and most is not None and least > WELL and most < BADLY:
        yield Text(
            "nDCG@{k} is {gained}, although only {passed} of the questions have a right "
            "candidate. That is no contradiction: nDCG measures only the order, on questions "
            "that have something to order. Better candidates are needed.",
            k=k,
            gained=percent(gained),
            passed=percent(passed),
        )


def diversity_remarks(found: Diversity) -> Iterator[Text]:
    """Say that candidates repeat one another, and whether that goes with failing."""
    names = {measure.name: measure for measure in found.measures}
    pairs = names.get("distinct-2")
    if pairs is None or pairs.estimate is None or pairs.estimate.interval is None:
        return
    if pairs.estimate.interval.high >= ALIKE:
        return
    share = percent(pairs.estimate.value, *pairs.estimate.interval)
    if pairs.split is not None and side_of(pairs.split.difference) > 0:
        yield Text(
            "Only {share} of all pairs of tokens are new, and questions whose candidates repeat "
            "one another are solved less often: try a higher temperature or other templates.",
            share=share,
        )
    else:
        yield Text(
            "Only {share} of all pairs of tokens are new. There is no proof that questions with "
            "repetitive candidates are solved less often here, so a higher temperature may gain "
            "nothing.",
            share=share,
        )


# Signals and judges -------------------------------------------------------------------------------


def nested_in_words(found: Chosen) -> Iterator[Text]:
    """Say what the choice is worth on questions that had no part in it."""
    nested = found.nested
    yield Text(
        "When one half of the questions chooses among {count} ways to pick and the other half "
        "judges, the result is {value}. All questions together choose {name} with {k}, which "
        "solves {seen} of the same questions; {optimism} of that is luck.",
        count=len(found.names),
        value=percent_of(nested.value),
        name=found.name,
        k=nested.k,
        seen=percent(nested.seen.value),
        optimism=points_of(nested.optimism),
    )
    yield from nested.caveats


def calibration_in_words(found: SignalTrust) -> Iterator[Text]:
    """Say whether the signal means what it says."""
    calibration, _reason = found.calibration
    if calibration is not None:
        yield Text(
            "Read as a probability, it promises {excess} more than comes true. Its calibration "
            "error is {error}; a calibrated signal would have about {chance}. Its Brier score "
            "is {brier:.3f}.",
            excess=points_of(calibration.excess),
            error=points(calibration.error),
            chance=points(calibration.error_by_chance),
            brier=calibration.brier.value,
        )
    judged = found.by_verdict[0]
    if judged is not None:
        yield _overrated(judged, Text("the verdict"))
    for name, other in found.by_other.items():
        yield _overrated(other, Text("{name}", name=name))


def _overrated(found: Optimism, judge: Text) -> Text:
    last = -1
    return Text(
        "It rates its picks among {k} at {claimed} on average, {judge} at {found}. Picking "
        "itself adds {optimism} to that gap.",
        k=int(found.k[last]),
        claimed=percent(float(found.claimed[last])),
        judge=judge,
        found=percent(float(found.found[last])),
        optimism=points(
            float(found.optimism[last]),
            float(found.optimism_low[last]),
            float(found.optimism_high[last]),
        ),
    )


def judge_errors_in_words(found: Judged) -> Text | None:
    """Say how often a judge errs; None where no answer has a label."""
    if found.errors is None:
        return None
    right, wrong = found.errors.sensitivity, found.errors.specificity
    return Text(
        "{judge} agrees with people on {right} of what they call right and on {wrong} of what "
        "they call wrong.",
        judge=found.judge,
        right=percent_of(right),
        wrong=percent_of(wrong),
    )


def correction_remarks(found: Judged) -> tuple[Text, ...]:
    """Say why numbers are corrected as they are, what to label, and what to know before use."""
    return tuple(each_with_names(list(found.numbers), _correction_remarks(found)))


def _correction_remarks(found: Judged) -> Iterator[tuple[str, Text]]:
    divided = False
    for name, (number, reason) in found.numbers.items():
        if number is not None:
            yield name, number.way
            if isinstance(number, Corrected) and not divided:
                yield name, number.division.words
                divided = True
            yield from ((name, caveat) for caveat in number.estimate.caveats)
        elif reason is not None:
            yield name, reason


# The checklist ------------------------------------------------------------------------------------

Status = Literal["done", "missing", "doubtful"]
STATUSES = {"done": Text("done"), "missing": Text("missing"), "doubtful": Text("look")}
_UNREAD = Text("The texts are there but not compared yet.")
_NAMED = 5
"""The most names in a line of the checklist."""
_VERSIONS = ("_version", "prompt_id", "dataset_hash", "dataset_digest")


class Item(NamedTuple):
    """A line of the list."""

    name: Text
    state: Status
    sentence: Text  # What is there, or what to do about it.


def checklist(
    run: Run, found: Examined, picking: Picking, *, calibrated: bool = False, compared: bool = False
) -> tuple[Item, ...]:
    """Say what of a run is seen to, and what is missing; a calibration set may be beside it.

    Texts count as seen to once they are compared.
    """
    made = (
        (Text("How one is taken"), _aggregator(found, picking)),
        (Text("Diversity"), _diversity(run, compared)),
        (Text("Intervals by question"), _intervals(run)),
        (Text("Errors of the judge"), _judge(run, calibrated)),
        (Text("No signal both picks and judges"), _dipping(found)),
        (Text("Segments"), _segments(run)),
        (Text("What a candidate takes"), _costs(found)),
        (Text("Versions"), _versions(run)),
    )
    return tuple(Item(name, *each) for name, each in made)


def _aggregator(found: Examined, picking: Picking) -> tuple[Status, Text]:
    if found.signal is None:
        return "missing", Text(
            "Nothing picks. Give a column of numbers, one for each sample, or use the vote if "
            "that is what your product does."
        )
    if picking.signal:
        return "done", Text("{signal} picks, as chosen.", signal=found.signal)
    return "doubtful", Text(
        "{signal} picks because it is the first column. Choose what your product does.",
        signal=found.signal,
    )


def _diversity(run: Run, compared: bool) -> tuple[Status, Text]:
    measured = [
        name
        for name, there in (
            (Text("texts"), run.has_texts and compared),
            (Text("answers"), run.answers is not None),
            (Text("embeddings"), any(name.endswith("_distance") for name in run.question_columns)),
        )
        if there
    ]
    left = run.has_texts and not compared
    if not measured and left:
        return "missing", _UNREAD
    if not measured:
        return "missing", Text(
            "Give the text of each sample, its answer, or a column of embeddings."
        )
    sentence = Text("Measured on {what}.", what=some_of(map(str, measured), _NAMED))
    return "done", joined([sentence, _UNREAD] if left else [sentence])


def _intervals(run: Run) -> tuple[Status, Text]:
    clusters = outcomes_of(run).clusters
    if clusters is None:
        return "done", Text("A question counts once, however many candidates it has.")
    return "done", Text("Questions that belong together count as one.")


def _judge(run: Run, calibrated: bool) -> tuple[Status, Text]:
    if calibrated or has_labels(run):
        return "done", Text("There are human labels: see the page Trust.")
    return "missing", Text(
        "If a judge gave the verdicts, it is unknown how often it errs. Download the list of "
        "samples to check, fill in human, and load it again."
    )


def _dipping(found: Examined) -> tuple[Status, Text]:
    if found.signal is None:
        return "done", Text("Nothing picks.")
    if found.is_optimistic:
        return "doubtful", Text(
            "{signal} gives the verdicts too, so the pick looks better than it is. Evaluate by "
            "another judge or by people.",
            signal=found.signal,
        )
    return "done", Text("The verdicts are not those of {signal}.", signal=found.signal)


def _segments(run: Run) -> tuple[Status, Text]:
    names = [printable(name) for name in outcomes_of(run).segments]
    if not names:
        return "missing", Text(
            "Give a column named segment, category, subject, level or type: a language, a channel."
        )
    return "done", Text("By {names}: choose one as the segment.", names=some_of(names, _NAMED))


def _costs(found: Examined) -> tuple[Status, Text]:
    if not found.costs:
        return "missing", Text("Give a column tokens_out, latency_s or cost.")
    return "done", Text("The table has {what} for each k.", what=some_of(found.costs, _NAMED))


def _versions(run: Run) -> tuple[Status, Text]:
    names = [
        printable(name)
        for name in run.settings
        if name.endswith(_VERSIONS) or name in ("seed", "dataset_path")
    ]
    if not names:
        return "missing", Text(
            "Give columns with them: judge_version, selector_version, prompt_id, dataset_hash."
        )
    return "done", Text("Recorded: {names}.", names=some_of(names, _NAMED))


# The figure --------------------------------------------------------------------------------------

CANDIDATES_AXIS = Text("k, candidates of a question")


def score_axis(level: float) -> Text:
    """Name the axis of mean scores."""
    return Text("mean score and {level:.4g}% interval, in percent", level=level)


def solved_axis(level: float) -> Text:
    """Name the axis of questions solved."""
    return Text("questions solved and {level:.4g}% interval, in percent", level=level)


def describe_best_of_n(courses: Sequence[Course]) -> Text:
    """Say in words what `charts.best_of_n.best_of_n` shows, for those who do not see it."""
    best = max(courses, key=lambda course: float(course.points.value[-1]))
    return Text(
        "Quality against the number of candidates for {count} way of picking: {name} ends highest, "
        "at {value:.1%} with {k}. The table has the same numbers.",
        "Quality against the number of candidates for {count} ways of picking: {name} ends "
        "highest, at {value:.1%} with {k}. The table has the same numbers.",
        count=len(courses),
        name=best.name,
        value=float(best.points.value[-1]),
        k=int(best.points.x[-1]),
    )
