"""Repeated runs as samples of one run, where they differ only by chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, combinations
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from metrics.data.counts import NEEDS_SAMPLES
from metrics.data.facts import Facts
from metrics.data.outcomes import Outcomes
from metrics.data.words import Enumerated, MetricError, Text, some_of
from reports.files.errors import LoadError
from reports.files.notes import Note, Unfinished
from reports.files.once import Once
from reports.files.progress import Progress
from reports.json_files.interned import CUT
from reports.run.differing import shared_settings, unlike_settings, unstated_parts
from reports.run.labels import Labels
from reports.run.matching import Match, match
from reports.run.report import Evidence, Report, Run
from reports.run.texts import QuestionTexts, Store

T = TypeVar("T")

NO_SHARE = ("n", "seed")
"""Settings of a run that say nothing of several together."""
_NAMED = 6
"""Settings that are named of those in which two runs differ."""
_NONE = -1
"""In place of a word, in `Labels`."""


def combine(runs: Iterable[Run], progress: Progress | None = None) -> Run:
    """Join runs of one model on the same questions into one run with all their samples.

    Parameters
    ----------
    runs : iterable of Run
        Two or more; their samples are kept in this order.
    progress : callable, optional
        As for `match`.

    Returns
    -------
    Run
        With the settings that all share, the answers, scores and columns that all have, and the
        labels that any has. ``reported`` is empty: no file states a number for all samples.

    Raises
    ------
    MetricError
        If they are not of one model and dataset, do not have the same questions, prompts and
        references, differ in how they were made (see ``unlike_settings``), or are copies. What only
        some of them state is no difference, and a Note names it.
    LoadError
        If a file was removed or changed since it was loaded.

    Examples
    --------
    >>> from kofn.metrics import Outcomes
    >>> once = [Run("7B", "aime", Outcomes([[one], [0]]), settings={"seed": one}) for one in (0, 1)]
    >>> combine(once).outcomes.correct.tolist()
    [[0, 1], [0, 0]]
    """
    each = tuple(runs)
    if len(each) < 2:
        raise MetricError(Text("Joining needs at least two runs."))
    if any(run.counts is not None for run in each):
        raise MetricError(NEEDS_SAMPLES)
    matches = [match(each[0], other, progress) for other in each[1:]]
    for other, matched in zip(each[1:], matches, strict=True):
        _require_like(each[0], other, matched)
    for run, second in combinations(each, 2):
        _require_settings(run, second)
    first = each[0]
    outcomes = [run.outcomes for run in each if run.outcomes is not None]
    places = [other.questions.places(outcomes[0].questions) for other in outcomes]
    for (x, a), (y, b) in combinations(zip(outcomes, places, strict=True), 2):
        _require_no_copy(x, a, y, b)
    joined = replace(
        first,
        outcomes=_joined(outcomes, places),
        reported={},
        explanations={},
        notes=tuple(_notes(each)),
        verified=_all_verified(each),
        grouping=_grouping(each, matches),
        source=", ".join(dict.fromkeys(run.source for run in each if run.source)),
        time=max((run.time for run in each if run.time), default=None),
        settings={
            name: value for name, value in shared_settings(each).items() if name not in NO_SHARE
        },
        **_beside_outcomes(each, places),
    )
    if (known := first.digests.known) is not None:
        joined.digests.get(lambda: known)
    return joined


def join_repeated_runs(
    reports: Sequence[Report], progress: Progress | None = None
) -> tuple[list[Report], list[Text]]:
    """Join all runs of the same model and dataset, each in the report of its first.

    Returns: The reports, with a joined run in place of several; and for each model and dataset
    whose runs stay as they are, why they cannot be joined.
    """
    joined: dict[int, Run | None] = {}
    refused: list[Text] = []
    for group in repeated_runs(reports):
        try:
            whole = combine(group, progress)
        except (MetricError, LoadError) as error:
            refused.append(
                Text(
                    "The {count} runs of {model} on {dataset} cannot be joined as samples of "
                    "one run: {why}",
                    count=len(group),
                    model=group[0].model,
                    dataset=group[0].dataset,
                    why=error.text,
                )
            )
        else:
            joined |= {id(run): None for run in group[1:]} | {id(group[0]): whole}
    return [_with_joined(report, joined) for report in reports], refused


def _with_joined(report: Report, joined: Mapping[int, Run | None]) -> Report:
    """Return a report with joined runs, without what it states of those that are gone."""
    found = (joined.get(id(run), run) for run in report.runs)
    left = (s for s in report.suites if not any(id(run) in joined for run in s.runs))
    return replace(report, runs=tuple(filter(None, found)), suites=tuple(left))


def repeated_runs(reports: Iterable[Report]) -> list[list[Run]]:
    """Return the runs of each model and dataset that has several."""
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in chain.from_iterable(report.runs for report in reports):
        groups.setdefault((run.model, run.dataset), []).append(run)
    return [group for group in groups.values() if len(group) > 1]


@dataclass(frozen=True, eq=False)
class JoinedTexts(Store):
    """Texts of several runs with the same questions; see `Store`."""

    stores: tuple[Store, ...]
    places: tuple[NDArray[np.intp], ...]  # The row of each question in each of them. Shape (M,).
    index: Once[Any] = field(default_factory=Once, init=False)

    @property
    def tells_questions(self) -> bool:
        """Whether one of them may tell prompts or references."""
        return any(store.tells_questions for store in self.stores)

    def find(self, progress: Progress | None) -> None:
        """Find out where the texts are in each."""
        for store in self.stores:
            store.find(progress)

    def read(self, row: int) -> QuestionTexts:
        """Read the texts of one question from each."""
        found = [s.read(int(at[row])) for s, at in zip(self.stores, self.places, strict=True)]
        reference = next((each.reference for each in found if each.reference is not None), None)
        predictions = tuple(chain.from_iterable(each.predictions for each in found))
        return QuestionTexts(
            next((each.prompt for each in found if each.prompt), ()), reference, predictions
        )

    def read_questions(self, rows: Sequence[int]) -> Iterator[tuple[int, QuestionTexts]]:
        """Read prompt and reference of some questions, of the first that has them."""
        for row in rows:
            texts = [
                kept
                for store, at in zip(self.stores, self.places, strict=True)
                for _, kept in store.read_questions([int(at[row])])
            ]
            reference = next((each.reference for each in texts if each.reference is not None), None)
            yield (
                row,
                QuestionTexts(
                    next((each.prompt for each in texts if each.prompt), ()), reference, ()
                ),
            )

    def apply(
        self, function: Callable[[Store, Progress | None], T], progress: Progress | None
    ) -> T:
        """Return what a function makes of these texts, where those of the first run are read."""
        self.find(progress)
        first, *others = self.stores
        return first.apply(partial(_applied, function, others, self.places), progress)

    def search(self, wanted: str, progress: Progress | None) -> NDArray[np.intp]:
        """Find the rows that have a text in one of them."""
        found = [
            np.flatnonzero(np.isin(at, store.search(wanted, progress)))
            for store, at in zip(self.stores, self.places, strict=True)
        ]
        return np.unique(np.concatenate(found))

    def scan(self, progress: Progress | None) -> Iterator[tuple[int, Iterable[str]]]:
        """Read through all texts of each."""
        for store, at in zip(self.stores, self.places, strict=True):
            rows = np.argsort(at)
            for row, texts in store.scan(progress):
                yield int(rows[row]), texts


def _applied(
    function: Callable[[Store, Progress | None], T],
    others: Sequence[Store],
    places: tuple[NDArray[np.intp], ...],
    first: Store,
    progress: Progress | None,
) -> T:
    return function(JoinedTexts((first, *others), places), progress)


def _require_like(first: Run, other: Run, matched: Match) -> None:
    if (first.model, first.dataset) != (other.model, other.dataset):
        raise MetricError(Text("They are not all of one model and one dataset."))
    if matched.refused is not None:
        raise MetricError(matched.refused)
    if matched.dropped:
        raise MetricError(
            Text(
                "{count} question is in one run only.",
                "{count} questions are in one run only.",
                count=matched.dropped,
            )
        )
    if matched.reworded:
        raise MetricError(
            Text(
                "{count} question was asked with a different prompt.",
                "{count} questions were asked with a different prompt.",
                count=matched.reworded,
            )
        )


def _require_settings(one: Run, other: Run) -> None:
    if unlike := unlike_settings(one, other):
        differing = some_of((f"{each.name} ({each.a} / {each.b})" for each in unlike), _NAMED)
        raise MetricError(Text("They differ in {settings}.", settings=differing))
    if (one.threshold, one.strict, one.rule) != (other.threshold, other.strict, other.rule):
        raise MetricError(Text("They were not judged by the same rule."))


def _require_no_copy(
    one: Outcomes, a: NDArray[np.intp], other: Outcomes, b: NDArray[np.intp]
) -> None:
    """Refuse two whose samples are all the same; verdicts that are all alike are no sign."""
    if one.shape != other.shape or len(np.unique(one.correct)) < 2:
        return
    for sign in ("texts", "tokens", "scores", "correct"):
        first, second = getattr(one, sign), getattr(other, sign)
        if first is None or second is None:
            continue
        if not np.array_equal(first[a], second[b], equal_nan=first.dtype.kind == "f"):
            return
    raise MetricError(Text("Two of them have identical samples: one is a copy and adds nothing."))


def _joined(outcomes: Sequence[Outcomes], places: Sequence[NDArray[np.intp]]) -> Outcomes:
    first = outcomes[0]

    def together(field: Callable[[Outcomes], NDArray[Any] | None]) -> NDArray[Any] | None:
        parts = [field(each) for each in outcomes]
        known = [p[at] for p, at in zip(parts, places, strict=True) if p is not None]
        return np.hstack(known) if len(known) == len(parts) else None

    correct = together(lambda each: each.correct)
    assert correct is not None
    return Outcomes(
        correct,
        together(lambda each: each.scores),
        first.questions,
        first.segments,
        first.clusters,
        texts=together(lambda each: each.texts),
        tokens=together(lambda each: each.tokens),
    )


def _beside_outcomes(runs: Sequence[Run], places: Sequence[NDArray[np.intp]]) -> dict[str, Any]:
    """Return what all of them hold beside outcomes, as fields of a run."""
    first, stores = runs[0], [run.store for run in runs]
    answered = [words for run in runs if (words := _answers(run)) is not None]
    answers = _joined_words(answered, places) if len(answered) == len(runs) else None
    labels = {
        name: _joined_words([_labels(run, name) for run in runs], places)
        for name in dict.fromkeys(chain.from_iterable(run.labels for run in runs))
    }
    return {
        "answers": None if answers is None else answers.codes,
        "answer_labels": None if answers is None else answers.values,
        "labels": {name: found for name, found in labels.items() if found is not None},
        "columns": {
            name: np.hstack([run.columns[name][at] for run, at in zip(runs, places, strict=True)])
            for name in first.columns
            if all(name in run.columns for run in runs)
        },
        "question_columns": {
            name: values
            for name, values in first.question_columns.items()
            if all(
                name in run.question_columns
                and np.array_equal(run.question_columns[name][at], values, equal_nan=True)
                for run, at in zip(runs, places, strict=True)
            )
        },
        "facts": _joined_facts([run.facts for run in runs], places),
        "store": None
        if None in stores
        else JoinedTexts(tuple(filter(None, stores)), tuple(places)),
    }


def _joined_words(each: Iterable[Labels], places: Sequence[NDArray[np.intp]]) -> Labels | None:
    """Return words of samples side by side; None where cut ones may be the same or not."""
    known: dict[str, int] = {}
    parts = []
    for words, at in zip(each, places, strict=True):
        if any(word in known and word.endswith(CUT) for word in words.values):
            return None
        codes = [known.setdefault(word, len(known)) for word in words.values]
        parts.append(np.array([*codes, _NONE])[words.codes[at]])
    return Labels(np.hstack(parts), tuple(known))


def _labels(run: Run, name: str) -> Labels:
    """Return words of a run, none of any sample where it has no such words."""
    assert run.outcomes is not None
    return run.labels.get(name) or Labels(np.full(run.outcomes.shape, _NONE, np.int8), ())


def _answers(run: Run) -> Labels | None:
    if run.answers is None or run.answer_labels is None:
        return None
    return Labels(run.answers, run.answer_labels)


def _joined_facts(
    facts: Sequence[Facts | None], places: Sequence[NDArray[np.intp]]
) -> Facts | None:
    """Return how many of all samples cover each fact, where all runs have the same facts."""
    known = [each for each in facts if each is not None]
    if len(known) < len(facts):
        return None
    first = known[0]
    for each, at in zip(known, places, strict=True):
        if each.names != first.names or not np.array_equal(at[first.question], each.question):
            return None
    n, c = (np.sum([getattr(each, name) for each in known], axis=0) for name in ("n", "c"))
    return Facts(first.question, n, c, names=first.names)


def _notes(runs: Sequence[Run]) -> Iterator[Note]:
    samples = sum(run.outcomes.shape[1] for run in runs if run.outcomes is not None)
    what = Text(
        "{count} runs were joined as samples of one run, with {samples} samples per question.",
        count=len(runs),
        samples=samples,
    )
    yield Note(what, count=len(runs))
    if unstated := unstated_parts(runs):
        unknown = Text(
            "Some runs do not state these settings, which kofn takes to be the same: {parts}.",
            parts=Enumerated(unstated),
        )
        yield Note(unknown)
    for note in dict.fromkeys(chain.from_iterable(run.notes for run in runs)):
        if isinstance(note, Unfinished):  # of one run; it does not say how far all have come
            note = replace(note, done=None, planned=None, things=None)
        yield note


def _all_verified(runs: Sequence[Run]) -> bool | None:
    """Return whether all are, False if one is not, and None if of some that is unknown."""
    found = {run.verified for run in runs}
    if False in found:
        return False
    return None if None in found else True


def _grouping(runs: Sequence[Run], matches: Sequence[Match]) -> Evidence:
    """Return how it is known which samples are of one question: of the runs, and among them."""
    if any(run.grouping != "proven" for run in runs):
        return "stated"
    return "proven" if all(found.proven for found in matches) else "stated"
