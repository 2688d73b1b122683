"""Reduce rows to how many questions have each count of graded, right and failed samples.

It is one expression, which an engine computes where the rows are. Only its result is fetched: as
many rows as there are different counts, however many samples they stand for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import add
from typing import Any

from metrics.data.outcomes import Segment, no_segment
from reports.engines.connecting import ibis
from reports.run.remote import ListOrder, Which
from reports.tables.meaning.settling import Meaning
from reports.vocabulary import MISSING, NO_ERROR

COUNTS = ("graded", "right", "failed")
NONE = "(none)"
"""The label of a question that has none, as in a file."""
WIDE = 47
"""Numbers of samples that fit into one word with room for their sum."""

_BY = {"question": "id", "right": "rights"}
_AT_ALL = -1
_ALONE = (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F)


def samples(rows: Any, meaning: Meaning) -> Any:
    """Return a row for each row of a table: whose it is, and how many samples of each kind."""
    columns = meaning.columns
    held = {**names(rows, meaning), **_sample_counts(rows, meaning)}
    if meaning.columns.question is not None:
        held["question"] = rows[meaning.columns.question]
    if columns.sample is not None:
        held["sample"] = _sample(rows, meaning)
    for place, name in enumerate(meaning.segments):
        held[f"label{place}"] = rows[name].cast("string")
    return rows.select(**held)


def questions(rows: Any, meaning: Meaning) -> Any:
    """Return a row for each question of each run; it is repeated if samples occur twice."""
    each = samples(rows, meaning)
    count = each.count()
    labels = range(len(meaning.segments))
    if meaning.columns.question is None:
        known = {f"label{place}": each[f"label{place}"].fill_null(NONE) for place in labels}
        known |= {f"differs{place}": ibis().literal(0) for place in labels}
        return each.mutate(repeated=ibis().literal(0), **known)
    repeated = count > 1
    if meaning.columns.shape == "long":
        repeated = ibis().literal(False)
        if meaning.columns.sample is not None:
            repeated = _distinct(each, meaning) != count
    known = {}
    for place in labels:
        label = each[f"label{place}"]
        least, held = label.min(), label.count()
        differs = (least != label.max()) | ((held > 0) & (held < count))
        known |= {
            f"label{place}": least.fill_null(NONE),
            f"differs{place}": differs.fill_null(False).cast("int64"),
        }
    return each.group_by("model", "dataset", "question").aggregate(
        **{name: each[name].sum() for name in (*COUNTS, "errors")},
        repeated=repeated.cast("int64"),
        **known,
    )


def counts(rows: Any, meaning: Meaning) -> Any:
    """Return how many questions of each run, and of each label, have which counts.

    ``attribute`` is the place of a segment, or -1 for all questions.
    """
    each = questions(rows, meaning)
    literal = ibis().literal
    parts = [(literal(_AT_ALL, "int64"), literal(""), literal(0, "int64"))]
    for place in range(len(meaning.segments)):
        parts.append((literal(place, "int64"), each[f"label{place}"], each[f"differs{place}"]))
    names = "attribute", "label", "differs"
    pairs = [ibis().struct(dict(zip(names, part, strict=True))) for part in parts]
    each = each.mutate(pair=ibis().array(pairs).unnest())
    each = each.mutate(**{name: each["pair"][name] for name in names})
    return each.group_by("model", "dataset", "attribute", "label", *COUNTS).aggregate(
        questions=each.count(),
        differs=each["differs"].sum(),
        repeated=each["repeated"].sum(),
        errors=each["errors"].sum(),
    )


def rows_by_side(each: Any, sides: Mapping[tuple[str, str], Sequence[int]]) -> Any:
    """Return a row for each question of a run and each pair that it is of.

    Sides are numbered: those of a pair are twice its number, and one more.
    """
    cases = [
        ((each["model"] == model) & (each["dataset"] == dataset), _numbers(numbers))
        for (model, dataset), numbers in sides.items()
    ]
    side = ibis().cases(*cases, else_=_numbers(())).unnest()
    plain = {name: each[name].cast("int64") for name in COUNTS}
    named = each.select(question=each["question"].cast("string"), side=side, **plain)
    return named.mutate(pair=named["side"] // 2, first=named["side"] % 2 == 0)


def joint(sides: Any) -> Any:
    """Return how many questions of each pair have which counts in both; 0 samples where one lacks.

    ``sides`` are those of `rows_by_side`. They are put together by their questions, so that rows
    are looked at once, however many pairs there are.
    """
    both = sides.group_by("pair", "question").aggregate(
        **{
            f"{name}_{side}": sides[name].sum(where=sides["first"] == first).fill_null(0)
            for side, first in (("a", True), ("b", False))
            for name in COUNTS
        }
    )
    keys = [name for name in both.columns if name != "question"]
    return both.group_by(*keys).aggregate(questions=both.count())


def _numbers(numbers: Sequence[int]) -> Any:
    return ibis().literal(list(numbers), "array<int64>")


def question_page(
    each: Any, meaning: Meaning, start: int, count: int, order: ListOrder, which: Which
) -> Any:
    """Return some of the questions of a run, from one place of an order on."""
    n, c = each["graded"], each["right"]
    if which.missing != "omit":
        n = n + each["failed"]
    if which.missing == "right":
        c = c + each["failed"]
    known = each.mutate(
        id=each["question"].cast("string"),
        samples=n,
        rights=c,
        share=c.cast("float64") / n.cast("float64").nullif(0.0),
    )
    if which.segment is not None:
        known = known.filter(is_in_segment(known, meaning, which.segment))
    if which.failed:
        known = known.filter(known["failed"] > 0)
    if which.share is not None:
        known = known.filter(known["share"].between(*which.share))
    value = known[_BY.get(order.by, order.by)]
    ordered = ibis().desc(value) if order.down else ibis().asc(value)
    by = [value.isnull().cast("int8"), ordered, *([] if order.by == "question" else [known["id"]])]
    return (
        known.order_by(by)
        .limit(count, offset=start)
        .select(
            question=known["id"],
            **{name: known[name].cast("int64") for name in COUNTS},
            **{f"segment.{name}": known[f"label{at}"] for at, name in enumerate(meaning.segments)},
        )
    )


def is_in_segment(each: Any, meaning: Meaning, segment: Segment) -> Any:
    """Say which questions are of a segment."""
    attribute, label = segment
    if attribute not in meaning.segments:
        raise no_segment(attribute, label, meaning.segments, ())
    return each[f"label{meaning.segments.index(attribute)}"] == label


def names(rows: Any, meaning: Meaning) -> dict[str, Any]:
    """Return what names the run of each row."""
    return {
        "model": _model(rows, meaning),
        "dataset": _name(rows, meaning.columns.dataset, meaning.dataset),
    }


def number(column: Any, right: tuple[str, ...]) -> Any:
    """Return a column as numbers, null where it holds nothing; of words 1 where they are right."""
    kind = column.type()
    if kind.is_string():
        bare = lowercase_word(column)
        return bare.isin(right).cast("float64")
    plain = column.cast("float64")
    return plain.isnan().ifelse(ibis().null("float64"), plain) if kind.is_floating() else plain


def lowercase_word(column: Any) -> Any:
    """Return a column of words in small letters without blanks, null for nothing."""
    bare = column.strip().lower()
    return bare.isin(MISSING).ifelse(ibis().null("string"), bare)


def is_set(column: Any) -> Any:
    """Whether an error is one."""
    if not (column.type().is_primitive() or column.type().is_string()):
        return column.notnull()
    text = column.cast("string").strip().lower()
    return text.notnull() & text.notin(NO_ERROR)


def _sample_counts(rows: Any, meaning: Meaning) -> dict[str, Any]:
    columns = meaning.columns
    none = ibis().literal(0, "int64")
    if columns.shape == "counts":
        n, right = counts_of(rows, meaning)
        return {"graded": n, "right": right, "failed": none, "errors": none}
    if columns.shape == "list":
        (name,) = meaning.outcome
        held = rows[name]
        graded = held.filter(lambda each: number(each, ()).notnull()).length().fill_null(0)
        right = held.filter(lambda each: _is_right(number(each, ()), meaning)).length().fill_null(0)
        failed = held.length().fill_null(0) - graded
        return {"graded": graded, "right": right, "failed": failed, "errors": none}
    values = [number(rows[name], meaning.right) for name in meaning.outcome]
    graded = [value.notnull() for value in values]
    failed = none.cast("boolean") if columns.error is None else is_set(rows[columns.error])
    graded = [each & ~failed for each in graded]
    right = [
        each & _is_right(value, meaning).fill_null(False)
        for each, value in zip(graded, values, strict=True)
    ]
    n, c = (reduce(add, (flag.cast("int64") for flag in each)) for each in (graded, right))
    errors = none if columns.error is None else failed.cast("int64")
    return {"graded": n, "right": c, "failed": len(values) - n, "errors": errors}


def counts_of(rows: Any, meaning: Meaning) -> tuple[Any, Any]:
    """Return samples and right ones of a row that counts them."""
    columns = meaning.columns
    n = columns.n
    of = ibis().literal(float(n)) if isinstance(n, int) else number(rows[n], ())
    if columns.right is not None:
        right = number(rows[columns.right], ())
    else:
        right = (of * number(rows[columns.rate], ())).round()
    return of.cast("int64"), right.cast("int64")


def _is_right(value: Any, meaning: Meaning) -> Any:
    return value == 1 if meaning.threshold is None else value > meaning.threshold


def _model(rows: Any, meaning: Meaning) -> Any:
    """Name the model, with its settings where these keep runs apart."""
    model = _name(rows, meaning.columns.model, meaning.model)
    for name in meaning.columns.settings:
        model = model + f", {name}=" + rows[name].cast("string").fill_null("nothing")
    return model


def _name(rows: Any, column: str | None, name: str) -> Any:
    return ibis().literal(name) if column is None else rows[column].cast("string")


def _sample(rows: Any, meaning: Meaning) -> Any:
    """Tell a sample of a question from the others."""
    columns = meaning.columns
    if meaning.numbers is not None:
        return rows[columns.sample].cast("int64") - meaning.numbers[0]
    if not columns.others:
        return rows[columns.sample]
    parts = [rows[name].cast("string").fill_null("") for name in (columns.sample, *columns.others)]
    return reduce(lambda one, other: one + "\x1f" + other, parts)


def _distinct(each: Any, meaning: Meaning) -> Any:
    """Count the different samples of a question.

    Few numbers are bits of a word. Their sum has as many bits set as there are samples, unless one
    is added twice and carried.
    """
    sample = each["sample"]
    if meaning.numbers is None:
        return sample.nunique()
    return _bits((ibis().literal(1, "int64") << sample).sum().cast("int64"))


def _bits(word: Any) -> Any:
    """Count the bits of a word that are set."""
    twos, fours, eights = _ALONE
    word = word - ((word >> 1) & twos)
    word = (word & fours) + ((word >> 2) & fours)
    word = (word + (word >> 4)) & eights
    for shift in (8, 16, 32):
        word = word + (word >> shift)
    return word & 0x7F
