"""Sentences about references that are worth checking."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from kofn.references.analysis import References
from kofn.writing.estimates import MINUS
from kofn.writing.joining import joined, listed, some
from kofn.writing.layout import short_name
from metrics import Suspect
from metrics.analyses.references.label_errors import REASONS, Reason
from metrics.data.words import Text, printable

NAMES: Mapping[Reason, Text] = {
    "agreed": Text("Models agree on one wrong answer"),
    "inverse": Text("Better models do worse"),
    "never": Text("Nobody ever succeeds"),
}
LOOK_ALIKE = Text(
    "A hard question and a common mistake look the same, and models of one family share mistakes: "
    "read them."
)
_LETTERS = 80


def answer(found: References) -> Text:
    """Say how many questions are worth checking, and why.

    Examples
    --------
    >>> from kofn.choices.view import View
    >>> from kofn.references.analysis import check
    >>> from metrics import Outcomes
    >>> from reports import Run
    >>> runs = {name: Run(name, "maths", Outcomes([[0], [1], [1]])) for name in ("a", "b")}
    >>> str(answer(check(runs, View())))
    'Of 3 questions no sample of the 2 models solves 1.'
    """
    counts = {reason: len(found.suspects.of({reason})) for reason in REASONS}
    every, models = found.suspects.n_questions, len(found.names)
    sentences = []
    if counts["agreed"]:
        sentences.append(
            Text(
                "on {count} the models agree on one wrong answer, more than chance explains",
                count=counts["agreed"],
            )
        )
    if counts["inverse"]:
        sentences.append(Text("on {count} better models surely do worse", count=counts["inverse"]))
    never = Text(
        "no sample of the {models} models solves {count}", models=models, count=counts["never"]
    )
    if not sentences:
        return Text("Of {all} questions {never}.", all=every, never=never)
    if counts["never"]:
        sentences.append(never)
    return Text("Of {all} questions, {why}.", all=every, why=listed(sentences))


def reasons_in_words(suspect: Suspect, found: References) -> Text:
    """Say why a question is suspected."""
    return joined(list(_reasons(suspect, found)))


def _reasons(suspect: Suspect, found: References) -> Iterator[Text]:
    if suspect.agreed is not None:
        agreed = suspect.agreed
        yield Text(
            "{count} of {all} models say {answer}: {models}.",
            count=len(agreed.runs),
            all=len(found.names),
            answer=printable(agreed.answer)[:_LETTERS],
            models=some(found.names[key] for key in agreed.runs),
        )
    if suspect.inverse is not None:
        tau, (low, high) = suspect.inverse
        yield Text(
            "Better models do worse: tau {tau} ({low} to {high}).",
            tau=_signed(tau),
            low=_signed(low),
            high=_signed(high),
        )
    if suspect.never:
        yield Text(
            "Its only sample is wrong.",
            "None of {count} samples is right.",
            count=suspect.samples,
        )


def _signed(number: float) -> str:
    return f"{number:.2f}".replace("-", MINUS)


def exclusions(reasons: Collection[Reason]) -> Text:
    """Say which questions are left out of the numbers beside, and why these have no interval."""
    return Text(
        "Left out: {reasons}. These numbers have no interval, as the questions were chosen by the "
        "very outcomes.",
        reasons=listed([NAMES[each] for each in REASONS if each in reasons]),
    )


def remarks(found: References) -> Iterator[Text]:
    """Say what these runs cannot tell, and what is to be known of the list."""
    yield from found.suspects.unknown.values()
    if found.suspects.n_dropped:
        yield Text(
            "{count} question that not all models have is not looked at.",
            "{count} questions that not all models have are not looked at.",
            count=found.suspects.n_dropped,
        )
    if found.left_out:
        yield Text(
            "Left out, since nothing tells that they were asked the same: {runs}.",
            runs=some(map(short_name, found.left_out)),
        )
    if found.suspects.questions:
        yield LOOK_ALIKE
