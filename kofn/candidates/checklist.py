"""What to check before judging candidates: what is done, what is missing, and how to do it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from kofn.candidates.analysis import Examined
from kofn.candidates.choices import Picking
from kofn.candidates.judging import has_labels
from kofn.choices.runs import outcomes_of
from kofn.writing.joining import joined
from kofn.writing.rendering import printable
from metrics.data.words import Text, some_of
from reports.run.report import Run

State = Literal["done", "missing", "doubtful"]
STATES = {"done": Text("done"), "missing": Text("missing"), "doubtful": Text("look")}
UNREAD = Text("The texts are there but not compared yet.")
NAMED = 5
"""The most names in a line."""
_VERSIONS = ("prompt_id", "dataset_hash", "dataset_digest")


class Item(NamedTuple):
    """A line of the list.

    Attributes
    ----------
    name : Text
    state : {"done", "missing", "doubtful"}
    said : Text
        What is there, or what to do about it.
    """

    name: Text
    state: State
    said: Text


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


def _aggregator(found: Examined, picking: Picking) -> tuple[State, Text]:
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


def _diversity(run: Run, compared: bool) -> tuple[State, Text]:
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
        return "missing", UNREAD
    if not measured:
        return "missing", Text(
            "Give the text of each sample, its answer, or a column of embeddings."
        )
    told = Text("Measured on {what}.", what=some_of(map(str, measured), NAMED))
    return "done", joined([told, UNREAD] if left else [told])


def _intervals(run: Run) -> tuple[State, Text]:
    clusters = outcomes_of(run).clusters
    if clusters is None:
        return "done", Text("A question counts once, however many candidates it has.")
    return "done", Text("Questions that belong together count as one.")


def _judge(run: Run, calibrated: bool) -> tuple[State, Text]:
    if calibrated or has_labels(run):
        return "done", Text("There are labels by people: see the page Trust.")
    return "missing", Text(
        "If a judge gave the verdicts, it is unknown how often it errs. Download the list of "
        "samples to check, fill in human, and load it again."
    )


def _dipping(found: Examined) -> tuple[State, Text]:
    if found.signal is None:
        return "done", Text("Nothing picks.")
    if found.is_optimistic:
        return "doubtful", Text(
            "{signal} gives the verdicts too, so the pick looks better than it is. Evaluate by "
            "another judge or by people.",
            signal=found.signal,
        )
    return "done", Text("The verdicts are not those of {signal}.", signal=found.signal)


def _segments(run: Run) -> tuple[State, Text]:
    names = [printable(name) for name in outcomes_of(run).segments]
    if not names:
        return "missing", Text(
            "Give a column named segment, category, subject, level or type: a language, a channel."
        )
    return "done", Text("By {names}: choose one as the segment.", names=some_of(names, NAMED))


def _costs(found: Examined) -> tuple[State, Text]:
    if not found.costs:
        return "missing", Text("Give a column tokens_out, latency_s or cost.")
    return "done", Text("The table has {what} for each k.", what=some_of(found.costs, NAMED))


def _versions(run: Run) -> tuple[State, Text]:
    names = [printable(name) for name in run.settings if _is_version(name)]
    if not names:
        return "missing", Text(
            "Give columns with them: judge_version, selector_version, prompt_id, dataset_hash."
        )
    return "done", Text("Recorded: {names}.", names=some_of(names, NAMED))


def _is_version(name: str) -> bool:
    return name.endswith(("_version", *_VERSIONS)) or name in ("seed", "dataset_path")
