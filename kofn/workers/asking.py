"""Queries to places that keep the samples of runs, in separate processes and only on demand.

A page that compares two runs takes what is known of both so far. What it lacks is noted as wanted;
then it is asked for beside the page, which runs once more when it has come. Those who look at the
same runs share the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import pyarrow as pa

from kofn.workers.calls import Budget, Died, call
from kofn.workers.turns import Turns
from metrics.data.joint_counts import JointCounts
from metrics.data.outcomes import Segment
from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.progress import Progress
from reports.run.remote import BY_ID, EVERY, Joined, ListOrder, Pair, Remote, Which
from reports.run.report import Run

T = TypeVar("T")

Joint = JointCounts | LoadError | None
"""What was answered: joint counts, that there are none, or that the place does not answer."""
_TURNS = Turns()
_FEWER = Text("Load fewer samples at a time, or a Parquet table of the outcomes.")
_ELSEWHERE = Text(
    "Load fewer runs at a time, or read it with the command kofn, which has no such limit."
)


@dataclass(frozen=True, eq=False)
class AskedCall:
    """What is read or asked: its name, and what that may take."""

    name: str
    budget: Budget

    def call(self, function: Callable[..., T], *arguments: object, progress: Progress | None) -> T:
        """Return what a function returns in a process of its own."""
        try:
            return call(function, *arguments, progress=progress, budget=self.budget)
        except Died as died:
            problem, fix = self._cause_of_death(died)
            raise LoadError(self.name, problem, fix) from died

    def _cause_of_death(self, died: Died) -> tuple[Text, Text]:
        """Return why a process ended, and what to do."""
        match died.over:
            case "memory":
                limit = self.budget.memory / 1e6
                problem = Text("takes more than {limit:,.0f} MB of memory to read", limit=limit)
                return problem, _FEWER
            case "seconds":
                limit = self.budget.seconds
                problem = Text(
                    "takes more than {limit:,.0f} s of processor time to read", limit=limit
                )
                return problem, _ELSEWHERE
            case "judging":
                limit = self.budget.judging
                problem = Text(
                    "takes more than {limit:,.0f} s of processor time to compare its formulas",
                    limit=limit,
                )
                return problem, _ELSEWHERE
        problem = Text("the process that read it was ended, perhaps for want of memory")
        return problem, Text("Try again; if it happens again, load fewer samples at a time.")


class WantedCounts(NamedTuple):
    """Joint counts that a page lacks: of two runs, and of a segment if one is given."""

    one: WorkerRemote
    other: WorkerRemote
    segment: Segment | None


@dataclass(frozen=True, eq=False)
class WorkerRemote(Remote):
    """The place of a run's samples; see `Remote`. What it answered is remembered here."""

    remote: Remote  # That answers at once, however long it takes.
    asked: AskedCall
    progress: Progress | None = None  # Told while questions are listed.

    @cached_property
    def wanted(self) -> WeakKeyDictionary[WorkerRemote, set[Segment | None]]:
        """What is still to be asked, by the other run."""
        return WeakKeyDictionary()

    @cached_property
    def joint(self) -> WeakKeyDictionary[WorkerRemote, dict[Segment | None, Joint]]:
        """What was answered, by the other run."""
        return WeakKeyDictionary()

    def joints(self, pairs: Sequence[Pair], segment: Segment | None = None) -> list[Joined]:
        """Return the joint counts that are known; else note all those that are wanted.

        Raises LoadError if those of all questions are not known yet, or the place does not answer.
        """
        known: list[Joined] = []
        lacking = None
        for one, other in pairs:
            try:
                known.append(_known_counts(one, other, segment))
            except LoadError as error:
                lacking = error
        if lacking is not None:
            raise lacking
        return known

    def questions(
        self, start: int, count: int, order: ListOrder = BY_ID, which: Which = EVERY
    ) -> pa.Table:
        """List some of the questions, from one place of the order on."""
        asked = self.remote, start, count, order, which
        columns: dict[str, list[Any]] = self.asked.call(_list, *asked, progress=self.progress)
        return pa.table(columns)

    def want_again(self) -> None:
        """Forget that it did not answer, and want it as before."""
        for other, answers in list(self.joint.items()):
            for segment in [s for s, joint in answers.items() if isinstance(joint, LoadError)]:
                del answers[segment]
                self.wanted.setdefault(other, set()).add(segment)

    def note(self, other: WorkerRemote, segment: Segment | None, joint: Joint) -> None:
        """Remember what was answered of two runs."""
        self.joint.setdefault(other, {})[segment] = joint
        self.wanted.get(other, set()).discard(segment)


