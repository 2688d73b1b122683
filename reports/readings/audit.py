"""What the texts of a run say about its verdicts, sample by sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.judges.strata import Strata
from metrics.data.outcomes import Outcomes
from metrics.data.shown import brief_repr
from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.progress import Progress, meter
from reports.readings import options
from reports.readings.kinds import DIVIDED, GENEROUS, KINDS, MISSED, UNSUPPORTED, kind
from reports.readings.reader import Answers, Reader, asked_for
from reports.readings.statements import Statement, final, statements
from reports.run.report import Run
from reports.run.texts import QuestionTexts, Store, Texts

NOT_READ = -1
"""The kind of a sample that was not judged, or has no text."""
_VERDICTS = ("wrong", "right")
_EXPECTED = {
    "agrees": (0.02, 0.98),
    "missed": (0.95, 0.95),
    "generous": (0.05, 0.05),
    "divided": (0.5, 0.5),
    "unsupported": (0.1, 0.5),
}
"""What share of a kind, judged wrong and judged right, may be right: for planning labels."""


class Readings(NamedTuple):
    """What the samples of a question state."""

    texts: Texts
    reference: str | None  # As it is compared.
    stated: tuple[tuple[Statement, ...], ...]  # With their places in the predictions.


@dataclass(frozen=True, eq=False)
class Audit:
    r"""What the texts of a run say about its verdicts.

    Attributes
    ----------
    codes : int8 array, shape (M, N)
        Each sample's kind as its index in ``KINDS``: the readings of its text agree with its
        verdict, the verdict missed a right answer, it was generous to a wrong one, the readings are
        divided, or none finds an answer; -1 where there is no verdict or no text.
    names_reference : bool array, shape (M, N)
        Whether any reading names the reference.
    answers : {"option", "number", "formula", "text"}
        The kind of answer that was looked for.
    options : int or None
        How many options there are to choose from, if any.
    run : Run
        The run that was audited.

    Examples
    --------
    >>> import reports
    >>> rows = "question_id,correct,reference,prediction,extracted"
    >>> rows += "".join(f"\n{q},{int(q != 3)},B,The answer is B.,B" for q in range(4))
    >>> (run,) = reports.load(("table.csv", rows.encode())).runs
    >>> found = reports.audit(run)
    >>> found.counts
    {'agrees': 3, 'missed': 1, 'generous': 0, 'divided': 0, 'unsupported': 0}
    >>> found.kinds.ravel().tolist()
    ['agrees', 'agrees', 'agrees', 'missed']
    >>> found.as_read.correct.ravel().tolist()
    [1, 1, 1, 1]
    """

    codes: NDArray[np.int8]
    names_reference: NDArray[np.bool_]
    answers: Answers
    options: int | None
    run: Run

    __repr__ = brief_repr

    def __post_init__(self) -> None:
        self.codes.flags.writeable = self.names_reference.flags.writeable = False

    @cached_property
    def kinds(self) -> NDArray[np.str_]:
        """The name of the kind of each sample, shape (M, N); empty where it has none."""
        return np.array([*KINDS, ""])[self.codes]

    @property
    def outcomes(self) -> Outcomes:
        """The verdicts as the tool judged."""
        assert self.run.outcomes is not None
        return self.run.outcomes

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many samples are of each kind."""
        found = np.bincount(self.codes[self.codes >= 0], minlength=len(KINDS))
        return dict(zip(KINDS, found.tolist(), strict=True))

    @property
    def read(self) -> int:
        """How many samples were read."""
        return int(np.count_nonzero(self.codes >= 0))

    @property
    def doubtful(self) -> NDArray[np.bool_]:
        """Which samples have a text that does not simply agree with their verdict, shape (M, N)."""
        return np.asarray(self.codes > 0)

    @cached_property
    def strata(self) -> Strata:
        """The samples by kind and verdict, from which some are drawn for labelling."""
        known = self.codes >= 0
        places = np.where(known, 2 * self.codes + (self.outcomes.correct == 1), NOT_READ)
        used, places[known] = np.unique(places[known], return_inverse=True)
        names = [f"{KINDS[place // 2]}, judged {_VERDICTS[place % 2]}" for place in used]
        return Strata(places, tuple(names), tuple(_EXPECTED[KINDS[p // 2]][p % 2] for p in used))

    @cached_property
    def as_read(self) -> Outcomes:
        """The verdicts with missed answers as right, and generous ones as wrong."""
        return self._judged({MISSED: 1, GENEROUS: 0})

    @cached_property
    def least(self) -> Outcomes:
        """The verdicts as read, with all divided and unsupported answers as wrong."""
        return self._judged({MISSED: 1, GENEROUS: 0, DIVIDED: 0, UNSUPPORTED: 0})

    @cached_property
    def most(self) -> Outcomes:
        """The verdicts as read, and right wherever a reading names the reference."""
        doubtful = np.isin(self.codes, (DIVIDED, UNSUPPORTED))
        named = doubtful & self.names_reference
        return self._judged({MISSED: 1, GENEROUS: 0}, named)

    def _judged(
        self, verdicts: Mapping[int, int], right: NDArray[np.bool_] | None = None
    ) -> Outcomes:
        correct = self.outcomes.correct.copy()
        for of_kind, verdict in verdicts.items():
            correct[self.codes == of_kind] = verdict
        if right is not None:
            correct[right] = 1
        return replace(self.outcomes, correct=correct, scores=None)

    def readings(self, question: str) -> Readings:
        """Read the texts of a question again, and return what each sample states, and where.

        Raises
        ------
        LoadError
            As `Run.texts`.
        """
        texts = self.run.texts(question)
        reader = Reader(self.answers, options.LETTERS[: self.options])
        prompt = texts.prompt[-1].text if texts.prompt else ""
        stated = tuple(
            () if text is None else reader.places(text, prompt) for text in texts.predictions
        )
        return Readings(texts, reader.reference(texts.reference or ""), stated)


def audit(run: Run, progress: Progress | None = None) -> Audit:
    """Read the final answers in the texts of a run, and check its verdicts against them.

    The result is kept with the run. Texts are read by kofn's own rules, independent of the tool's
    extraction; where a text states several answers, all count. Verdicts are not changed.

    Parameters
    ----------
    run : Run
    progress : callable, optional
        Called with the number of questions read and their total.

    Returns
    -------
    Audit

    Raises
    ------
    LoadError
        If the run has no verdicts or keeps no texts; if its references are not short answers, but
        programs or free texts; or if a file was removed or changed.

    Examples
    --------
    >>> from reports import load
    >>> rows = ["question_id,correct,prediction,reference", "a,0,The answer is 4.,4"]
    >>> (run,) = load(("sums.csv", chr(10).join(rows).encode()))
    >>> audit(run).counts["missed"]
    1
    """
    outcomes, store = run.outcomes, run.store
    if outcomes is None or store is None or outcomes.correct.max() > 1:
        raise LoadError(
            run.source,
            Text("has verdicts of right and wrong, but no texts"),
            Text("Load the predictions with it, as the tool wrote them."),
        )
    work = partial(_read_all, correct=outcomes.correct, evaluator=run.evaluator)
    read = run.audited.get(lambda: store.apply(work, progress))
    if read is None:
        raise LoadError(
            run.source,
            Text("has references that are not options, numbers, formulas or short texts"),
            Text("Verdicts on programs and free texts have to be checked by people or a judge."),
        )
    kinds, names_reference, answers, count = read
    return Audit(kinds, names_reference, answers, count, run)


Found = tuple[NDArray[np.int8], NDArray[np.bool_], Answers, int | None]


def _read_all(
    store: Store,
    progress: Progress | None,
    *,
    correct: NDArray[np.int8],
    evaluator: str | None,
) -> Found | None:
    """Read all texts, wherever they are kept."""
    rows = len(correct)
    posed: list[QuestionTexts | None] = [None] * rows
    for row, texts in store.read_questions(range(rows)):
        posed[row] = QuestionTexts(texts.prompt[-1:], texts.reference, ())
    answers = asked_for([texts.reference for texts in posed if texts is not None], evaluator)
    if answers is None:
        return None
    reader = Reader.of(answers, (texts.reference or "" for texts in posed if texts is not None))
    kinds = np.full(correct.shape, NOT_READ, dtype=np.int8)
    named = np.zeros(correct.shape, dtype=bool)
    at = meter(progress, rows)
    for done, (row, predictions) in enumerate(store.read_predictions(rows)):
        at("", done)
        asked = posed[row]
        right = None if asked is None else reader.reference(asked.reference or "")
        if asked is None or right is None:
            continue
        rules = reader.rules(asked.prompt[0].text if asked.prompt else "")
        names = {is_right: reader.names(right, is_right) for is_right in (False, True)}
        for column, text in enumerate(predictions):
            if text is None or correct[row, column] < 0:
                continue
            held, _ = final(text)
            found = statements(held, *rules)
            is_right = bool(correct[row, column])
            kinds[row, column] = kind(found, len(held), is_right, names[is_right])
            named[row, column] = any(names[is_right](each.value) for each in found)
    return kinds, named, answers, len(reader.allowed) if answers == "option" else None
