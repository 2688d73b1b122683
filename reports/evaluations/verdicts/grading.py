"""Turn details into verdicts, scores and answers, ordered by question and sample."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.evaluations.details import Details
from reports.evaluations.details.table import are_annotations
from reports.evaluations.files.codes import NO_ANSWER, as_text, codes, labelled_codes
from reports.evaluations.verdicts.grouping import (
    Grouping,
    as_stored,
    count_mixed,
    find_grouping,
)
from reports.files.errors import LoadError
from reports.json_files.interned import Interned
from reports.json_files.strict import parse
from reports.rescoring.rule import Prediction, Rule
from reports.rescoring.rules import judges_by_equality, rules_of_replies
from reports.rescoring.vqa import THRESHOLD, normalise, vqa_accuracies
from reports.run.reconcile import agree, is_headline

KEYS = ("split", "category", "l2-category")
LONGEST = 64
"""Letters of a label in a reference."""


def labels_in(reference: Any) -> Mapping[str, Any]:
    """Return the labels in a reference, an object or the JSON of one.

    Examples
    --------
    >>> labels_in('{"answer": "A", "category": "math"}'), labels_in("A")
    ({'category': 'math'}, {})
    """
    if isinstance(reference, str) and reference.startswith("{"):
        try:
            reference = parse(reference.encode("utf-8", "surrogatepass"), "")
        except LoadError:
            return {}
    labels = reference if isinstance(reference, Mapping) else {}
    return {key: labels[key] for key in KEYS if key in labels}


def segments_of(labels: Sequence[Mapping[str, Any] | None]) -> dict[str, list[str]]:
    """Return the label of each question by kind, of those kinds that all references name.

    labels: Sequence of M mappings or None. Those in the reference of each question; None where that
        is not known.

    Examples
    --------
    >>> segments_of([{"split": None, "category": "math"}, None])
    {'category': ['math', '']}
    """
    known = [values for values in labels if values is not None]
    return {
        key: ["" if values is None else values[key] for values in labels]
        for key in KEYS
        if known and all(_is_label(values.get(key)) for values in known)
    }


def _is_label(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST


BY_LETTER = Text(
    "The verdicts are those of a judge: an answer is right where the judge's reply has an A before "
    "any B."
)


@dataclass(frozen=True, eq=False, slots=True)
class Grades:
    """What the evaluator found, for the D' questions of the details in their order."""

    verdicts: NDArray[np.int8]  # Those it gave to failed requests included. Shape (D', n).
    scores: NDArray[np.float64] | None  # Shape (D', n).
    answers: NDArray[np.signedinteger] | None  # Codes; -1 where there is none. Shape (D', n).
    references: list[str] | None
    grouping: Grouping
    # Whether the file holds the verdicts; otherwise they come from comparing texts, or a rule.
    judged: bool
    # threshold, strict: From what score on a sample is right, and whether the score must exceed it.
    threshold: float | None = None
    strict: bool = True
    stored_scores: bool = False
    # Samples that a judge was asked about, each by itself; None for an evaluator, which sees a
    # replica at a time, empty answers to failed requests included.
    seen: int | None = None
    # Samples that were answered, but the judge did not give a usable judgement of, or kofn could
    # not compare. Their verdicts are 0, as the tool counts them. Shape (D', n).
    unjudged: NDArray[np.bool_] | None = None
    # Samples that have no score though others do. Their verdicts are made of scores; where they are
    # not, all scores are left out. Shape (D', n).
    unscored: NDArray[np.bool_] | None = None
    remark: Text | None = None  # What a reader must know of how the verdicts were found.
    rule: Text | None = None  # By what kofn judged the predictions itself.
    # Of the questions, where they are known to be others than 0 … D' - 1. Shape (D',).
    ids: NDArray[np.intp] | None = None
    labels: Sequence[str] | None = None  # The answer of each code.
    by_id: bool = True  # Whether the questions are in the order of their ids.
    wrong_only: bool = False  # Whether the file holds no other samples than wrong ones.
    # What the references say of their questions; "" where that is not known.
    segments: Mapping[str, Sequence[str]] = field(default_factory=dict)
    # Questions of which nothing is left, where the last line is cut and had the only sample.
    lost: int = 0
    # Samples whose prediction is an empty text, where the file says so. Shape (D', n).
    silent: NDArray[np.bool_] | None = None
    # Verdicts beside those that count, by the names that the file has for them. Shape (D', n).
    further: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Samples that an evaluator found an answer in or, if it keeps none, found right."""
        if self.rule is not None or self.wrong_only or self.seen is not None:
            return np.zeros(self.verdicts.shape, dtype=bool)
        if self.silent is not None:
            return ~self.silent
        return self.verdicts == 1 if self.answers is None else self.answers >= 0

    @property
    def correct_as_stored(self) -> NDArray[np.int64]:
        """Correct samples of each question as the tool groups them, shape (D',)."""
        flat = self.grouping.by_position(self.verdicts)
        return np.asarray(as_stored(flat, *self.verdicts.shape).sum(axis=1, dtype=np.int64))


def grade(
    details: Details,
    n: int,
    stated: Mapping[str, float],
    evaluator: str | None,
    mixes: bool,
) -> Grades | None:
    """Put details in order and give each sample its verdict.

    n: Samples of each question.
    stated: The file's metrics, as fractions.
    evaluator: Its class name, where the configuration tells.
    mixes: Whether the tool is known to mix the samples of different questions.
    Returns: None if there are no verdicts, and equality of texts is not the evaluator's rule.
    Raises LoadError if the samples cannot be told apart by question.
    """
    grouping = _group(details, n, mixes)
    flat, stored = details.verdicts, details.scores
    judged = flat is not None or (stored is not None and stored.threshold is not None)
    if flat is None and stored is not None and stored.threshold is not None:
        flat = (stored.values > stored.threshold).astype(np.int8)
    if flat is None:
        flat = _by_equality(details, grouping.positions(n - 1), stated, evaluator)
    if flat is None:
        return None
    scores = None if stored is None else grouping.of_questions(stored.values)
    unscored = None
    if stored is not None and stored.absent is not None:
        unscored = grouping.of_questions(stored.absent)
        scores = scores if judged and details.verdicts is None else None
    threshold, strict = (stored.threshold, stored.strict) if stored else (None, True)
    answers = details.answers
    references = details.references
    if answers is not None and references is not None and are_annotations(references.distinct):
        scores = _soft_scores(answers, references, grouping)
        threshold, strict = THRESHOLD, True
        answers = Interned(normalise(as_text(answer)) for answer in answers)
    if "Judge" in (evaluator or ""):
        answers = None
    if answers is not None and references is not None:
        rules = rules_of_replies(evaluator, references.distinct[0])
        answers = _answers_within(answers, references, flat, rules) if rules else answers
    numbers, labels = (None, None) if answers is None else labelled_codes(answers, NO_ANSWER)
    right = [] if references is None else [references[i] for i in grouping.positions(0)]
    return Grades(
        grouping.of_questions(flat),
        scores,
        None if numbers is None else grouping.of_questions(numbers),
        None if references is None else list(map(as_text, right)),
        grouping,
        judged,
        threshold,
        strict,
        scores is not None and stored is not None,
        unscored=unscored,
        remark=BY_LETTER if details.by_letter else None,
        labels=labels,
        segments=segments_of(list(map(labels_in, right))),
        silent=None if details.silent is None else grouping.of_questions(details.silent),
        further={name: grouping.of_questions(each) for name, each in details.further.items()},
    )


def samples_per_question(details: Details, expected: Sequence[int]) -> int:
    """Return n where entries are single samples: the first that the references bear out.

    expected: Most trusted first. Failing these, runs of equal prompts tell.
    """
    references = codes(details.references or [0] * details.size)
    by_prompts = (_length_of_runs(prompts()) for prompts in [details.prompts] if prompts)
    for n in chain(expected, by_prompts):
        if n < 1 or details.size % n:
            continue
        if not count_mixed(as_stored(references, details.size // n, n)):
            return n
    return 1


def _length_of_runs(values: Sequence[Any] | None) -> int:
    """Return the length of which all runs of equal values are multiples."""
    return math.gcd(*(len(list(run)) for _, run in groupby(codes(values or []).tolist())))


def _group(details: Details, n: int, mixes: bool) -> Grouping:
    questions = details.size // n
    if details.n is None:
        return Grouping((questions, n), known="proven" if _tells(details, n) else "stated")
    references = None if details.references is None else codes(details.references)
    grouping = find_grouping(references, questions, n, assume_scrambled=mixes)
    if grouping is None:
        raise LoadError(
            details.file,
            Text(
                "references differ within questions, whether samples are read as stored or as "
                "AISBench mixes them, so samples cannot be assigned to questions"
            ),
            Text("Evaluate again; if that does not help, give the outcomes as a Parquet table."),
            details.place,
        )
    return grouping


def _tells(details: Details, n: int) -> bool:
    """Return whether references or prompts change where questions do, and only there."""
    questions = details.size // n
    if min(questions, n) == 1:
        return True
    columns = (details.references, details.prompts and details.prompts())
    grouped = (find_grouping(codes(c), questions, n, False) for c in columns if c is not None)
    return any(one and one.known == "proven" and not one.scrambled for one in grouped)


def _answers_within(
    replies: Sequence[Any], references: Sequence[Any], flat: NDArray[np.int8], rules: Iterable[Rule]
) -> Interned | None:
    """Return the answers in whole replies, found by the rule that gives the verdicts, if one does.

    The same answer may be given in many ways, and each would be an answer of its own.
    """
    for rule in rules:
        pairs = zip(replies, references, strict=True)
        marks = list(rule.mark(Prediction(as_text(reply), right) for reply, right in pairs))
        credits = [None if mark is None else mark.credit for mark in marks]
        if credits == flat.tolist():
            return Interned(mark and mark.answer for mark in marks)
    return None


def _by_equality(
    details: Details,
    last: NDArray[np.intp],
    stated: Mapping[str, float],
    evaluator: str | None,
) -> NDArray[np.int8] | None:
    """Compare each answer with its reference, if the evaluator does so.

    Without its name it does if that gives the stated number, and some are equal.
    """
    if details.answers is None or details.references is None:
        return None
    pairs = zip(details.answers, details.references, strict=True)
    equal = np.array([as_text(given) == as_text(right) for given, right in pairs], np.int8)
    headlines = [value for metric, value in stated.items() if is_headline(metric)]
    borne_out = equal.any() and any(agree(value, equal[last].mean()) for value in headlines)
    known = judges_by_equality(evaluator) or (evaluator is None and borne_out)
    return equal if known else None


def _soft_scores(
    answers: Sequence[Any], references: Sequence[Any], grouping: Grouping
) -> NDArray[np.float64]:
    rows = zip(*map(grouping.positions, range(grouping.shape[1])), strict=True)
    return np.array(
        [vqa_accuracies([as_text(answers[i]) for i in row], references[row[0]]) for row in rows]
    )
