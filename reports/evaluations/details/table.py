"""Details as a table: entries with named fields, what each field means, and soft scores."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.json_files.interned import LONGEST, Interned

SCORES: Mapping[str, tuple[float | None, bool]] = {
    "iou": (0.5, False),
    "combined_score": (None, True),
    "score": (0.5, True),
}
"""Keys of a sample's score in the details: from what score on it is right, and whether the score
must exceed that. Where nothing judges by the score, more than one half counts, as in tables."""


@dataclass(frozen=True, eq=False, slots=True)
class SoftScores:
    """Scores of samples, in [0, 1], and from what score on a sample is right."""

    values: NDArray[np.float64]  # 0 where there is none. Shape (T,).
    # See `SCORES`.
    threshold: float | None
    strict: bool
    # Which samples have no score; None if all have one. Shape (T,).
    absent: NDArray[np.bool_] | None = None


def scores_of(key: str, values: Sequence[Any]) -> SoftScores | None:
    """Return the scores under a key of the details, one a sample; percentages as fractions.

    None if they are no such numbers, or none at all.

    Examples
    --------
    >>> scores_of("score", [100, 0, 100.0]).values.tolist()
    [1.0, 0.0, 1.0]
    """
    absent = np.array([value is None for value in values], dtype=bool)
    given = [value for value in values if value is not None]
    if not given or any(type(value) not in (int, float) for value in given):
        return None
    array = np.zeros(len(absent))
    array[~absent] = given
    if array.max() > 1:
        array = array / 100
    inside = bool((array >= 0).all() and (array <= 1).all())
    return SoftScores(array, *SCORES[key], absent if absent.any() else None) if inside else None


VERDICTS = ("correct", "is_correct", "cascade_correct", "passed", "accuracy")
ANSWERS = ("parsed", "parsed_pred", "extracted_answer", "pred", "predictions", "prediction")
REFERENCES = ("answer", "refr", "references", "reference", "ref", "gold", "org_uuid", "task_id")
PROMPTS = ("prompt",)
"""Keys of a field, the most telling first."""
FURTHER = (*VERDICTS, "is_strict_correct", "is_loose_correct")
"""Keys of verdicts that may stand beside the one that counts."""

NAME = "example_abbr"
"""Key of what an entry of a list is called: the dataset, and its number from 0."""
RAW = "pred"
"""Key of what the model said, where the answer found in it has another."""
REPLY = "prediction"
"""Key of what a judge said."""

_LETTER = re.compile("[AB]")
_NUMBER = re.compile(r".*_(\d{1,9})", re.DOTALL)
_AGAIN = Text("Evaluate again with --dump-eval-details, or copy the file again in full.")


class DetailTable:
    """Entries with named fields."""

    keys: Sequence[str]  # Of the fields of the first entry.
    # Whether the entries are those of an object, by their number, rather than of a list.
    named: bool
    moved: bool = False  # Whether the file has the entries in another order than their names say.
    file: str
    place: str

    def __len__(self) -> int:
        """Return how many entries there are."""
        raise NotImplementedError

    def first(self, key: str) -> Any:
        """Return a field of the first entry."""
        raise NotImplementedError

    def column(self, key: str | None, width: int | None) -> Interned | None:
        """Return one value a sample of a field, or None if there is no such field.

        A field is asked for once.
        """
        raise NotImplementedError

    def prompts(self) -> Interned | None:
        """Return something of each entry's prompt that is equal for equal prompts."""
        return self.column(self.key(PROMPTS), None)

    def key(self, names: Sequence[str]) -> str | None:
        """Return the first of some names that is a field."""
        return next((name for name in names if name in self.keys), None)

    def where(self, entry: int) -> str:
        """Return the place of an entry."""
        return f"{self.place}[{(str(entry) if self.named else entry)!r}]"

    def refused(self, problem: Text, place: str) -> LoadError:
        """Return the error of details that cannot be used."""
        return LoadError(self.file, problem, _AGAIN, place)

    @property
    def by_letter(self) -> bool:
        """Whether entries are what a judge was asked and replied."""
        return self.key(VERDICTS) is None and {"origin_prompt", REPLY} <= {*self.keys}

    @property
    def annotated(self) -> bool:
        """Whether the references are what annotators said."""
        key = self.key(REFERENCES)
        first = self.first(key) if key else None
        return are_annotations(first[:1] if isinstance(first, list) else [])

    @property
    def answers(self) -> str | None:
        """The field of the answers; none if it holds long texts and verdicts make do without."""
        key = self.key(ANSWERS)
        if key is None or self.by_letter:
            return None
        first = self.first(key)
        texts = [text for text in first if isinstance(text, str)] if isinstance(first, list) else []
        long = sum(map(len, texts)) > LONGEST * len(texts)
        return None if long and self.key(VERDICTS) and not self.annotated else key

    @property
    def raw(self) -> str | None:
        """The field of the predictions, where the answers found in them have another."""
        return RAW if RAW in self.keys and self.answers not in (None, RAW) else None

    def width(self) -> int | None:
        """Return how many samples an entry lists; None where its fields are scalars."""
        key = self.key(VERDICTS) or self.key(ANSWERS) or self.key(tuple(SCORES))
        if key is None or (first := self.first(key)) == []:
            raise self.refused(Text("holds neither verdict nor answer"), self.where(0))
        return len(first) if isinstance(first, list) else None

    def verdicts(self, width: int | None) -> NDArray[np.int8] | None:
        """Return the verdicts as 0 and 1."""
        if self.by_letter:
            replies: Sequence[Any] = self.column(REPLY, width) or ()
            return np.array([letter(reply) == "A" for reply in replies], np.int8)
        key = self.key(VERDICTS)
        values = self.column(key, width)
        if values is None:
            return None
        for code, value in enumerate(values.distinct):
            if not isinstance(value, bool | int | float) or value not in (0, 1):
                sample = int(np.argmax(values.codes == code))
                raise self.refused(
                    Text("found {got} where true or false was expected", got=value_in_words(value)),
                    f"{self.where(sample // (width or 1))}.{key}",
                )
        return values.spread(np.array(values.distinct, dtype=np.int8))

    @property
    def beside(self) -> list[str]:
        """The fields of further verdicts."""
        counts = self.key(VERDICTS)
        return [key for key in FURTHER if key in self.keys and counts not in (None, key)]

    def further(self, width: int | None) -> dict[str, NDArray[np.float64]]:
        """Return further verdicts as numbers, those that are."""
        found = {}
        for key in self.beside:
            try:
                values = self.column(key, width)
            except LoadError:
                continue  # only some samples have it
            if values is not None and all(
                isinstance(value, bool | int | float) for value in values.distinct
            ):
                found[key] = values.spread(np.array(values.distinct, dtype=np.float64))
        return found

    def scores(self, width: int | None) -> SoftScores | None:
        """Return the scores, where there are any."""
        key = self.key(tuple(SCORES))
        values = self.column(key, width)
        return None if key is None or values is None else scores_of(key, list(values))

    def silent(self, width: int | None) -> NDArray[np.bool_] | None:
        """Return which predictions are empty, where the answers found in them stand beside them."""
        values = self.column(self.raw, width)
        if values is None:
            return None
        return values.spread(np.array([value == "" for value in values.distinct], dtype=bool))


def ends_of(names: Sequence[Any]) -> list[int]:
    """Return the numbers that names of entries end in; -1 for none.

    Examples
    --------
    >>> ends_of(["gsm8k_test_12", "aime_7", "gsm8k", None])
    [12, 7, -1, -1]
    """
    found = [_NUMBER.fullmatch(name) if isinstance(name, str) else None for name in names]
    return [int(each[1]) if each else -1 for each in found]


def letter(reply: Any) -> str:
    """Return the first A, which finds an answer right, or B, wrong, in what a judge said."""
    found = _LETTER.search(str(reply))
    return found[0] if found else ""


def are_annotations(references: Sequence[Any]) -> bool:
    """Return whether there are references, and each is a list of what annotators said."""
    return bool(references) and all(
        isinstance(reference, list)
        and reference
        and all(
            isinstance(annotation, Mapping) and "answer" in annotation for annotation in reference
        )
        for reference in references
    )


def value_in_words(value: Any) -> Text | str:
    """Return what a message says of a value."""
    match value:
        case list():
            return Text("a list of {length}", length=len(value))
        case Mapping():
            return Text("an object")
    return json.dumps(value)[:40]
