"""How answers ended, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from charts.shares import ShareBar, SharesWords
from kofn.card import value_of
from kofn.finish_reasons.analysis import METRIC, FinishReasons
from kofn.writing.estimates import SAMPLES_AXIS, percent
from kofn.writing.joining import joined, listed
from metrics.data.results import Estimate
from metrics.data.words import Text
from reports.run.finish_reasons import STATES, Sign, State

NAMES: Mapping[State, Text] = {
    "right": Text("right"),
    "wrong": Text("wrong"),
    "no answer": Text("no answer found"),
    "cut": Text("cut off at a limit"),
    "failed": Text("failed"),
}
SIGNS: Mapping[Sign, Text] = {
    "reason": Text("by the reason that the file gives"),
    "unclosed": Text("by reasoning that is not closed"),
    "stated limit": Text("by as many tokens as the settings allow"),
    "one length": Text("by many samples at exactly one length"),
}
TELLING = 0.01
"""Share of samples from which on it is a caution that they were cut or have no answer."""


def in_words(found: FinishReasons) -> Text:
    """Say how many samples ended how, what is not known, and what that leaves open of the score."""
    counts = listed(_states_in_words(found))
    sentence = Text(
        "{count} sample: {counts}.",
        "{count} samples: {counts}.",
        count=found.samples,
        counts=counts,
    )
    return joined([sentence, *_odd(found), *unknown_in_words(found), *score_bounds(found)])


def heading(every: Sequence[FinishReasons]) -> Text:
    """Say in a few words how the samples of runs ended."""
    cut, none, failed = (
        sum(found.counts[state] for found in every) for state in ("cut", "no answer", "failed")
    )
    phrases = [
        *([Text("{count} cut", count=cut)] if cut else []),
        *([Text("{count} without an answer", count=none)] if none else []),
        *([Text("{count} failed", count=failed)] if failed else []),
    ]
    if not phrases:
        return Text("How the samples ended")
    return Text(
        "How the samples ended: {phrases}, of {all}",
        all=sum(found.samples for found in every),
        phrases=listed(phrases),
    )


def _states_in_words(found: FinishReasons) -> Iterator[Text]:
    for state in STATES:
        count = found.counts[state]
        if not count and state not in ("right", "wrong"):
            continue
        sentence = Text("{count} {state}", count=count, state=NAMES[state])
        if state == "cut":
            signs = listed(SIGNS[sign] for sign in found.signs)
            sentence = Text(
                "{said} ({right} of them right; {signs})",
                said=sentence,
                right=found.cut_right,
                signs=signs,
            )
        yield sentence


def _odd(found: FinishReasons) -> Iterator[Text]:
    """Say how many texts of the run end in a loop, are garbled, or are odd in another way."""
    if loops := found.anomalies.get("repetition"):
        yield Text(
            "{count} text ends in a repetition; {cut} of them cut off.",
            "{count} texts end in a repetition; {cut} of them were cut off.",
            count=loops,
            cut=found.looping_cut,
        )
    if garbled := found.anomalies.get("garbled"):
        yield Text("{count} text is garbled.", "{count} texts are garbled.", count=garbled)
    if rare := found.anomalies.get("rare_character"):
        yield Text(
            "{count} text holds rare characters.",
            "{count} texts hold rare characters.",
            count=rare,
        )
    if broken := found.anomalies.get("nan_value"):
        yield Text(
            "{count} text was drawn from probabilities that are not numbers.",
            "{count} texts were drawn from probabilities that are not numbers.",
            count=broken,
        )


def unknown_in_words(found: FinishReasons) -> Iterator[Text]:
    """Say what the files do not tell."""
    cut, answer = found.known["cut"], found.known["no answer"]
    if not cut and not answer:
        yield Text(
            "It is unknown whether samples were cut off at a limit or have no answer: the files "
            "do not say."
        )
        return
    if not cut:
        yield Text("It is unknown whether samples were cut off at a limit.")
    elif cut < found.every - found.counts["failed"]:
        yield Text(
            "For {count} of {all} samples it is known whether they were cut off.",
            count=cut,
            all=found.every,
        )
    if not answer:
        yield Text("It is unknown whether an answer was found in them.")


def score_bounds(found: FinishReasons) -> Iterator[Text]:
    """Say between which values the score lies, and what it is among answered samples only."""
    if (open_to := found.range) is None:
        return
    yield Text(
        "{metric} is {judged} as judged. {count} sample was cut off, failed or has no answer: "
        "{metric} is {low} if it is wrong and {high} if it is right.",
        "{metric} is {judged} as judged. {count} samples were cut off, failed or have no "
        "answer: {metric} is {low} if all of them are wrong and {high} if all are right.",
        metric=METRIC,
        judged=_written(open_to.judged),
        count=open_to.unsettled,
        low=_written(open_to.all_wrong),
        high=_written(open_to.all_right),
    )
    if open_to.answered is None:
        return
    yield Text(
        "Among answered samples only, it is {value}. This can mislead, because hard questions "
        "end without an answer more often and drop out.",
        value=_written(open_to.answered),
    )
    if open_to.left_out:
        yield Text(
            "It says nothing about {count} question without any answered sample.",
            "It says nothing about {count} questions without any answered sample.",
            count=open_to.left_out,
        )


def caution(found: FinishReasons) -> Text | None:
    """Say what cut samples, and those without an answer, leave open; None where they are few."""
    cut, none = found.counts["cut"], found.counts["no answer"]
    if found.range is None or cut + none <= TELLING * found.samples:
        return None
    phrases = [
        *([_cut(cut, found)] if cut else []),
        *([_without_answer(none, found, beside=bool(cut))] if none else []),
    ]
    return Text(
        "{phrases}; on one try the score is between {low} if all of these are wrong and {high} "
        "if all are right.",
        phrases=listed(phrases),
        low=percent(found.range.all_wrong.value),
        high=percent(found.range.all_right.value),
    )


def _cut(cut: int, found: FinishReasons) -> Text:
    sentence = Text(
        "{count} of {all} was cut off at a limit",
        "{count} of {all} were cut off at a limit",
        count=cut,
        all=_samples(found.samples),
    )
    if not found.cut_right:
        return sentence
    return Text("{said}; {right} of them right nevertheless", said=sentence, right=found.cut_right)


def _without_answer(none: int, found: FinishReasons, *, beside: bool) -> Text:
    if beside:
        return Text("in {count} no answer was found", count=none)
    return Text("In {count} of {all} no answer was found", count=none, all=_samples(found.samples))


def _samples(count: int) -> Text:
    return Text("{count} sample", "{count} samples", count=count)


def _written(estimate: Estimate) -> Text:
    return percent(*value_of(estimate).values())


# The figure --------------------------------------------------------------------------------------


def describe_shares(wholes: Sequence[ShareBar], parts: Sequence[Text]) -> Text:
    """Say in words what `charts.shares.shares` shows, for those who do not see it."""
    first = wholes[0]
    most = max(range(len(parts)), key=lambda place: first.counts[place])
    return Text(
        "{count} bar of the shares of samples that ended in each way; of {name} most are "
        "{part}, {share:.0%}. The table has the numbers.",
        "{count} bars of the shares of samples that ended in each way; of {name} most are "
        "{part}, {share:.0%}. The table has the numbers.",
        count=len(wholes),
        name=first.name,
        part=parts[most],
        share=first.counts[most] / max(1, sum(first.counts)),
    )


def shares_words() -> SharesWords:
    """Return what the figure of finish reasons says."""
    return SharesWords(
        SAMPLES_AXIS,
        lambda name, count, total: Text(
            "{name}: {count} of {all}", name=name, count=count, all=total
        ),
    )
