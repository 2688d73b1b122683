"""What a reader returns: a Report of Runs, with a Note for everything it decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from metrics.data.counts import Counts
from metrics.data.evidence import Known, outcomes_or_counts
from metrics.data.facts import Facts
from metrics.data.frames import frame, rows_frame
from metrics.data.joint_counts import JointCounts
from metrics.data.outcomes import Outcomes, Segment
from metrics.data.shown import brief_repr
from metrics.data.tally import Tally
from metrics.data.words import Text, instead_of
from reports.files.errors import LoadError, OpenChoice
from reports.files.notes import Note, Unfinished
from reports.files.once import Once
from reports.files.progress import Progress
from reports.run.calibration import Calibration
from reports.run.fingerprint import GREEDY, Fingerprint, Settings
from reports.run.finish_reasons import States, states_of
from reports.run.html_tables import html_table
from reports.run.labels import Labels
from reports.run.remote import COUNTS_ALONE, Remote
from reports.run.texts import Store, Texts

if TYPE_CHECKING:
    from pandas import DataFrame

Evidence = Literal["proven", "stated", "unknown"]
_MAPPINGS = ("reported", "labels", "explanations", "counterparts")
_ARRAYS = ("columns", "question_columns")


@dataclass(frozen=True, eq=False)
class Run:
    """One model on one dataset.

    Attributes
    ----------
    model, dataset : str
        Names as the harness wrote them: untrusted text.
    outcomes : Outcomes or None
        None where the file does not say which samples were right (a Note says how to get this), or
        where there are ``counts`` instead.
    reported : mapping of str to float
        The metrics the file itself states, by its own key, as fractions (a file's 42.5 % is .425).
    notes : tuple of Note
        Notes on this run only.
    threshold : float or None
        The evaluator's threshold for right scores, if it has one; else what was ``assumed``.
    strict : bool
        Whether a score must exceed the threshold (``>``) or reach it (``>=``).
    verified : bool or None
        Whether recomputed means reproduce the file's own; None where it states none. Means do not
        depend on which samples belong to one question.
    grouping : {"proven", "stated", "unknown"}
        How it is known which samples belong to one question: ``"proven"`` by ids, or by references
        or prompts that are constant within questions; ``"stated"`` only by the convention of the
        tool that wrote the file; ``"unknown"``.
    answers : int array, shape (M, N), or None
        Codes of extracted answers: equal code, equal answer; -1 where there is none.
    answer_labels : sequence of str or None
        The answer of each code, shortened if long; untrusted text.
    columns : mapping of str to array, shape (M, N)
        Whatever else the file has for each sample: tokens_out, latency_s, cost, rewards and other
        signals, judges, ``position``; ``human``, a human label, NaN where there is none, and
        ``human_probability``, the probability with which a sample was drawn for labelling.
    labels : mapping of str to Labels
        Words for each sample: finish_reason, error; `states` is derived from them and the columns.
    source : str
        Its file, within the report.
    time : datetime or None
        When the harness ran.
    rule : Text or None
        The rule by which kofn judged the predictions; None where the verdicts are the file's own.
    explanations : mapping of str to Text
        Why a metric in ``reported`` is not what the samples give, if the reader knows; by key.
    store : Store or None
        Where its texts are; `texts` and `search` read them.
    counterparts : mapping of str to str
        kofn's name for a metric in ``reported`` that the file names differently, by its key.
    settings : mapping of str to str, int, float or bool
        How it was made, as far as its files say: revision, quantisation, temperature, max_tokens,
        prompt_version, evaluator, seed, n …; kept as its `fingerprint`.
    question_columns : mapping of str to array, shape (M,)
        Whatever else the file has for each question: ``human_group``, whether a person says that
        any of its samples meets the bar, NaN without a label; ``<name>_distance``, the mean
        cosine distance of the embeddings in the column of that name.
    facts : Facts or None
        The gold facts of the questions, and how many samples cover each.
    counts : Counts or None
        In place of outcomes, where the samples stay elsewhere, such as in a cluster's table.
    remote : Remote or None
        What queries them there: the joint counts of two runs, and the questions page by page.
    names_dataset : bool
        Whether its files name the dataset; if a table does not, the file's name is used.
    assumed : bool
        Whether the reader chose the threshold, because the file does not say which samples are
        right.

    Raises
    ------
    ValueError
        If there are both outcomes and counts, or values for other than its samples or questions.

    Examples
    --------
    >>> run = Run("7B", "gsm8k", Outcomes([[1, 0], [1, 1]]))
    >>> run.summary["questions"], run.summary["samples"], run.summary["mean"]
    (2, 2, 0.75)
    """

    model: str
    dataset: str
    outcomes: Outcomes | None
    reported: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    threshold: float | None = None
    strict: bool = True
    verified: bool | None = None
    grouping: Evidence = "proven"
    answers: NDArray[np.signedinteger] | None = None
    columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    source: str = ""
    time: datetime | None = None
    rule: Text | None = None
    explanations: Mapping[str, Text] = field(default_factory=dict)
    answer_labels: Sequence[str] | None = None
    store: Store | None = None
    settings: Settings = field(default_factory=dict)
    question_columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    facts: Facts | None = None
    labels: Mapping[str, Labels] = field(default_factory=dict)
    counterparts: Mapping[str, str] = field(default_factory=dict)
    counts: Counts | None = None
    remote: Remote | None = None
    names_dataset: bool = True
    assumed: bool = False

    __repr__ = brief_repr

    def _repr_html_(self) -> str:
        notes = [f"{note.severity}: {note.what}" for note in self.notes]
        return html_table(f"{self.model} / {self.dataset}", [self.summary], notes)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the verdicts as `metrics.Outcomes` gives them to functions of a plain matrix."""
        return np.array(outcomes_or_counts(self), dtype=dtype, copy=copy)

    def __tally__(self) -> Tally:
        """Return how many questions have so many right, if no sample is missing."""
        return Tally.of(outcomes_or_counts(self))

    @property
    def known(self) -> Known | None:
        """What is known of its samples: outcomes, or else counts."""
        return self.counts if self.outcomes is None else self.outcomes

    def joint(self, other: Run, segment: Segment | None = None) -> JointCounts | None:
        """Return the joint counts with another run; None where they are kept in different places.

        They are queried only once.

        Raises
        ------
        LoadError
            If the place can no longer be queried.
        """
        if self.remote is None or other.remote is None:
            return None
        if self._known_joint(other, segment) is None:
            _join([(self, other)], segment)
        return self._known_joint(other, segment)

    def _known_joint(self, other: Run, segment: Segment | None) -> JointCounts | None:
        known = self._joined.get(other, {}).get(segment)
        swapped = other._joined.get(self, {}).get(segment)
        return swapped.swapped if known is None and swapped is not None else known

    def __getstate__(self) -> dict[str, Any]:
        """Return what crosses to another process: not what was asked about other runs."""
        return {name: value for name, value in vars(self).items() if name != "_joined"}

    @cached_property
    def _joined(self) -> WeakKeyDictionary[Run, dict[Segment | None, JointCounts | None]]:
        return WeakKeyDictionary()

    @property
    def summary(self) -> dict[str, str | int | float | bool | None]:
        """The run in one row; ``mean`` is the share of right samples, question by question."""
        questions, samples = (None, None) if self.known is None else self.known.shape
        return {
            "model": self.model,
            "dataset": self.dataset,
            "questions": questions,
            "samples": samples,
            "mean": self._mean(),
            "verified": self.verified,
            "grouping": self.grouping,
            "notes": len(self.notes),
            "source": self.source,
        }

    def _mean(self) -> float | None:
        if self.known is None or not self.known.sizes()[0].size:
            return None
        if self.outcomes is not None and self.outcomes.correct.max() > 1:
            return None
        return self.known.tally().mean(lambda n, c: c / n)

    def to_frame(self) -> DataFrame:
        """Return a row for each sample, with all measurements; no rows without outcomes."""
        if self.outcomes is None:
            return frame({"model": [], "dataset": []})
        table = self.outcomes.to_frame()
        table.insert(0, "model", self.model)
        table.insert(1, "dataset", self.dataset)
        if self.answers is not None:
            table["extracted"] = self.answers.ravel()
        measured = {name: values.ravel() for name, values in self.columns.items()}
        words = {name: found.words().ravel() for name, found in self.labels.items()}
        if self.states is not None:
            table["state"] = self.states.words().ravel()
        for name, values in (*measured.items(), *words.items()):
            table[name if name not in table else f"column.{name}"] = values
        for name, values in self.question_columns.items():
            of_samples = np.repeat(values, self.outcomes.shape[1])
            table[name if name not in table else f"question.{name}"] = of_samples
        return table

    def __post_init__(self) -> None:
        if self.outcomes is not None and self.counts is not None:
            raise ValueError("A run has outcomes or counts, not both.")
        for name in _MAPPINGS:
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        for name in _ARRAYS:
            arrays = {key: _array(key, of) for key, of in getattr(self, name).items()}
            object.__setattr__(self, name, MappingProxyType(arrays))
        if self.answers is not None:
            object.__setattr__(self, "answers", _array("answers", self.answers))
        if self.outcomes is not None:
            _require_shape(self.outcomes.shape, {"answers": self.answers, **self.columns})
            _require_shape(self.outcomes.shape[:1], self.question_columns)
        object.__setattr__(self, "settings", Fingerprint(self.settings))
        greedy, counted = Note(GREEDY, severity="warning"), Note(COUNTS_ALONE)
        for note, holds in ((greedy, self.is_greedy), (counted, self.counts is not None)):
            if holds and note not in self.notes:
                object.__setattr__(self, "notes", (*self.notes, note))
        for array in (self.answers, *self.columns.values(), *self.question_columns.values()):
            if array is not None:
                array.flags.writeable = False

    @property
    def unfinished(self) -> Unfinished | None:
        """The note that the run is incomplete, if there is one.

        Of several, the one that says how much is here, and of how much.
        """
        found = [note for note in self.notes if isinstance(note, Unfinished)]
        return max(
            found,
            key=lambda note: (note.planned is not None, note.done is not None),
            default=None,
        )

    @property
    def fingerprint(self) -> Fingerprint:
        """Its ``settings``, which also give the part that each belongs to."""
        assert isinstance(self.settings, Fingerprint)
        return self.settings

    @property
    def is_greedy(self) -> bool:
        """Whether it has several samples of a question, but deterministic decoding.

        Examples
        --------
        >>> Run("7B", "gsm8k", Outcomes([[1, 1]]), settings={"temperature": 0.0}).is_greedy
        True
        """
        return self.known is not None and self.known.shape[1] > 1 and self.fingerprint.is_greedy

    @property
    def evaluator(self) -> str | None:
        """The harness's name for the rule that gave the verdicts, if its files say."""
        named = self.settings.get("evaluator")
        return None if named is None else str(named)

    @cached_property
    def states(self) -> States | None:
        """How each sample ended: right, wrong, without an answer, cut off, or failed.

        None without verdicts, and for categories above 1, where it is unknown what is right.
        """
        return states_of(self)

    @cached_property
    def digests(self) -> Once[Any]:
        """Digests that tell questions apart, once read; ``reports.match`` reads them."""
        return Once()

    @cached_property
    def audited(self) -> Once[Any]:
        """What its texts say about its verdicts, once read; ``reports.audit`` reads them."""
        return Once()

    @cached_property
    def text_digests(self) -> Once[NDArray[np.uint64]]:
        """Digests of its samples' texts, once read; ``reports.same_answers`` reads them."""
        return Once()

    @property
    def has_texts(self) -> bool:
        """Whether prompts, references or predictions can be read."""
        return self.store is not None and self.outcomes is not None

    def texts(self, question: str) -> Texts:
        """Read the texts of one question, and nothing else.

        Raises
        ------
        LoadError
            If the file was removed or changed since it was loaded, holds no texts, or has no such
            question.
        """
        store, outcomes = self._with_texts()
        try:
            row = outcomes.questions.index(question)
        except ValueError as error:
            problem = Text("has no question {question:.80}", question=str(question))
            fix = Text("Choose one from the list of questions.")
            raise LoadError(self.source, problem, fix) from error
        return Texts(question, *store.read(row), answers=self._answers(row))

    def find_texts(self, progress: Progress | None = None) -> None:
        """Find out where the texts of each question are, unless that is known.

        `texts` and `search` do it too: the first call reads through the file.

        Parameters
        ----------
        progress : callable, optional
            As for `search`.

        Raises
        ------
        LoadError
            As for `search`.
        """
        store, _outcomes = self._with_texts()
        store.find(progress)

    def search(self, needle: str, progress: Progress | None = None) -> NDArray[np.bool_]:
        """Find the questions whose prompt, reference, predictions or answers contain a text.

        Parameters
        ----------
        needle : str
            Case is ignored.
        progress : callable, optional
            Called with the bytes read and their total, if that takes more than half a second.

        Returns
        -------
        bool array, shape (M,)

        Raises
        ------
        LoadError
            If the file was removed or changed since it was loaded, or holds no texts.
        """
        store, outcomes = self._with_texts()
        wanted = needle.casefold()
        holds = np.zeros(len(outcomes.questions), dtype=bool)
        if self.answers is not None and self.answer_labels is not None:
            codes = [i for i, label in enumerate(self.answer_labels) if wanted in label.casefold()]
            holds |= np.isin(self.answers, codes).any(axis=1)
        holds[store.search(needle, progress)] = True
        return holds

    def _with_texts(self) -> tuple[Store, Outcomes]:
        if self.counts is not None:
            raise LoadError(
                self.source or self.dataset,
                Text("leaves its prompts and predictions where they are"),
                Text("Load a table of these questions to read them."),
            )
        if self.store is None or self.outcomes is None:
            raise LoadError(
                self.source or self.dataset,
                Text("holds no prompts and no predictions"),
                Text("Load the whole report, with its predictions."),
            )
        return self.store, self.outcomes

    def _answers(self, row: int) -> tuple[str | None, ...]:
        if self.answers is None or self.answer_labels is None:
            return (None,) * (0 if self.outcomes is None else self.outcomes.shape[1])
        labels = self.answer_labels
        return tuple(None if code < 0 else labels[code] for code in self.answers[row].tolist())


def _array(name: str, values: Any) -> NDArray[Any]:
    try:
        return np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} must have equally many values for every question.") from error


