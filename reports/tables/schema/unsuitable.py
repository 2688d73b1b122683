"""Tables whose columns are unclear: what to ask, and what to write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

import pyarrow as pa

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.tables.schema.choosing import Chooser, listed_names, transposed_error
from reports.tables.schema.data_types import (
    holds_objects,
    is_list_of_numbers,
    is_list_of_texts,
    is_number,
    is_text,
)
from reports.tables.schema.names import (
    ALIASES,
    OF_QUESTIONS,
    TEXTS,
    VERDICT,
    WIDE_SCORES,
    WIDE_VERDICTS,
    key,
)
from reports.tables.schema.spelled import are_few, unknown_words, verdict_columns, words_of

_FEW_WORDS = 5
"""The most different words of a column that may be one of verdicts."""
_OF_VERDICT = 3
"""The most words of a verdict that occurs once."""
_NAME_IT = Text(
    "Name the column of verdicts correct (0 or 1), or that of soft scores score (0 to 1); counts "
    "of right samples c, beside n."
)
_ORDINALS = {
    *("first", "second", "third", "fourth", "fifth", "one", "two", "three", "four", "five"),
    *"abcdefghxyz",
}


def no_outcomes(chooser: Chooser) -> LoadError:
    """Say that no column holds outcomes, and ask for one where there is any to choose."""
    chosen = (chooser.chosen.get(role) for role in ("correct", "score"))
    if held := [name for name in chosen if name in chooser.schema.names]:
        return _unsuited(chooser, chooser.schema.field(held[0]))
    in_words = _wide_in_words(chooser)
    named = chooser.chosen.get("correct")
    for prefix in WIDE_VERDICTS if named is None else (key(named),):
        if prefix in in_words:
            return _unknown_words(chooser, in_words[prefix])
    names = (*ALIASES["correct"], *ALIASES["score"])
    unsuited = [chooser.fields[name] for name in names if name in chooser.fields]
    rates = chooser.rates()
    likely = [n for n in _likely(chooser) if n not in {*rates, *(of.name for of in unsuited)}]
    if unsuited and not likely:
        return _unsuited(chooser, unsuited[0])
    if rates and not likely:
        return _rate_alone(chooser, rates[0])
    wide = {
        prefix: group
        for prefix in chooser.numbered
        if prefix and prefix not in chooser.fields and (group := chooser.group(prefix, is_number))
    }
    head = chooser.rows
    numbers = [n for n in (*likely, *chooser.others(is_number, ())) if chooser.is_numeric(n)]
    head.look([*numbers, *(name for group in wide.values() for name in group)])
    scores = {name for name in numbers if head.are_scores(name)}
    wide = in_words | {p: group for p, group in wide.items() if all(map(head.are_scores, group))}
    found = (*likely, *_in_words(chooser), *numbers, *chooser.others(is_list_of_numbers, ()))
    of_wide = {name for group in wide.values() for name in group}
    others = [
        name
        for name in dict.fromkeys(found)
        if name not in of_wide and (name in scores or name not in numbers)
    ]
    if side_by_side := _side_by_side(others):
        return _as_samples(chooser, side_by_side)
    problem = Text(
        "has no column of outcomes among {names}", names=listed_names(chooser.schema.names)
    )
    if wide:
        problem = Text(
            "{problem}, where the numbered ones go together as {wide}",
            problem=problem,
            wide=listed_names([*wide]),
        )
    if of_questions := [name for p, group in wide.items() if p in OF_QUESTIONS for name in group]:
        return transposed_error(chooser.source, of_questions)
    candidates = (*wide, *others)
    if not candidates:
        return chooser.source.error(problem, _what_is_nested(chooser) or _NAME_IT)
    return chooser.source.ask(problem, "correct", candidates)


def _side_by_side(names: Collection[str]) -> list[str]:
    """Return the columns that may each be a sample, by names such as correct_a and correct_b."""
    for word in (*ALIASES["correct"], *ALIASES["score"], *filter(None, WIDE_SCORES)):
        found = [name for name in names if _is_one_of(key(name), word)]
        if len(found) > 1:
            return found
    return []


def _is_one_of(name: str, word: str) -> bool:
    if word == "第":
        return name.startswith(word)
    return name.startswith(f"{word}_") or name.removesuffix(f"_{word}") in _ORDINALS


def _as_samples(chooser: Chooser, columns: list[str]) -> LoadError:
    return chooser.source.error(
        Text(
            "{columns} may each be a sample of the same question, or the verdicts on a model",
            columns=listed_names(columns),
        ),
        Text(
            "If they are samples, call them correct_1, correct_2, correct_3; if they are models, "
            "write a row for each, or name the column of one: --column correct=NAME."
        ),
    )


def require_named_verdicts(chooser: Chooser) -> None:
    """Never go past a column that is named a verdict, to one that is not.

    Raises LoadError if none of the columns named so holds verdicts, and one does not say what its
    words mean.
    """
    if {"correct", "score", "c", "rate"} & chooser.chosen.keys():
        return
    for names in (ALIASES["correct"], VERDICT):
        named = [
            column
            for column in map(chooser.fields.get, names)
            if column is not None and column.name not in chooser.source.apart
        ]
        if any(is_number(column.type) or is_list_of_numbers(column.type) for column in named):
            return
        for column in named:
            words = words_of(chooser.source, column.name) if is_text(column.type) else None
            if words and (names is ALIASES["correct"] or _may_be_verdicts(words)):
                raise unknown_words(chooser.source, column.name, words)
    for prefix in WIDE_VERDICTS:
        if group := chooser.group(prefix, is_text):
            raise _unknown_words(chooser, group)


def no_questions(chooser: Chooser, possible: Mapping[str, Text]) -> LoadError:
    """Say that nothing tells the questions apart, and ask for it; say what each column gives."""
    if (rates := chooser.rates()) and not chooser.find("correct", is_number):
        return _rate_alone(chooser, rates[0])
    problem = Text("has outcomes but no column that says which question a row belongs to")
    if not possible:
        return chooser.source.error(problem, Text("Name that column question_id."))
    return chooser.source.ask(problem, "question_id", tuple(possible), possible)


def _likely(chooser: Chooser) -> list[str]:
    """Return the columns whose first values are verdicts, in words or as 0 and 1."""
    ids = {*ALIASES["question_id"], *ALIASES["sample"]}
    names = [
        column.name
        for name, column in chooser.fields.items()
        if name not in ids and (is_text(column.type) or is_number(column.type))
    ]
    return verdict_columns(chooser.source, names)


def _wide_in_words(chooser: Chooser) -> dict[str, tuple[str, ...]]:
    """Return the numbered columns of text that hold a few words again and again."""
    groups = {
        prefix: chooser.group(prefix, is_text)
        for prefix in chooser.numbered
        if prefix and prefix not in (*chooser.fields, *TEXTS)
    }
    return {
        prefix: group
        for prefix, group in groups.items()
        if group and _may_be_verdicts(_words(chooser, group))
    }


def _words(chooser: Chooser, columns: Iterable[str]) -> Counter[str]:
    """Return how often some columns hold which words."""
    return sum((words_of(chooser.source, name) for name in columns), Counter())


def _unknown_words(chooser: Chooser, columns: tuple[str, ...]) -> LoadError:
    return unknown_words(chooser.source, columns[0], _words(chooser, columns))


def _in_words(chooser: Chooser) -> list[str]:
    """Return the columns of text that hold a few words again and again."""
    return [
        column.name
        for name, column in chooser.fields.items()
        if is_text(column.type)
        and not {name} & {*ALIASES["question_id"], *ALIASES["sample"], *ALIASES["model"], *TEXTS}
        and _may_be_verdicts(words := words_of(chooser.source, column.name))
        and len(words) > 1
    ]


def _may_be_verdicts(words: Counter[str]) -> bool:
    return are_few(words) and len(words) <= _FEW_WORDS and not _are_prose(words)


def _are_prose(texts: Counter[str]) -> bool:
    """Whether texts are sentences rather than verdicts: none occurs again, and one has words."""
    return max(texts.values()) == 1 and any(len(text.split()) > _OF_VERDICT for text in texts)


def _unsuited(chooser: Chooser, column: pa.Field) -> LoadError:
    if is_list_of_texts(column.type):
        return chooser.source.error(
            Text("holds lists of words; verdicts in a list must be numbers or booleans"),
            Text(
                "Write lists such as [1, 0, 1], or a row for each sample, where words such as yes "
                "and no are read."
            ),
            column.name,
        )
    if is_text(column.type):
        return unknown_words(chooser.source, column.name, words_of(chooser.source, column.name))
    return chooser.source.error(
        Text(
            "holds {type:.60}; outcomes must be booleans, numbers, lists of them, or words such as "
            "yes and no",
            type=str(column.type),
        ),
        Text("Write 1 or true for right, 0 or false for wrong, and null for a failed request."),
        column.name,
    )


def _rate_alone(chooser: Chooser, column: str) -> LoadError:
    return chooser.source.error(
        Text("holds a rate, but no column says of how many samples"),
        Text(
            "Without their number no interval and no pass@k can be computed: add it as a "
            "column n, or give one row for each sample."
        ),
        column,
    )


def _what_is_nested(chooser: Chooser) -> Text | None:
    """Say how to bring out what objects in the columns hold, if any do."""
    names = [column.name for column in chooser.schema if holds_objects(column.type)]
    if not names:
        return None
    return Text(
        "There are objects in {names}: write what they hold as columns of their own, as "
        "pandas.json_normalize does, and name that of verdicts correct (0 or 1).",
        names=listed_names(names),
    )