def _known_counts(one: Remote, other: Remote, segment: Segment | None) -> Joined:
    """Return the joint counts of two runs if they are known; else note that they are wanted."""
    if not (isinstance(one, WorkerRemote) and isinstance(other, WorkerRemote)):
        return None
    for first, second in ((one, other), (other, one)):
        known = first.joint.get(second, {})
        if segment in known:
            counts = known[segment]
            if isinstance(counts, JointCounts):
                return counts if first is one else counts.swapped
            _raise(counts, segment)
            return None
    if segment not in other.wanted.get(one, ()):
        one.wanted.setdefault(other, set()).add(segment)
    problem = Text("is asked which questions the two share")
    fix = Text("That shows here as soon as it tells.")
    _raise(LoadError(one.asked.name, problem, fix), segment)
    return None


def _raise(error: LoadError | None, segment: Segment | None) -> None:
    """Raise why there are no joint counts: once for two runs, not for each segment of them."""
    if error is not None and segment is None:
        raise error


def watched(remote: Remote, progress: Progress) -> Remote:
    """Return a place that is no longer asked for questions if `progress` raises."""
    return replace(remote, progress=progress) if isinstance(remote, WorkerRemote) else remote


def counts_wanted(runs: Iterable[Run]) -> list[WantedCounts]:
    """Return what pages lack of some runs."""
    places = [run.remote for run in runs if isinstance(run.remote, WorkerRemote)]
    return [
        WantedCounts(one, other, segment)
        for one in places
        for other, segments in list(one.wanted.items())
        for segment in sorted(segments, key=str)
        if other in places
    ]


def answers_known(runs: Iterable[Run]) -> tuple[int, int]:
    """Return how many answers about some runs are known, and how many failed; for caches."""
    joint = list(_joints(runs))
    failed = sum(isinstance(each, LoadError) for each in joint)
    return len(joint) - failed, failed


def unanswered(runs: Iterable[Run]) -> list[LoadError]:
    """Return why places of some runs do not answer, each reason once."""
    errors = (joint for joint in _joints(runs) if isinstance(joint, LoadError))
    return list({str(error): error for error in errors}.values())


def _joints(runs: Iterable[Run]) -> Iterator[Joint]:
    for run in runs:
        if isinstance(run.remote, WorkerRemote):
            for answers in list(run.remote.joint.values()):
                yield from list(answers.values())


def ask_again(runs: Iterable[Run]) -> None:
    """Want once more what places of some runs did not answer."""
    for run in runs:
        if isinstance(run.remote, WorkerRemote):
            run.remote.want_again()


def ask(lacking: Sequence[WantedCounts], progress: Progress) -> None:
    """Ask for what pages lack, of each place in one process; who wants the same waits for it.

    progress: Told how many of them are known; if it raises, that ends.
    """
    places: dict[AskedCall, list[WantedCounts]] = {}
    for each in lacking:
        places.setdefault(each.one.asked, []).append(each)
    done = 0
    for asked, group in places.items():
        with _TURNS.of(asked, progress):
            left = [each for each in group if each.segment in each.one.wanted.get(each.other, ())]
            work = [(each.one.remote, each.other.remote, each.segment) for each in left]

            def tell(number: int, _total: int, before: int = done) -> None:
                progress(before + number, len(lacking))

            try:
                joints: list[Joint] = asked.call(_join_each, work, progress=tell)
            except LoadError as error:
                joints = [error.kept()] * len(left)
        for each, joint in zip(left, joints, strict=True):
            each.one.note(each.other, each.segment, joint)
        done += len(group)


def _join_each(
    work: Sequence[tuple[Remote, Remote, Segment | None]], progress: Progress
) -> list[Joint]:
    pairs: dict[Segment | None, dict[int, Pair]] = {}
    for place, (one, other, segment) in enumerate(work):
        pairs.setdefault(segment, {})[place] = one, other
    joint_counts: dict[int, Joint] = {}
    for segment, group in pairs.items():
        progress(len(joint_counts), len(work))
        (asked, _other), *_others = group.values()
        try:
            joint_counts |= zip(group, asked.joints(list(group.values()), segment), strict=True)
        except LoadError as error:
            return [joint_counts.get(place, error.kept()) for place in range(len(work))]
    return [joint_counts[place] for place in range(len(work))]


def _list(
    remote: Remote,
    start: int,
    count: int,
    order: ListOrder,
    which: Which,
    progress: Progress,
) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = remote.questions(start, count, order, which).to_pydict()
    return columns