def _require_shape(shape: tuple[int, ...], given: Mapping[str, NDArray[Any] | None]) -> None:
    for name, array in given.items():
        if array is not None and array.shape != shape:
            raise ValueError(
                f"{name} must have the shape {shape} of the outcomes, not {array.shape}."
            )


@dataclass(frozen=True, eq=False)
class Suite:
    """Datasets that a report summarises in one number for a model.

    Attributes
    ----------
    name : str
    runs : tuple of Run
        All of one model.
    weights : tuple of float
        The weight of each run in the mean.
    reported : mapping of str to float
        The metrics that the report states for it, by its own key, as fractions.
    source : str
        The file that states them, within the report.
    """

    name: str
    runs: tuple[Run, ...]
    weights: tuple[float, ...]
    reported: Mapping[str, float]
    source: str = ""

    __repr__ = brief_repr

    def __post_init__(self) -> None:
        object.__setattr__(self, "reported", MappingProxyType(dict(self.reported)))

    def to_frame(self) -> DataFrame:
        """Return a row for each run, with its weight."""
        weighed = zip(self.runs, self.weights, strict=True)
        return rows_frame([run.summary | {"weight": weight} for run, weight in weighed])

    @property
    def model(self) -> str:
        """The model of its runs."""
        return self.runs[0].model


