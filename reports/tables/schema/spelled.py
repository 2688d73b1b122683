"""Text columns that contain lists of numbers, or verdicts in words."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from metrics.data.words import Text, some_of
from reports.files.errors import LoadError
from reports.tables.schema.data_types import is_text
from reports.tables.schema.lists import spell_lists
from reports.tables.schema.names import (
    ALIASES,
    CORRECT,
    EXTRACTED,
    LABELS,
    LISTS_OF_SCORES,
    MEASURED,
    SCORE,
    TEXTS,
    VERDICT,
    WIDE_SCORES,
    WIDE_VERDICTS,
    key,
    numbered,
)
from reports.tables.source import Source
from reports.vocabulary import MISSING, RIGHT, WRONG

_LOOKED_AT = 10_000
_FIRST = 1_000
_LETTERS = 200
_SHOWN = 8
_OF_WORD = 40
WORDS = 20
"""The most different texts of a column of verdicts."""
FEW = 100
"""Values of a column that may name models, datasets or settings."""
_VERDICTS = {*RIGHT, *WRONG}
_TEXTS = {*TEXTS, *ALIASES["question_id"], *ALIASES["error"]}
_OF_PERSONS = {name for role in LABELS for name in ALIASES[role]}
_JUDGE = "judge"
_LISTS = {
    *(*CORRECT, *LISTS_OF_SCORES, *EXTRACTED),
    *(name for names in MEASURED.values() for name in names),
}


def may_spell(source: Source, schema: pa.Schema) -> list[str]:
    """Return the columns of text that would be of use if they spelled lists or verdicts."""
    words = _may_be_verdicts(source, schema)
    columns = Counter(schema.names)
    return [
        column.name
        for column in schema
        if is_text(column.type)
        and (key(column.name) in _LISTS or column.name in words)
        and columns[column.name] == 1
    ]


def looked_at(source: Source, schema: pa.Schema) -> list[str]:
    """Return the columns of text whose first values say what they may be."""
    spelled = {*may_spell(source, schema)}
    columns = Counter(schema.names)
    return [
        column.name
        for column in schema
        if columns[column.name] == 1
        and is_text(column.type)
        and (column.name in spelled or key(column.name) not in _TEXTS)
    ]


def recognise(source: Source, schema: pa.Schema, first: pa.Table | pa.RecordBatch) -> pa.Schema:
    """Return the schema in which text that spells lists or verdicts is of their type.

    first: Some rows with the columns of `looked_at`.
    """
    words = _may_be_verdicts(source, schema)
    for name in may_spell(source, schema):
        texts = first[name].cast(pa.string())
        if spell_lists(texts):
            kind = pa.large_list(pa.float64())
        elif name in words and (_are_told(source, name) or _are_verdicts(source, texts)):
            kind = pa.bool_()
        else:
            continue
        schema = schema.set(schema.get_field_index(name), pa.field(name, kind))
    return schema


def verdicts(source: Source, column: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
    """Return a column of words as 1, 0 and null.

    Raises LoadError if a word is no verdict, which is asked about, or no row holds one that is told
    to mean right.
    """
    words = _bare(source, column.cast(pa.string()))
    if _are_told(source, name):
        right = pc.is_in(words, _bare(source, pa.array(source.right)))
        alone = name == source.chosen.get("correct") or _stem(name) is None
        if alone and not pc.any(right).as_py():
            raise without_right(source, name, _distinct(column))
        return pc.if_else(pc.is_null(words), None, right.cast(pa.float64()))
    if not pc.all(_are_known(words)).as_py():
        raise unknown_words(source, name, _word_counts(column))
    right = pc.is_in(words, pa.array(RIGHT))
    return pc.if_else(pc.is_null(words), None, right.cast(pa.float64()))


def told_by_words(source: Source, columns: Mapping[str, pa.ChunkedArray]) -> Text:
    """Say which words of columns of verdicts count as right, and which as wrong."""
    right: dict[str, None] = {}
    wrong: dict[str, None] = {}
    for name, column in columns.items():
        right_words = {*map(_word, source.right)} if _are_told(source, name) else {*RIGHT}
        for text in _distinct(column):
            if _word(text) not in _missing_words(source):
                (right if _word(text) in right_words else wrong)[text.strip()] = None
    named, rights, wrongs = some_of(columns, 3), some_of(right, 5), some_of(wrong, 5)
    if not right:
        return Text(
            "Verdicts are words in {column}: all are wrong ({wrong}).", column=named, wrong=wrongs
        )
    if not wrong:
        return Text(
            "Verdicts are words in {column}: all are right ({right}).", column=named, right=rights
        )
    return Text(
        "Verdicts are words in {column}: right is {right}; wrong is {wrong}.",
        column=named,
        right=rights,
        wrong=wrongs,
    )


def without_right(source: Source, name: str, words: Iterable[str]) -> LoadError:
    """Refuse a column of verdicts that has none of the words which are to mean right."""
    return source.error(
        Text("no row holds {words}, which was said to mean right", words=some_of(source.right, 5)),
        Text("There are: {words}.", words=some_of(words, _SHOWN)),
        name,
    )


def unknown_words(source: Source, name: str, counts: Counter[str]) -> LoadError:
    """Ask what the words of a column named a verdict mean; of many different ones say the first."""
    unknown = [word for word in counts if not is_known(source, word)]
    what = some_of((f"{word:.40}" for word in (unknown or counts)), _SHOWN)
    problem = Text(
        "holds {words}, which kofn knows neither as right nor as wrong",
        words=what,
    )
    if not counts or are_few(counts):
        return source.ask_words(problem, name, counts)
    return source.error(
        problem,
        Text(
            "Write 1 for right, 0 for wrong, and nothing where a request failed; if it holds no "
            "verdicts, say --column other={column} and which column does.",
            column=shlex.quote(f"{name:.60}"),
        ),
        name,
    )


def is_known(source: Source, word: str) -> bool:
    """Whether a word is a verdict or means nothing."""
    return _word(word) in _VERDICTS or _word(word) in _missing_words(source)


def _word(text: str) -> str:
    return text.strip().lower()


def _missing_words(source: Source) -> list[str]:
    """Return the words that mean that there is no verdict."""
    return [*MISSING, *map(_word, source.missing)]


def _are_told(source: Source, name: str) -> bool:
    """Whether it is told which texts of a column of verdicts mean right."""
    verdict_column = key(source.chosen.get("correct", name))
    return bool(source.right) and verdict_column in (key(name), _stem(name))


def words_of(source: Source, name: str) -> Counter[str]:
    """Return how often a column holds which texts, as far as it was looked at."""
    (values,) = source.first([name], _LOOKED_AT)
    texts = Counter(str(value).strip() for value in values if value is not None)
    del texts[""]
    return texts


def are_few(words: Counter[str]) -> bool:
    """Whether texts are so few and short that they may be verdicts."""
    return 0 < len(words) <= WORDS and all(len(word) <= _OF_WORD for word in words)


def _word_counts(column: pa.ChunkedArray) -> Counter[str]:
    held = pc.utf8_trim_whitespace(column.cast(pa.string())).drop_null().value_counts()
    return Counter({each["values"]: each["counts"] for each in held.to_pylist() if each["values"]})


def _distinct(column: pa.ChunkedArray) -> list[str]:
    return [str(value) for value in pc.unique(column.cast(pa.string())).drop_null().to_pylist()]


def verdict_columns(source: Source, names: Sequence[str]) -> list[str]:
    """Return the columns whose first values are for the most part words such as yes, or 0 and 1."""
    found = []
    for name, values in zip(names, source.first(names, _FIRST), strict=True):
        held = [str(value).strip().lower() for value in values if value not in (None, "")]
        if held and sum(value in _VERDICTS for value in held) > len(held) / 2:
            found.append(name)
    return found


def _may_be_verdicts(source: Source, schema: pa.Schema) -> set[str]:
    """Return the columns that are verdicts by their names: those that are so called, if any.

    Those of a person or a judge stand beside them.
    """
    labels = {name for name in schema.names if _is_label(key(name)) or _is_label(_stem(name) or "")}
    chosen = {source.chosen[role] for role in ("correct", "score") if role in source.chosen}
    for names, stems in (
        (chosen, {*map(key, chosen)}),
        ({*CORRECT}, {*WIDE_VERDICTS}),
        ({*VERDICT}, {*VERDICT}),
        ({*SCORE}, {*WIDE_SCORES}),
    ):
        named = {name for name in schema.names if {name, key(name)} & names or _stem(name) in stems}
        if named:
            return named | labels
    return labels


def _is_label(name: str) -> bool:
    return name.startswith(_JUDGE) or name in _OF_PERSONS


def _stem(name: str) -> str | None:
    """Return what a column has in common with those of other numbers."""
    found = numbered(key(name))
    return found[0] if found else None


def are_names(texts: pa.Array | pa.ChunkedArray) -> bool:
    """Whether the first values of a column repeat and are short, as names do."""
    texts = texts.cast(pa.string())
    distinct = pc.count_distinct(texts, mode="all").as_py()
    longest = pc.max(pc.utf8_length(texts)).as_py() or 0
    return bool(distinct <= min(FEW, max(20, len(texts) // 2)) and longest <= _LETTERS)


def _are_verdicts(source: Source, texts: pa.Array | pa.ChunkedArray) -> bool:
    """Whether texts are words such as yes and no, or nothing."""
    words = _bare(source, texts)
    return bool(pc.all(_are_known(words)).as_py() and pc.any(pc.is_valid(words)).as_py())


def _are_known(words: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Whether each is a verdict or nothing."""
    return pc.or_(pc.is_in(words, pa.array([*_VERDICTS])), pc.is_null(words))


def _bare(source: Source, texts: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return words in lower case without blanks, null for nothing."""
    words = pc.utf8_lower(pc.utf8_trim_whitespace(texts))
    return pc.if_else(pc.is_in(words, pa.array(_missing_words(source))), None, words)
