"""Choose the column that names the questions by the table's design, or ask."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from pyarrow import types

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.json_files.interned import SHOWN
from reports.tables.schema.choosing import INDEX, Chooser, listed_names
from reports.tables.schema.data_types import is_label, is_text
from reports.tables.schema.design import (
    FirstRows,
    Reading,
    check,
    design_in_words,
    is_even,
    once,
    same_questions,
)
from reports.tables.schema.names import (
    ALIASES,
    ASKED,
    ATTEMPTS,
    CORRECT,
    ID,
    OF_ROWS,
    OF_ROWS_ALONE,
    PROMPT,
    QUESTION,
    SAMPLE,
    SCORE,
    USUAL,
    VERDICT,
    key,
)

_MOST = 64
_FEW = 12
_OF_SAMPLES = re.compile(
    r"(.+)[_\-/:# ](?:s|sample|run|trial|attempt|try|rep|repeat|epoch|gen|rollout)[_\-# ]?\d+",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Questions:
    """What may name the questions of a table, and what stands beside it."""

    chooser: Chooser
    used: frozenset[str]  # Columns that are something else.
    runs: tuple[str, ...]  # Columns of models, datasets and settings.
    sample: str | None = None
    outcome: str | None = None  # A column of verdicts, whose mean is shown where it is asked.

    @property
    def head(self) -> FirstRows:
        """The first rows."""
        return self.chooser.rows

    @cached_property
    def dividing(self) -> list[str]:
        """Columns of few values that may part the rows."""
        return self.chooser.dividing((*self.used, *self.runs))[:_FEW]

    def _columns_named(self, names: Sequence[str]) -> list[str]:
        """Return the columns of some names, in the order of these."""
        known = (self.chooser.fields.get(name) for name in names)
        return [
            column.name
            for column in known
            if column and is_label(column.type) and column.name not in self.used
        ]

    @cached_property
    def named(self) -> list[str]:
        """Columns named as ids of questions are, and nothing else."""
        return self._columns_named([name for name in QUESTION if name not in OF_ROWS])

    @cached_property
    def of_rows(self) -> list[str]:
        """Columns named as ids are, of questions or of rows; those of rows alone come last."""
        return self._columns_named(OF_ROWS)

    @cached_property
    def texts(self) -> list[str]:
        """Columns of what was asked."""
        return self._columns_named(PROMPT)

    @cached_property
    def numbering(self) -> list[str]:
        """Columns named as numbers of samples are, which may be ids where none numbers them."""
        return [name for name in self._columns_named(SAMPLE) if not self._counts_rows(name)]

    @cached_property
    def asked(self) -> list[str]:
        """Those of them that are the same in every sample of a question."""
        return [name for name in self.texts if key(name) in ASKED]

    @cached_property
    def index(self) -> list[str]:
        """Columns that number rows or requests, unless they happen to name questions."""
        alone = [name for name in self.of_rows if key(name) in OF_ROWS_ALONE]
        unnamed = [name for name in self.chooser.unnamed() if name not in self.used]
        like_ids = [name for name in self.unknown if ID.fullmatch(key(name))]
        rest = [name for name in self.of_rows if name not in alone]
        numbers = [name for name in (*unnamed, *like_ids, *rest) if self._counts_rows(name)]
        named = [name for name in unnamed if name not in numbers]
        return [*named, *alone, *(name for name in numbers if name not in unnamed)]

    @cached_property
    def ids(self) -> list[str]:
        """Columns named as ids are, those last whose names no list has."""
        like_ids = (name for name in self.unknown if ID.fullmatch(key(name)))
        return [name for name in (*self.of_rows, *like_ids) if name not in self.index]

    @cached_property
    def unknown(self) -> list[str]:
        """Columns whose names no list has."""
        known = {
            *(*PROMPT, *CORRECT, *SCORE, *VERDICT, *ATTEMPTS, *INDEX),
            *(name for names in ALIASES.values() for name in names),
            *(name for name in USUAL if not ID.fullmatch(name)),
        }
        found = [
            column.name
            for name, column in self.chooser.fields.items()
            if name not in known
            and column.name not in self.used
            and is_label(column.type)
            and (is_text(column.type) or types.is_integer(column.type) or ID.fullmatch(name))
            and not types.is_boolean(column.type)
            and not types.is_null(column.type)
            and not self.chooser.is_one_of_several(name)
        ]
        return found[:_MOST]

    @cached_property
    def _rivals(self) -> list[str]:
        """Columns that may name the questions though they are not named as ids of these."""
        unnamed = [name for name in self.chooser.unnamed() if name not in self.used]
        return [*self.of_rows, *self.texts, *unnamed, *self.unknown, *self._columns_named(SAMPLE)]

    def _look(self) -> None:
        """Read at once what is compared in nearly every table: no long texts, no unknown words."""
        rivals = (name for name in self._rivals if name not in self.texts or name in self.asked)
        likely = (n for n in rivals if n not in self.unknown or ID.fullmatch(key(n)))
        compared = (*self.runs, *filter(None, (self.sample, self.outcome)))
        self.head.look((*self.named, *likely, *compared))

    def _counts_rows(self, name: str) -> bool:
        """Whether a column has the numbers of all rows, in any order."""
        rows = len(self.head.values(name))
        held = {str(value) for value in self.head.values(name)}
        return any(held == {*map(str, range(n, n + rows))} for n in (0, 1))

    def of_blocks(self) -> str | None:
        """Return what names the questions of a table that has one row for each.

        Raises LoadError if several columns of unknown names could.
        """
        if len(self.named) == 1:
            return self.named[0]
        self._look()
        named = [*self.named, *self.ids, *self.texts, *self.index]
        others = [
            name
            for name in (*self.unknown, *self.numbering)
            if name not in named and is_text(self.chooser.schema.field(name).type)
        ]
        rows = [name for name in self.of_rows if self._counts_rows(name)]
        for wanted, tier in (
            *(("single", self.named), ("parted", self.named)),
            *(("single", self.ids), ("parted", self.ids), ("parted", self.texts)),
            *(("single", [] if rows else self.texts),),
        ):
            if fits := [name for name in tier if self._naming_status(name) == wanted]:
                self._note(fits[0])
                return fits[0]
            repeated = [name for name in tier if name in (*self.named, *self.of_rows)]
            if repeated and wanted == "parted":
                return repeated[0]
        requests = [name for name in self.index if not self._counts_rows(name)]
        fits = [name for name in (*requests, *others) if self._naming_status(name) == "parted"]
        single = [name for name in (*requests, *others) if self._naming_status(name) == "single"]
        fits = [*fits, *single] if fits or not rows else rows[:1]
        if len(fits) > 1:
            problem = Text("{columns} may each name the questions", columns=listed_names(fits))
            raise self.chooser.source.ask(problem, "question_id", tuple(fits))
        for name in fits:
            self._note(name)
            return name
        return None

    def _naming_status(self, name: str) -> str:
        """Check that a column names a question in every row; long texts are no names."""
        held = self.head.values(name)
        is_long = max((len(value) for value in held if isinstance(value, str)), default=0) > SHOWN
        if is_long and name not in (*self.named, *self.of_rows):
            return "failed"
        return once(self.head, name, self.runs, self.dividing)

    def of_samples(self) -> str | None:
        """Return what names the questions of a table that has a row for each sample.

        Raises LoadError if several columns could, and differ, or what is named so cannot.
        """
        if len(self.named) == 1 and not self._rivals:
            return self.named[0]  # nothing else could be meant
        self._look()
        others = [*self.unknown, *self.numbering]
        every = (*self.named, *self.ids, *self.asked, *self.index, *self.texts, *others)
        if not self.head.rows(every):
            return next(iter(every), None)
        prompts = [name for name in self.texts if name not in self.asked]
        for tier, rivals in (
            (self.named, self.asked),
            ([*self.ids, *self.asked], prompts),
            ([*prompts, *self.index], others),
        ):
            passing = self._passing(tier)
            standing = next(filter(self._stands, tier), None)
            stands = standing in self.of_rows and standing not in self.index
            if passing and not (stands and not {*passing} & {*self.asked}):
                return self._settled([*passing, *self._disagreeing(passing[0])])
            if standing is not None:
                rivals = [*self._passing(rivals), *self._repeating(rivals, standing)]
                return self._settled([standing, *passing, *rivals])
        counted = self.sample is not None and self.head.counts(self.sample)
        if counted and (passing := self._passing(others)):
            return self._settled(passing)
        return self._failing()

    def _stands(self, name: str) -> bool:
        """Whether each row may be a question; one text throughout is none where there are ids."""
        alone = len(self._reading(name).questions) == 1 and name in self.texts
        return self._reading(name).stands and not (alone and (self.ids or self.unknown))

    def _settled(self, names: Sequence[str]) -> str:
        """Return the first of some columns, unless they part the rows in several ways."""
        apart: list[str] = []
        for name in names:
            if not any(same_questions(self.head, one, name, self.runs) for one in apart):
                apart.append(name)
        if len(apart) > 1:
            raise self._ask(apart)
        self._require_plain(names[0])
        self._note(names[0])
        return names[0]

    def _require_plain(self, name: str) -> None:
        """Refuse ids of which each names a sample too, unless a column numbers the samples."""
        if self.sample is not None:
            return
        marks = [_OF_SAMPLES.fullmatch(str(value)) for value in self.head.values(name)]
        counts = np.array([*Counter(match and match[1] for match in marks).values()])
        if all(marks) and len(counts) > 1 and is_even(counts) and np.bincount(counts).argmax() > 1:
            raise self.chooser.source.error(
                Text(
                    "names such as {name:.40} seem to say which sample of a question a row is: "
                    "{design}",
                    name=marks[0][0] if marks[0] else "",
                    design=design_in_words(counts),
                ),
                Text(
                    "Write the number of the sample in a column sample, and the question alone "
                    "here. If each is a question of its own, say --column question_id={column}.",
                    column=shlex.quote(f"{name:.60}"),
                ),
                name,
            )

    @cached_property
    def _known(self) -> dict[str, Reading]:
        return {}

    def _reading(self, name: str) -> Reading:
        if name not in self._known:
            about = (self.sample, self.runs, self.dividing, self.outcome)
            self._known[name] = check(self.head, name, *about)
        return self._known[name]

    def _passing(self, names: Sequence[str]) -> list[str]:
        self.head.look(names)
        likely = (*self.named, *self.ids, *self.texts, *self.index)
        return [
            name
            for name in names
            if self._reading(name).status == "proven"
            or (self._reading(name).status == "parted" and name in likely)
        ]

    def _repeating(self, names: Sequence[str], standing: str) -> Iterator[str]:
        """Yield what repeats as questions do, unevenly, beside a column that numbers the rows."""
        for name in names if standing in self.index else ():
            counts = self._reading(name).questions
            if self._reading(name).status == "uneven" and counts.max() < len(counts):
                yield name

    def _disagreeing(self, question: str) -> Iterator[str]:
        """Yield the columns of what was asked in which one question has several texts."""
        self.head.look(self.asked)
        for name in self.asked:
            if name != question and not self.head.agree(question, name, self.runs):
                yield name

    def _failing(self) -> str | None:
        """Return what is named as an id though it cannot be one, which is said later; or ask.

        Raises LoadError if it only numbers the rows.
        """
        for name in (*self.named, *self.of_rows, *self.asked):
            of = self._reading(name).questions
            scarce = len(of) < 2 * self.head.distinct(str(self.sample)) if self.sample else True
            if name in self.named or scarce or len(of) < of.sum() or not self.head.is_whole(name):
                return name
        for name in (*self.of_rows, *self.chooser.unnamed()):
            problem = Text(
                "has a first column without a name that numbers its rows, and none that says which "
                "question a row belongs to"
            )
            if name in self.of_rows:
                problem = Text(
                    "{column} is different in every row, although {sample} numbers the samples "
                    "of each question, and no other column says which question a row belongs to",
                    column=name,
                    sample=self.sample,
                )
            others = (*self.texts, *self.unknown, *self.numbering, *self.dividing, *self.runs)
            candidates = tuple(each for each in dict.fromkeys(others) if each != name)
            if candidates:
                raise self.chooser.source.ask(problem, "question_id", candidates)
            fix = Text("Name the questions in a column question_id.")
            raise self.chooser.source.error(problem, fix)
        return None

    @cached_property
    def possible(self) -> dict[str, Text]:
        """What else may name the questions, the likeliest first, and what the table then is."""
        names = [
            column.name
            for column in self.chooser.fields.values()
            if is_label(column.type) and column.name not in {*self.used, *self.runs}
        ]
        self.head.look(names)
        readings = [self._reading(name) for name in names if self.head.rows([name])]
        readings = [reading for reading in readings if reading.status != "failed"]
        readings.sort(
            key=lambda each: (each.status != "proven", np.ptp(each.questions), -len(each.questions))
        )
        return {reading.column: reading.text for reading in readings}

    def _ask(self, names: Sequence[str]) -> LoadError:
        problem = Text(
            "{columns} may each say which question a row belongs to, and they differ",
            columns=listed_names(names),
        )
        gives = {name: self._reading(name).text for name in names}
        return self.chooser.source.ask(problem, "question_id", tuple(names), gives)

    def _note(self, name: str) -> None:
        """Say which column was taken where its name does not say it alone."""
        reading = self._known.get(name)
        if name in self.named or (name in self.of_rows and name not in self.index):
            return
        if name in self.chooser.unnamed():
            what = Text(
                "The first column has no name; kofn takes its values as the names of the questions."
            )
        elif reading is not None and reading.status == "proven":
            what = Text(
                "Questions are told apart by {column}: {design}.",
                column=f"{name:.60}",
                design=reading.text,
            )
        else:
            what = Text("Questions are named by {column}.", column=f"{name:.60}")
        self.chooser.notes.append(Note(what, self.chooser.source.place))