def _join(pairs: Sequence[tuple[Run, Run]], segment: Segment | None) -> None:
    places = [(a.remote, b.remote) for a, b in pairs if a.remote and b.remote]
    found = places[0][0].joints(places, segment)
    for (a, b), joint in zip(pairs, found, strict=True):
        a._joined.setdefault(b, {})[segment] = joint


def join(pairs: Iterable[tuple[Run, Run]], *segments: Segment | None) -> None:
    """Ask for the joint counts of pairs of runs that are not known yet, of all together.

    Where the place does not answer, `Run.joint` of each pair says so.
    """
    remote_pairs = [(a, b) for a, b in pairs if a.remote and b.remote]
    for segment in dict.fromkeys(segments):
        unknown = [(a, b) for a, b in remote_pairs if a._known_joint(b, segment) is None]
        with suppress(LoadError):
            if len(unknown) > 1:
                _join(unknown, segment)


@dataclass(frozen=True, eq=False)
class Report:
    """The contents of one upload or folder.

    Attributes
    ----------
    name : str
        The file or folder, as the user named it.
    reader : Text
        The format that was recognised.
    runs : tuple of Run
        In the order of the harness.
    notes : tuple of Note
        Notes on the report as a whole.
    digest : str
        SHA-256 of the bytes of an upload or zip; of names, sizes and times of files on disk.
    suites : tuple of Suite
        What it states about several runs together.
    choices : tuple of OpenChoice
        Further tables that load once the user says what a column holds.
    calibrations : tuple of Calibration
        Tables of human labels, which are not runs.
    unread : tuple of str
        Files from which nothing was read.

    Examples
    --------
    >>> from kofn import reports
    >>> report = reports.load("sample_data/aisbench_report.zip")
    >>> len(report), report[0].model, report["cedar-14b-chat / gsm8k"].outcomes.shape
    (18, 'aspen-4b-chat', (120, 8))
    """

    name: str
    reader: Text
    runs: tuple[Run, ...]
    notes: tuple[Note, ...] = ()
    digest: str = ""
    suites: tuple[Suite, ...] = ()
    choices: tuple[OpenChoice, ...] = ()
    calibrations: tuple[Calibration, ...] = ()
    unread: tuple[str, ...] = ()

    __repr__ = brief_repr

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def __getitem__(self, which: int | str) -> Run:
        """Return a run by its place, its name ``model / dataset``, or its model or dataset alone.

        Raises
        ------
        KeyError
            If no run, or several, are called so.
        """
        if not isinstance(which, str):
            return self.runs[which]
        named = [(run, (f"{run.model} / {run.dataset}", run.model, run.dataset)) for run in self]
        found = [run for run, names in named if names[0] == which]
        found = found or [run for run, names in named if which in names]
        if len(found) == 1:
            return found[0]
        if found:
            raise KeyError(f"{len(found)} runs are called {which!r}; take one by its place.")
        raise KeyError(f"No run is called {which!r}. {instead_of(which, [n[0] for _, n in named])}")

    def _repr_html_(self) -> str:
        notes = [f"{note.severity}: {note.what}" for note in self.notes]
        return html_table(f"{self.name}: {self.reader}", [run.summary for run in self.runs], notes)

    def with_runs(self, change: Callable[[Run], Run]) -> Report:
        """Return the report with changed runs, in its suites too."""
        changed = {id(run): change(run) for run in self.runs}
        suites = (
            replace(suite, runs=tuple(changed.get(id(run), run) for run in suite.runs))
            for suite in self.suites
        )
        return replace(self, runs=tuple(changed.values()), suites=tuple(suites))

    def to_frame(self) -> DataFrame:
        """Return a row for each run; `Run.to_frame` has one for each sample."""
        return rows_frame([run.summary for run in self.runs])
