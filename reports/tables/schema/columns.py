"""What each column of a table holds, judged by its name and type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import pyarrow as pa
from pyarrow import types

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.tables.schema.choosing import Accepts, Chooser, transposed_error
from reports.tables.schema.data_types import (
    is_anything,
    is_label,
    is_list_of_labels,
    is_list_of_numbers,
    is_list_of_texts,
    is_number,
    is_prompt,
    is_text,
)
from reports.tables.schema.design import design_in_words, holds_counts
from reports.tables.schema.equal_answers import (
    AnswerColumns,
    find_answers,
    require_unjudged,
    unjudged_error,
)
from reports.tables.schema.names import (
    ALIASES,
    ATTEMPTS,
    CORRECT,
    COVERED,
    DATASETS,
    EXTRACTED,
    LISTS_OF_SCORES,
    MEASURED,
    MEASURED_ONCE,
    MODELS,
    REASON,
    SCORE,
    VERDICT,
    WIDE_SCORES,
    WIDE_VERDICTS,
    is_embedding,
    is_stating,
    is_version,
    key,
)
from reports.tables.schema.questions import Questions
from reports.tables.schema.unsuitable import (
    no_outcomes,
    no_questions,
    require_named_verdicts,
)
from reports.tables.source import Source

MAX_COLUMNS = 5_000
"""Columns of one table."""
MAX_OTHERS = 64
"""Columns of numbers that are read though nothing is known of them."""

Shape = Literal["long", "wide", "list", "counts"]
Group = tuple[str, ...]


@dataclass(frozen=True)
class Columns:
    """The columns that will be read, by what they are."""

    # A row is a sample; a row is a question with a column for each sample, with a list, or with the
    # number of its samples and of the correct ones.
    shape: Shape
    # Every candidate for the verdicts and for the scores: a column of a long table or of lists, or
    # the columns of a wide table in the order of their numbers.
    correct: tuple[Group, ...] = ()
    score: tuple[Group, ...] = ()
    # Their columns, where there are any.
    question: str | None = None
    sample: str | None = None
    model: str | None = None
    dataset: str | None = None
    cluster: str | None = None
    error: str | None = None
    # Of counts: samples, correct samples or the share of them.
    n: str | int | None = None
    right: str | None = None
    rate: str | None = None
    extracted: Group = ()  # Columns of extracted answers; empty without any.
    reasons: Group = ()  # Columns that say why a sample ended; empty without any.
    segments: tuple[str, ...] = ()  # Columns that may divide the questions.
    # Columns of tokens_in, tokens_out, latency_s, cost and whatever else is a number.
    measured: Mapping[str, Group] = field(default_factory=dict)
    # Columns of texts, which are read when someone looks.
    prompt: str | None = None
    reference: str | None = None
    # Those of what the model said: one, or of a wide table one for each sample.
    predictions: Group = ()
    # Columns of few values that may tell models, datasets or settings apart.
    dividing: tuple[str, ...] = ()
    # Columns that do, or that mean nothing, as the user said.
    settings: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()  # What was decided about the columns.
    # Columns of numbers of a question, such as human_group, by what they are.
    once: Mapping[str, str] = field(default_factory=dict)
    # Columns of lists: the facts that a sample covers, and those that its question asks for.
    covered: Group = ()
    gold: str | None = None
    # Columns of vectors by their names.
    embeddings: Mapping[str, Group] = field(default_factory=dict)
    # Where there is no column of outcomes: those whose comparison gives the verdicts.
    answers: AnswerColumns | None = None
    # Whether a column is named as one of datasets is; otherwise the file's name stands in.
    names_dataset: bool = True

    @property
    def labels(self) -> tuple[str, ...]:
        """Columns whose values repeat and are read as codes."""
        single = (
            *(self.question, self.sample, self.model, self.dataset, self.cluster),
            *self.segments,
            *(() if self.shape == "list" else (*self.extracted, *self.reasons)),
            *(name for name in self.dividing if (name,) not in self.measured.values()),
            *self.settings,
            *self.others,
            *(self.answers or ()),
        )
        return tuple(dict.fromkeys(name for name in single if name is not None))

    @property
    def numbers(self) -> tuple[str, ...]:
        """Columns of numbers, or of lists."""
        groups = (*self.correct, *self.score, *self.measured.values())
        counts = (name for name in (self.n, self.right, self.rate) if isinstance(name, str))
        lists = (*self.extracted, *self.reasons) if self.shape == "list" else ()
        every = (
            *(name for group in groups for name in group),
            *counts,
            *lists,
            *self.once.values(),
        )
        return tuple(dict.fromkeys(every))

    @property
    def names(self) -> tuple[str, ...]:
        """Every column that is read, once."""
        error = (self.error,) if self.error else ()
        return tuple(dict.fromkeys((*self.labels, *self.numbers, *error)))

    @property
    def texts(self) -> tuple[str, ...]:
        """Every column of texts."""
        return tuple(filter(None, (self.prompt, self.reference, *self.predictions)))

    @property
    def lists(self) -> tuple[str, ...]:
        """Every column of lists that is read row by row, once it is known what a row is about."""
        groups = (self.covered, *self.embeddings.values())
        gold = (self.gold,) if self.gold else ()
        return (*(name for group in groups for name in group), *gold)

    @classmethod
    def of(cls, source: Source, schema: pa.Schema, first: pa.Table | pa.RecordBatch) -> Columns:
        """Choose the columns of a table.

        first: Some rows with the columns of text that `looked_at` names.
        Raises LoadError if there are too many columns, two of one name, or none that holds
        outcomes.
        """
        if len(schema) > MAX_COLUMNS:
            raise source.error(
                Text(
                    "has {got:,} columns; kofn reads up to {limit}",
                    got=len(schema),
                    limit=MAX_COLUMNS,
                ),
                Text("Write one row for each sample: question_id, sample, correct."),
            )
        return _chosen(Chooser(source, schema, first))


def _answers(chooser: Chooser, stated: Sequence[str]) -> AnswerColumns | None:
    """Return the columns whose comparison gives the verdicts, None where some are stated."""
    if stated:
        require_unjudged(chooser, stated)
        return None
    answers = find_answers(chooser)
    if answers is None:
        raise unjudged_error(chooser, no_outcomes(chooser))
    return answers


def _chosen(chooser: Chooser) -> Columns:
    shape, correct, score = _outcomes(chooser)
    sample = _sample(chooser)
    n = right = rate = None
    if shape == "long":
        n, right, rate = _counts(chooser, correct, score, sample)
        if right or rate:
            shape, correct, score = "counts", (), ()
    judged = (name for group in (*correct, *score) for name in group)
    answers = _answers(chooser, [*filter(None, (right, rate)), *judged])
    long = shape == "long"
    named = (chooser.first("model", is_label), chooser.first("dataset", is_label))
    of_runs = (*filter(None, named), *chooser.source.settings)
    outcomes = [name for group in (*correct, *score) for name in group]
    within = sample if long else None
    taken = {*outcomes, *of_runs, *chooser.source.apart, *([sample] if long and sample else ())}
    taken |= {name for name in (n, right, rate, *(answers or ())) if isinstance(name, str)}
    first = outcomes[0] if long and outcomes else None
    may_be = Questions(chooser, frozenset(taken), of_runs, within, first)
    question = _question(may_be, long)
    unnamed = question is None or (question == sample and chooser.rows.counts(question))
    if shape == "wide" and sample is not None and unnamed:
        raise transposed_error(chooser.source, (*correct, *score)[0])
    per_sample = is_list_of_numbers if shape == "list" else is_number
    if shape == "wide":
        width = len((*correct, *score)[0])
        measured = chooser.wide_measures(width)
        extracted, reasons = (
            next(iter(chooser.wide_groups(width, is_label, names).values()), ())
            for names in (EXTRACTED, REASON)
        )
    else:
        known = ((role, chooser.first(role, per_sample)) for role in MEASURED)
        measured = {role: (name,) for role, name in known if name and shape != "counts"}
        per_word = is_list_of_labels if shape == "list" else is_label
        extracted, reasons = (
            (name,) if shape != "counts" and (name := chooser.first(role, per_word)) else ()
            for role in ("extracted", "finish_reason")
        )
    columns = Columns(
        shape,
        correct,
        score,
        question=question,
        sample=within,
        model=named[0],
        dataset=named[1],
        cluster=chooser.first("cluster", is_label),
        error=chooser.first("error", lambda _: True) if long else None,
        n=n if shape == "counts" else None,
        right=right,
        rate=rate,
        extracted=(answers.extracted,) if answers else extracted,
        reasons=reasons,
        segments=tuple(chooser.find("segment", is_label)),
        measured=measured,
        settings=chooser.source.settings,
        others=chooser.source.others,
        once={role: name for role in MEASURED_ONCE if (name := chooser.first(role, is_number))},
        answers=answers,
        names_dataset=bool(named[1] or _OF_DATASETS & chooser.fields.keys()),
    )
    if long and chooser.source.labels and sample and chooser.is_numeric(sample):
        measured["sample"] = (sample,)
    columns = _with_lists(columns, chooser)
    if shape in ("long", "list"):
        used = (*columns.names, *columns.lists)
        others = [name for name in chooser.others(per_sample, used) if not is_version(key(name))]
        chooser.note_too_many(others[MAX_OTHERS:])
        measured |= {name: (name,) for name in others[:MAX_OTHERS]}
    columns = _with_texts(columns, chooser)
    chooser.note_lists((*columns.names, *columns.texts, *columns.lists))
    unknown = {group[0] for role, group in measured.items() if group == (role,)}
    taken = {*columns.names, *columns.texts} - {*columns.segments, *unknown}
    if not chooser.source.labels:
        columns = replace(columns, dividing=tuple(chooser.dividing(taken)))
    chooser.note_unread(columns.names)
    chooser.note_unused(_used(columns))
    return replace(columns, notes=tuple(chooser.notes))


def _sample(chooser: Chooser) -> str | None:
    """Return the column that numbers the samples, rather one of numbers; not what holds but one."""
    names = chooser.find("sample", is_label)
    if "sample" not in chooser.chosen:
        names = [n for n in names if key(n) not in ATTEMPTS or not chooser.rows.is_always(n)]
    return next((name for name in names if chooser.is_numeric(name)), next(iter(names), None))


def _question(may_be: Questions, long: bool) -> str | None:
    """Return the column that names the questions; None where a table needs none."""
    if "question_id" in may_be.chooser.chosen:
        question = may_be.chooser.first("question_id", is_label)
    else:
        question = may_be.of_samples() if long else may_be.of_blocks()
    if long and question is None:
        raise no_questions(may_be.chooser, may_be.possible)
    return question


def _used(columns: Columns) -> set[str]:
    """Return the columns of which something is made."""
    naming = {name for name in columns.dividing if key(name) in MODELS | DATASETS}
    looked_at = {*columns.dividing} - {*names_setting(columns)} - naming
    single = (columns.question, columns.sample, columns.model, columns.dataset, columns.cluster)
    groups = (columns.segments, columns.numbers, columns.extracted, columns.reasons)
    made = {*filter(None, single), *(name for group in groups for name in group)}
    return ({*columns.names} - looked_at) | made | {*columns.texts, *columns.lists}


def names_setting(columns: Columns) -> tuple[str, ...]:
    """Return the columns that are named as what tells how a run was made."""
    taken = (columns.model, columns.dataset, columns.question)
    candidates = (*columns.settings, *columns.dividing, *filter(None, (columns.sample,)))
    named = (name for name in candidates if is_stating(key(name)) or name in columns.settings)
    return tuple(dict.fromkeys(name for name in named if name not in taken))


def _counts(
    chooser: Chooser,
    correct: tuple[Group, ...],
    score: tuple[Group, ...],
    sample: str | None,
) -> tuple[str | int | None, str | None, str | None]:
    """Return the columns of counts: samples, right ones or their share; or ask what one is.

    Raises LoadError if what stands beside a number of samples may count right ones, or judge one
    sample.
    """
    n, right, rate = chooser.counts()
    mapped = {"c", "rate"} & chooser.chosen.keys()
    if (right or rate) and n is not None and (mapped or not correct):
        return n, right, rate
    ((name, *_), *_) = correct or (((right,),) if right else score) or (("",),)
    if not name or isinstance(n, int) or name in (chooser.chosen.get(r) for r in _JUDGED):
        return None, None, None
    each = sample is not None and key(sample) not in ATTEMPTS
    counting = [n] if n else chooser.attempts()
    boolean = types.is_boolean(chooser.schema.field(name).type)
    if each or boolean or not counting or chooser.repeats():
        return None, None, None
    for of in counting:
        most = chooser.most(name)
        if of == name or (not holds_counts(chooser.rows, of, name) and (correct or n is None)):
            continue
        if name == right or (correct and most > 1):
            return of, name, None
        if correct or n:
            raise _count_or_verdict(chooser, of, name, bool(correct))
    return None, None, None


def _count_or_verdict(chooser: Chooser, n: str, name: str, are_verdicts: bool) -> LoadError:
    problem = Text(
        "stands beside {n}, up to {most}, and each question has one row: it may be a count of "
        "right samples or a verdict on one",
        n=n,
        most=int(chooser.most(n)),
    )
    roles = ("c", "correct") if are_verdicts else ("rate", "score")
    right, of = chooser.rows.numbers(name), chooser.rows.numbers(n)
    gives = None
    if are_verdicts and right is not None and of is not None:
        ways = {"c": (of.astype(int), right / of), "correct": (np.ones(len(of), int), right)}
        gives = {
            role: Text(
                "{design}: {share:.1%}",
                design=design_in_words(counts),
                share=float(np.mean(shares)),
            )
            for role, (counts, shares) in ways.items()
        }
    return chooser.source.ask_what(problem, name, roles, gives)


def _with_lists(columns: Columns, chooser: Chooser) -> Columns:
    """Add the columns of facts and embeddings, of each sample or of all that a row has."""
    if columns.shape == "counts":
        return columns
    gold = chooser.first("gold_facts", is_prompt)
    if columns.shape == "wide":
        width = len((*columns.correct, *columns.score)[0])
        covered = chooser.wide_groups(width, is_prompt, COVERED)
        embeddings = chooser.wide_groups(width, is_prompt, filter(is_embedding, chooser.numbered))
        return replace(
            columns,
            gold=gold,
            covered=next(iter(covered.values()), ()),
            embeddings=embeddings,
        )
    covering, named = chooser.first("facts", is_prompt), chooser.embeddings()
    return replace(
        columns,
        gold=gold,
        covered=(covering,) if covering else (),
        embeddings={name: (name,) for name in named},
    )


def _with_texts(columns: Columns, chooser: Chooser) -> Columns:
    """Add the columns of texts, none of which is anything else."""
    judged_by = columns.answers.reference if columns.answers else None
    texts = columns.answers.extracted if columns.answers and chooser.source.judge else None
    read = {*columns.names} - {columns.question, judged_by, texts}

    def unused(role: str, accepts: Accepts) -> str | None:
        found = (name for name in chooser.find(role, accepts) if name not in read)
        return next(found, None)

    if columns.shape == "wide":
        predictions = chooser.wide_texts(len((*columns.correct, *columns.score)[0]))
    else:
        accepts = is_list_of_texts if columns.shape == "list" else is_text
        prediction = unused("prediction", accepts) if columns.shape != "counts" else None
        predictions = (prediction,) if prediction else ()
    return replace(
        columns,
        prompt=unused("prompt", is_prompt),
        reference=unused("reference", is_anything),
        predictions=predictions,
    )


def _outcomes(
    chooser: Chooser,
) -> tuple[Shape, tuple[Group, ...], tuple[Group, ...]]:
    """Return the shape of a table, and its candidates for verdicts and scores."""
    correct, score = (chooser.find(role, is_list_of_numbers, names) for role, names in _LISTS)
    if correct or (score and "correct" not in chooser.chosen):
        if not correct:
            require_named_verdicts(chooser)
        return "list", _alone(correct), _alone(score)
    if not chooser.is_single("correct", "score"):
        groups = (
            chooser.wide("correct", WIDE_VERDICTS),
            chooser.wide("score", WIDE_SCORES),
        )
        if any(groups):
            if not groups[0]:
                require_named_verdicts(chooser)
            return "wide", *chooser.as_wide(*groups)
    require_named_verdicts(chooser)
    correct, score = (chooser.find(role, is_number, names) for role, names in _SINGLE)
    if not (correct or "correct" in chooser.chosen or "score" in chooser.chosen):
        named = chooser.find("correct", is_number, VERDICT)
        correct = [name for name in named if chooser.rows.are_verdicts(name)]
    return "long", _alone(correct), _alone(score)


def _alone(names: list[str]) -> tuple[Group, ...]:
    return tuple((name,) for name in names)


_OF_DATASETS = {*ALIASES["dataset"], *DATASETS}
_JUDGED = ("correct", "score")
_LISTS = (("correct", CORRECT), ("score", LISTS_OF_SCORES))
_SINGLE = (("correct", CORRECT), ("score", SCORE))
