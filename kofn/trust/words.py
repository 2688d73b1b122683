"""Sentences about whether a number can be trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter

from charts.causes import CauseBar, CausesWords
from charts.readings import ReadingRow, ReadingsWords
from kofn.card import are_counted, cards_found, limits
from kofn.leaderboard.words import with_assumption
from kofn.trust.causes import Cause, by_chance
from kofn.trust.checks import Check, OtherSetting
from kofn.trust.doubts import USUAL, Claim, DoubtCard, Doubts, Guesses, claims
from kofn.trust.labels import Planned
from kofn.trust.over_datasets import mean_trust
from kofn.trust.result import Trust, TrustCard, doubtful
from kofn.writing.estimates import NA, percent, percent_of, points, span, value_axis
from kofn.writing.joining import in_a_row, joined, listed, with_name
from kofn.writing.layout import short_name
from kofn.writing.settings import written
from metrics import Labelled, Reproduction
from metrics.data.counts import NEEDS_SAMPLES
from metrics.data.words import Text, printable, some_of
from metrics.scoring.registry import find_metric
from reports.readings.kinds import KINDS

NOTHING = Text("No run here has verdicts that could be looked at.")
UNREAD = Text("No run here keeps texts whose final answers can be read.")
OWN = Text("kofn judged this run itself, so that its readings are no second opinion.")
POINT = 0.01
"""From how wide a range on it is said."""
NAMED = 2
"""Causes that the first sentence names beside chance."""
EXPLAINING = 3
"""Causes that are named where a number is not as expected."""
MEANINGS = {
    "agrees": Text("the final answer of the text agrees with the verdict"),
    "missed": Text("judged wrong, though the text ends by stating the reference"),
    "generous": Text("judged right, though the text states another answer"),
    "divided": Text("the text states several answers"),
    "unsupported": Text("no final answer is found in the text"),
}
"""What each kind of verdict is."""
KINDS_CALLED = {
    "agrees": Text("agrees"),
    "missed": Text("missed"),
    "generous": Text("generous"),
    "divided": Text("divided"),
    "unsupported": Text("unsupported"),
}
"""What each kind of verdict is called."""
CAUSES = {
    "chance": Text("chance"),
    "missed": Text("missed verdicts"),
    "generous": Text("generous verdicts"),
    "divided": Text("texts with several answers"),
    "unsupported": Text("texts without an answer"),
    "cut": Text("cut answers"),
    "failed": Text("failed requests"),
    "aggregation": Text("wrong averaging by the tool"),
    "references": Text("references worth checking"),
    "replicas": Text("replicas that stand out"),
    "missing": Text("missing questions"),
    "doubled": Text("questions that stand twice"),
    "others": Text("questions that only one of the two has"),
    "rule": Text("another rule of judging"),
    "settings": Text("other settings"),
}
"""What each cause is called."""
VERDICTS = {
    "holds": Text("holds by every reading"),
    "rests": Text("rests on which answers are taken"),
    "turns": Text("turns round as read"),
    "open": Text("too close to call as judged"),
}
"""What becomes of a difference of two runs."""
PASSED = {True: Text("Passed"), False: Text("Failed"), None: Text("Not decided")}
"""What a margin rules."""
FINDINGS = {
    "agrees": Text("agrees"),
    "reproduced": Text("reproduced"),
    "lower": Text("surely lower"),
    "higher": Text("surely higher"),
    "open": Text("cannot tell"),
}
"""What is found of an expected number."""


def answer(cards: Sequence[TrustCard], claimed: Sequence[Claim] | None = None) -> Text:
    """Say whether numbers are as expected, or else what may have moved the one moved most.

    That is of a model over the datasets that all ran on, where there are such; then comes the run
    whose number may be moved most.

    claimed: What `claims` found of them, where that is known.
    """
    checks = [(card, check) for card in cards if card.found for check in card.found.checks]
    if checks:
        return checks_in_words(checks)
    card = card_to_open(cards)
    if card is None:
        return NEEDS_SAMPLES if cards and are_counted(cards) else NOTHING
    sentence = joined([score_in_words(card), *_largest_of_runs(cards, card)])
    order = _order([*claims(doubtful(cards))] if claimed is None else claimed)
    return sentence if order is None else joined([sentence, order])


def card_to_open(cards: Sequence[TrustCard]) -> TrustCard | None:
    """Return the card to open with, `most_moved_card` of models over datasets or else of runs."""
    return most_moved_card(mean_trust(cards)) or most_moved_card(cards)


def most_moved_card(cards: Sequence[TrustCard]) -> TrustCard | None:
    """Return the card whose number may be moved most by more than chance; None without any.

    Where none is moved by a point it is the one of the most questions, and of these the highest.
    """

    def size(card: TrustCard) -> tuple[float, ...]:
        found = card.found
        if found is None:
            return ()
        reach = found.reach if found.reach >= POINT else 0.0
        return reach, found.judged.n_questions, found.judged.value

    return max((card for card in cards if card.found), key=size, default=None)


def _largest_of_runs(cards: Sequence[TrustCard], shown: TrustCard) -> Iterator[Text]:
    """Name the run whose number may be moved most, beside the average of a model."""
    card = most_moved_card(cards) if shown.over else None
    if card is None or card.found is None or card.found.reach < POINT:
        return
    yield Text(
        "Most in doubt is {run} with {value}: {others}.",
        run=short_name(card.key),
        value=percent(card.found.judged.value),
        others=in_a_row([phrase for _reach, phrase in _causes_in_words(card.found)[:NAMED]]),
    )


def score_in_words(card: TrustCard) -> Text:
    """Say what a run scores, and what could move that."""
    assert card.found is not None
    found = card.found
    first = with_assumption(card.assumed, _scored(card, found))
    others = _causes_in_words(found)
    telling = [phrase for reach, phrase in others if reach >= POINT][:NAMED]
    chance = Text("Chance alone moves that by {most}", most=points(by_chance(found.judged).reach))
    if telling:
        second = Text("{chance}, {others}.", chance=chance, others=in_a_row(telling))
    elif others:
        second = Text(
            "{chance}; nothing else that was found moves it by {most} or more.",
            chance=chance,
            most=points(POINT),
        )
    else:
        second = Text("{chance}; nothing else was found that could.", chance=chance)
    return joined([first, second])


def _scored(card: TrustCard, found: Trust) -> Text:
    """Say what a run scores."""
    value, model, dataset = (
        percent_of(found.judged),
        printable(card.run.model),
        printable(card.run.dataset),
    )
    if card.over and found.asked.metric == USUAL:
        return Text(
            "{model} solves {value} on average over {count} datasets.",
            model=short_name(model),
            value=value,
            count=len(card.over),
        )
    if found.asked.metric == USUAL and card.key == f"{model} / {dataset}":
        if model == dataset:
            return Text("{name} solves {value} on one try.", name=short_name(model), value=value)
        return Text(
            "{model} solves {value} of {dataset}.",
            model=short_name(model),
            value=value,
            dataset=short_name(dataset),
        )
    label = find_metric(found.asked.metric).label(found.asked.k)
    if card.over:
        return Text(
            "{model} has {metric} {value} on average over {count} datasets.",
            model=short_name(model),
            metric=label,
            value=value,
            count=len(card.over),
        )
    return Text("{run} has {metric} {value}.", run=short_name(card.key), metric=label, value=value)


def _causes_in_words(found: Trust) -> list[tuple[float, Text]]:
    """Return phrases of all causes beside chance, the largest first; verdicts are one."""
    phrases = [
        (cause.reach, Text("{cause} {by}", cause=CAUSES[cause.kind], by=points_moved(cause)))
        for cause in found.causes
        if cause.kind not in ("chance", "settings", *KINDS)
    ]
    if (whole := found.verdicts) is not None:
        phrases.append((whole.reach, Text("doubtful verdicts {by}", by=points_moved(whole))))
    return sorted(phrases, key=lambda each: -each[0])


def points_moved(cause: Cause) -> Text:
    """Say by how many points a cause moves a number."""
    if cause.kind == "chance":
        return Text("by {most} either way", most=points(cause.reach))
    if not cause.reach:
        is_open = cause.kind == "settings"
        return Text("by points that nobody knows") if is_open else Text("not at all")
    if cause.is_sure or abs(cause.high - cause.low) < POINT / 100:
        return Text("by {by}", by=_signed(cause.high))
    if min(abs(cause.low), abs(cause.high)) < POINT / 1000:
        return Text("by up to {by}", by=_signed(max(cause.low, cause.high, key=abs)))
    return Text("by {low} to {high}", low=_number(cause.low), high=_signed(cause.high))


def _signed(difference: float) -> Text:
    return Text("{sign}{points}", sign="+" if difference > 0 else "", points=points(difference))


def _number(difference: float) -> str:
    return ("+" if difference > 0 else "") + str(points(difference)).partition(" ")[0]


def count_in_words(cause: Cause) -> Text:
    """Say of how many samples, questions or replicas a cause is."""
    if not cause.count:
        return Text("")
    return Text("{count} of {all}", count=cause.count, all=cause.all)


def cause_detail(cause: Cause) -> Text:
    """Say what the pointer shows of a cause."""
    number = count_in_words(cause)
    return Text(
        "{cause}: moves the number {by}{count}",
        cause=CAUSES[cause.kind],
        by=points_moved(cause),
        count=_in_brackets(number),
    )


# --- an expected number


def checks_in_words(checks: Sequence[tuple[TrustCard, Check]]) -> Text:
    """Say whether all numbers are as expected; of one in full, of several which are not."""
    if len(checks) == 1:
        card, check = checks[0]
        return with_name(run_and_metric(card, check), in_words(check))
    verdicts = [check.passed for _, check in checks]
    wrong = [
        (abs(check.found.difference), card, check)
        for card, check in checks
        if check.found is not None and check.passed is False
    ]
    good, bad, unclear = (verdicts.count(state) for state in (True, False, None))
    sentences = [Text("{count} of {all} numbers are as expected.", count=good, all=len(checks))]
    if wrong:
        _by, card, check = max(wrong, key=itemgetter(0))
        sentences.append(
            Text(
                "{count} differs: {whose}: {why}",
                "{count} differ, most of all {whose}: {why}",
                count=bad,
                whose=run_and_metric(card, check),
                why=verdict_in_words(check),
            )
        )
        sentences += list(explanations(check))[:1]
    if unclear:
        sentences.append(Text("Of {count} the data cannot tell.", count=unclear))
    return joined(sentences)


def run_and_metric(card: TrustCard, check: Check) -> Text:
    """Name the run that a number is expected of, and its metric."""
    return Text("{run}, {metric}", run=short_name(card.key), metric=check.expected.label)


def in_words(check: Check) -> Text:
    """Say whether a number is as expected, and if not what may explain it."""
    sentences = [verdict_in_words(check), *explanations(check)]
    if check.found is None or check.found.margin is None:
        return joined(sentences)
    return with_name(PASSED[check.passed], joined(sentences))


def verdict_in_words(check: Check) -> Text:
    """Say in one sentence whether a number is as expected."""
    if check.found is None:
        return check.reason or NA
    if check.same is not None:
        return _of_one_set(check, check.found)
    sentence = _ACCEPTED if check.found.margin is not None else _SAID
    return sentence[check.found.finding](check, check.found)


def _stated_value(check: Check, found: Reproduction) -> Text:
    if check.twin is None:
        return Text("stated {value}", value=check.expected.value)
    value = percent(found.stated.value)
    return Text("{value} of {run}", value=value, run=short_name(check.twin.key))


def _agrees(check: Check, found: Reproduction) -> Text:
    return Text(
        "{mine} agrees with the {stated}: two honest runs {of} differ by up to {most}.",
        mine=percent(found.mine.value),
        stated=_stated_value(check, found),
        of=_honest_runs(found),
        most=points(found.by_chance),
    )


def _honest_runs(found: Reproduction) -> Text:
    """Say which two honest runs are meant."""
    questions = found.mine.n_questions
    if found.mine.target == "population":
        return Text("on {questions} questions like these", questions=questions)
    if found.stated_n == found.n:
        return Text(
            "of {count} sample on these {questions} questions",
            "of {count} samples on these {questions} questions",
            count=found.n,
            questions=questions,
        )
    return Text(
        "of {mine} and of {other} on these {questions} questions",
        questions=questions,
        mine=_samples(found.n),
        other=_samples(found.stated_n),
    )


def _samples(n: int | None) -> Text:
    if n is None:
        return Text("one or more")
    return Text("{count} sample", "{count} samples", count=n)


def _lower(check: Check, found: Reproduction) -> Text:
    return Text(
        "{mine} is surely lower than the {stated}, by {by}.",
        mine=percent(found.mine.value),
        stated=_stated_value(check, found),
        by=_points_between(found),
    )


def _higher(check: Check, found: Reproduction) -> Text:
    return Text(
        "{mine} is surely higher than the {stated}, by {by}.",
        mine=percent(found.mine.value),
        stated=_stated_value(check, found),
        by=_points_between(found),
    )


def _points_between(found: Reproduction) -> Text:
    """Say between how many points mine is lower or higher."""
    low, high = sorted(abs(end) for end in found.interval)
    return Text("{low} to {high}", low=str(points(low)).partition(" ")[0], high=points(high))


def _depends(check: Check, found: Reproduction) -> Text:
    """Say that one sample behind the stated number allows for what many do not."""
    sentence = Text(
        "Cannot tell whether {mine} is the {stated}: that depends on how many samples a question "
        "are behind it. With one, chance explains the difference; with many, it does not.",
        mine=percent(found.mine.value),
        stated=_stated_value(check, found),
    )
    if check.twin is not None or check.expected.metric != USUAL:
        return sentence
    how = Text("If it is the mean of 8, write avg@8={value}.", value=check.expected.value)
    return joined([sentence, how])


def _reproduced(check: Check, found: Reproduction) -> Text:
    return Text(
        "{mine} reproduces the {stated} within {margin}; it is at most {least} lower.",
        mine=percent(found.mine.value),
        stated=_stated_value(check, found),
        margin=points(found.margin),
        least=points(max(0.0, -found.interval.low)),
    )


def _rejected(check: Check, found: Reproduction) -> Text:
    return Text(
        "{mine} is surely more than {margin} lower than the {stated}: by {by}.",
        mine=percent(found.mine.value),
        stated=_stated_value(check, found),
        margin=points(found.margin),
        by=_points_between(found),
    )


def _undecided(check: Check, found: Reproduction) -> Text:
    sentence = Text(
        "{mine} may be up to {most} lower than the {stated}; up to {margin} is accepted.",
        mine=percent(found.mine.value),
        stated=_stated_value(check, found),
        most=points(max(0.0, -found.interval.low)),
        margin=points(found.margin),
    )
    samples = found.samples_to_decide
    if samples is None:
        more = Text("No number of further samples would decide: the expected one is too uncertain.")
        if found.mine.target == "population":
            more = Text("More questions would decide, not more samples.")
    else:
        more = Text("About {count} samples a question would decide.", count=samples)
    return joined([sentence, more])


_SAID: Mapping[str, Callable[[Check, Reproduction], Text]] = {
    "agrees": _agrees,
    "lower": _lower,
    "higher": _higher,
    "open": _depends,
}
_ACCEPTED: Mapping[str, Callable[[Check, Reproduction], Text]] = {
    "reproduced": _reproduced,
    "lower": _rejected,
    "open": _undecided,
}


def _of_one_set(check: Check, found: Reproduction) -> Text:
    """Say what a rule changed of one set of answers."""
    assert check.same is not None
    same = check.same
    return Text(
        "{run} holds the same answers under another rule, so no difference is chance: "
        "{value} there, {mine} here. Of {shared} verdicts {lost} became wrong and {gained} "
        "right.",
        run=short_name(check.twin.key if check.twin else ""),
        value=percent(found.stated.value),
        mine=percent(found.mine.value),
        shared=same.shared,
        lost=len(same.to_wrong),
        gained=len(same.to_right),
    )


def explanations(check: Check) -> Iterator[Text]:
    """Say what may explain a number that is not as expected."""
    if check.found is None:
        return
    if check.same is not None:
        theirs, mine = check.twin.rules if check.twin else (None, None)
        if theirs is not None and mine is not None and theirs != mine:
            yield Text(
                "There all verdicts are what this rule gives: {theirs}. Here: {mine}.",
                theirs=theirs,
                mine=mine,
            )
        return
    if check.passed is True:
        return
    enough = check.enough[:EXPLAINING]
    known = [cause for cause in check.causes if cause.kind not in ("chance", "settings")]
    if enough:
        yield Text("What could explain it: {causes}.", causes=listed(map(_blamed, enough)))
    elif not check.found.interval.low <= 0 <= check.found.interval.high:
        yield (
            Text(
                "No known cause reaches it; the largest, {cause}, moves the number {by}.",
                cause=CAUSES[known[0].kind],
                by=points_moved(known[0]),
            )
            if known
            else Text("No cause was found that moves the number.")
        )
    if check.settings:
        yield Text(
            "Settings differ: {settings}.", settings=listed(map(setting_in_words, check.settings))
        )


def _blamed(cause: Cause) -> Text:
    count = _in_brackets(count_in_words(cause))
    return Text(
        "{cause}, {by}{count}", cause=CAUSES[cause.kind], by=points_moved(cause), count=count
    )


def _in_brackets(sentence: Text) -> Text:
    return Text(" ({said})", said=sentence) if sentence.template else sentence


def settings_in_words(check: Check) -> Iterator[Text]:
    """Say of each setting that is not as stated what it is, and what that usually does."""
    for each in check.settings:
        yield Text(
            "{setting}{effect}.",
            setting=setting_in_words(each),
            effect=_effect(each, check.cut) or Text(""),
        )


def setting_in_words(each: OtherSetting) -> Text:
    """Set a setting of a run against the one that is stated.

    Examples
    --------
    >>> for mine in (None, 0.7):
    ...     print(setting_in_words(OtherSetting("temperature", mine, 0.2)))
    temperature is not known; the source states 0.2
    temperature 0.7; the source states 0.2
    """
    name, stated = printable(each.name), written(each.stated)
    if each.mine is None:
        return Text("{name} is not known; the source states {stated}", name=name, stated=stated)
    return Text(
        "{name} {mine}; the source states {stated}",
        name=name,
        mine=written(each.mine),
        stated=stated,
    )


def _effect(each: OtherSetting, cut: float | None) -> Text | None:
    """Say what a setting that differs usually does."""
    mine, stated = each.mine, each.stated
    known = isinstance(mine, int | float) and isinstance(stated, int | float)
    if each.name == "max_tokens" and known and mine < stated:  # type: ignore[operator]
        if cut is None:
            return Text("; longer answers are cut, and most of those are judged wrong")
        return Text("; {cut} of your answers are cut", cut=percent(cut))
    if each.name == "temperature" and mine == 0:
        return Text("; without sampling all samples of a question are copies of one answer")
    return _EFFECTS.get(each.name)


_EFFECTS = {
    "temperature": Text(
        "; a higher temperature usually makes single answers worse and pass@k better"
    ),
    **dict.fromkeys(("top_p", "top_k"), Text("; a lower one usually makes samples more alike")),
    "n": Text("; avg@n has the same value at any n, votes and pass@n have not"),
    "shots": Text("; examples in the prompt often move a score by several points"),
    "prompt_version": Text("; another prompt is another test"),
    **dict.fromkeys(
        ("evaluator", "postprocessor"),
        Text("; another one gives other verdicts on the same answers"),
    ),
    "dataset_version": Text("; another version may have other questions or references"),
    "split": Text("; these are other questions"),
}


def ruling_in_words(card: TrustCard, check: Check) -> Text:
    """Say what a gate rules of a number."""
    return with_name(run_and_metric(card, check), verdict_in_words(check))


# --- verdicts and texts


def contradictions_in_words(cards: Sequence[DoubtCard]) -> Text:
    """Say how many verdicts contradict their texts."""
    found = [card.found for card in cards if card.found is not None]
    if not found:
        return UNREAD
    read, wrong = sum(each.audit.read for each in found), sum(each.wrong for each in found)
    if wrong:
        return Text(
            "{share} of {read} verdicts contradict the text.",
            share=percent(wrong / read),
            read=read,
        )
    return Text("None of {read} verdicts contradicts its text.", read=read)


def _order(found: Sequence[Claim]) -> Text | None:
    """Say which comparisons do not survive; None where all do, or there are none."""
    turned = [claim for claim in found if claim.verdict == "turns"]
    if turned:
        winner, loser, dataset = map(short_name, _as_read(turned[0]))
        if len(found) == 1:
            return Text(
                "If the verdicts that contradict their texts were corrected, {winner} would lead "
                "{loser}, not the other way round.",
                winner=winner,
                loser=loser,
            )
        first = Text(
            ": {winner}, not {loser}, on {dataset}", winner=winner, loser=loser, dataset=dataset
        )
        return Text(
            "If the verdicts that contradict their texts were corrected, another model would lead "
            "in {count} of {all} comparisons of two models{which}.",
            count=len(turned),
            all=len(found),
            which=first if len(turned) == 1 else Text(""),
        )
    resting = [claim for claim in found if claim.verdict == "rests"]
    if len(resting) == len(found) == 1:
        one, other = map(short_name, map(printable, resting[0].models))
        return Text(
            "Whether {one} or {other} is better depends on which answers count.",
            one=one,
            other=other,
        )
    if resting:
        return Text(
            "Which model is better depends on which answers count in {resting} of {all} "
            "comparisons{which}.",
            resting=len(resting),
            all=len(found),
            which=_pair_of_claim(resting),
        )
    return None


def _as_read(claim: Claim) -> tuple[str, str, str]:
    """Return who leads as the texts read, who does not, and on which dataset."""
    first, second = map(printable, claim.models)
    ahead = (second, first) if claim.read.value > 0 else (first, second)
    return (*ahead, printable(claim.dataset))


def _pair_of_claim(found: Sequence[Claim]) -> Text:
    """Name a comparison, unless there are several: the table has them."""
    if len(found) > 1:
        return Text("")
    return Text(": {pair}", pair=claim_name(found[0]))


def doubts_in_words(cards: Sequence[DoubtCard]) -> Iterator[Text]:
    """Say which numbers verdicts move by a point or more, and which orders they change."""
    moved = [(card, found) for card, found in cards_found(cards) if found.moved >= POINT]
    if moved:
        card, found = max(moved, key=lambda each: each[1].moved)
        yield Text(
            "Verdicts contradict the texts: {run} has {judged} as judged and {read} as its texts "
            "read.",
            "Verdicts contradict the texts of {count} runs; furthest off is {run}, with {judged} "
            "as judged and {read} as its texts read.",
            count=len(moved),
            run=short_name(card.key),
            judged=percent(found.judged.value),
            read=percent(found.read.value),
        )
    if (order := _order([*claims(cards)])) is not None:
        yield order


def claim_name(claim: Claim) -> Text:
    """Name the two models of a comparison, and their dataset."""
    first, second = claim.models
    return Text(
        "{first} and {second} on {dataset}",
        first=short_name(first),
        second=short_name(second),
        dataset=short_name(claim.dataset),
    )


def doubtful_in_words(found: Doubts) -> list[Text]:
    """Say what doubtful verdicts do to the number of a run, and what is guessed in it."""
    low, high = limits(found.least)[0], limits(found.most)[1]
    sentences = [
        Text(
            "as judged {judged}; as read {read}; between {least} and {most} whatever divided and "
            "unsupported answers are worth",
            judged=percent_of(found.judged),
            read=percent_of(found.read),
            least=_end(found.least.value, low),
            most=_end(found.most.value, high),
        )
    ]
    if found.guesses is not None:
        sentences.append(guesses_in_words(found.guesses))
    if found.audit.run.rule is not None:
        sentences.append(OWN)
    if found.labelled is not None:
        sentences += [correction_in_words(found.labelled), *found.labelled.estimate.caveats]
    return sentences


def _end(value: float, end: float | None) -> Text:
    return (
        percent(value)
        if end is None
        else Text("{value} ({end})", value=percent(value), end=percent(end))
    )


def guesses_in_words(found: Guesses) -> Text:
    """Say how much of a number is guessing."""
    return Text(
        "Of {answers} answers that state no option {right} are judged right, as guessing among "
        "{options} gives: {points} of the average.",
        answers=found.answers,
        right=found.right,
        options=found.options,
        points=points(found.share),
    )


def reading_detail(name: str, found: Doubts) -> Text:
    """Say what the pointer shows of a run in the picture of its readings."""
    return Text(
        "{run}: {judged} as judged, {read} as read, {between} by what divided answers are worth",
        run=name,
        judged=percent_of(found.judged),
        read=percent_of(found.read),
        between=span(found.least.value, found.most.value),
    )


def none_read(run: str) -> Text:
    """Say that no text of a run tells whether its verdicts hold."""
    return Text("{run}: no final answer was found in its texts.", run=short_name(run))


def doubtful_share(run: str, share: float, most: float) -> Text:
    """Say which share of the verdicts of a run contradict their texts, and which may."""
    return Text(
        "{run}: {share} of the verdicts contradict their texts; {most} may.",
        run=short_name(run),
        share=percent(share),
        most=percent(most),
    )


# --- labels


def plan_in_words(found: Planned | None) -> Text | None:
    """Say what so many labels would give; None where nothing was read."""
    if found is None:
        return None
    given = (Text("{count} give {half}", count=count, half=points(half)) for count, half in found)
    return Text(
        "What labels would make of the interval of avg@n, to either side and chance included: "
        "{given}.",
        given=some_of(map(str, given), len(found)),
    )


def correction_in_words(found: Labelled) -> Text:
    """Say what labels make of a number."""
    return Text(
        "By {count} label avg@n is {value}; as judged it is {judged}.",
        "By {count} labels avg@n is {value}; as judged it is {judged}.",
        count=found.labels,
        value=percent_of(found.estimate),
        judged=percent_of(found.observed),
    )


# The figure --------------------------------------------------------------------------------------


def describe_causes(bars: Sequence[CauseBar]) -> Text:
    """Say in words what `charts.causes.causes` shows, for those who do not see it."""
    first = bars[0]  # chance moves every number
    return Text(
        "{count} cause that may move the number; the largest is {name}.",
        "{count} causes that may move the number; the largest is {name}.",
        count=len(bars),
        name=first.name,
    )


def describe_readings(rows: Sequence[ReadingRow]) -> Text:
    """Say in words what `charts.readings.readings` shows, for those who do not see it."""
    if not rows:
        return Text("Chart without any run.")
    most = max(rows, key=lambda row: abs(row.read - row.judged))
    return Text(
        "{count} run as judged and as its texts read; {name} changes most, from {judged:.1%} to "
        "{read:.1%}.",
        "{count} runs as judged and as their texts read; {name} changes most, from {judged:.1%} to "
        "{read:.1%}.",
        count=len(rows),
        name=most.name,
        judged=most.judged,
        read=most.read,
    )


def causes_words() -> CausesWords:
    """Return what the figure of causes says."""
    return CausesWords(
        Text("moves it surely"),
        Text("could move it"),
        Text("Moves the number by, in points"),
        lambda value: Text("{value:.1%}", value=value),
        lambda value: Text("expected {value:.1%}", value=value),
    )


def readings_words() -> ReadingsWords:
    """Return what the figure of what texts read says."""
    return ReadingsWords(Text("As judged"), Text("As its texts read"), value_axis)
