"""Decide what the columns of a table mean by what was seen of them, or ask."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from metrics.data.words import Text, some_of
from reports.engines.counting import WIDE
from reports.engines.looking import MAX_LABELS, Look, candidates, right_words
from reports.engines.meaning import Meaning
from reports.files.notes import Note
from reports.run.remarks import MAX_LABEL
from reports.tables.columns.choosing import INDEX
from reports.tables.columns.columns import Columns, Group
from reports.tables.columns.names import DATASETS, MODELS, RATE, key
from reports.tables.runs.layout import labels
from reports.tables.runs.splitting import Rows, are_numbered, joined, require_told
from reports.tables.runs.verdicts import SCORE, THRESHOLD, VERDICT, called_by
from reports.tables.source import Source

_ROWS = 50_000
"""Rows of some questions, by which it is seen whether a column splits the table."""
_MOST_ROWS = 20 * _ROWS


def settle(source: Source, columns: Columns, seen: Look, notes: list[Note]) -> Meaning:
    """Decide what the columns mean.

    Parameters
    ----------
    source : Source
    columns : Columns
    seen : Look
    notes : list of Note
        Grows by what was decided.

    Raises
    ------
    LoadError
        If values are out of range or missing, or candidates disagree.
    """
    columns = _with_values(source, columns, seen, notes)
    _require_names(source, columns, seen)
    outcome: Group = ()
    threshold = None
    if columns.shape == "counts":
        _require_counts(source, columns, seen)
    else:
        _require_samples(source, columns, seen)
        outcome, threshold = _outcome(source, columns, seen, notes)
    if columns.question is None:
        what = Text("No column names the questions; each row is one.")
        notes.append(Note(what, source.place))
    if columns.sample is None and columns.shape == "long":
        what = Text(
            "No column numbers the samples: the rows of a question are its samples, in their order."
        )
        notes.append(Note(what, source.place))
    return Meaning(
        columns,
        outcome,
        right_words(source),
        threshold,
        _only(columns, seen, MODELS) or source.stem,
        _only(columns, seen, DATASETS) or source.stem,
        tuple(_segments(source, columns, seen, notes)),
        _numbers(columns, seen),
    )


def _with_values(source: Source, columns: Columns, seen: Look, notes: list[Note]) -> Columns:
    """Leave out names of runs and samples that no row has."""
    rows = seen.total("rows")
    sample = columns.sample
    if sample is not None and sample != source.chosen.get("sample"):
        held = {each["first sample"] for each in seen.runs} - {None}
        if seen.most("samples") == 1 and len(held) == 1 and not are_numbered([*held]):
            columns = replace(columns, sample=None)
    named = {"model": columns.model, "dataset": columns.dataset, "sample": columns.sample}
    empty = {role: n for role, n in named.items() if n and seen.total(f"empty {n}") == rows}
    if empty:
        what = Text(
            "{columns} has no value in any row and is left out.",
            columns=some_of((f"{name:.60}" for name in empty.values()), 4),
        )
        notes.append(Note(what, source.place))
        model, dataset, sample = (None if role in empty else n for role, n in named.items())
        columns = replace(columns, model=model, dataset=dataset, sample=sample)
    return columns


def _require_names(source: Source, columns: Columns, seen: Look) -> None:
    for name in (columns.model, columns.dataset, columns.question, columns.sample):
        if name and (missing := int(seen.total(f"empty {name}"))):
            raise source.error(
                Text("is empty in {count} row", "is empty in {count} rows", count=missing),
                Text("Fill it in for every row."),
                name,
            )
    told = columns.question == source.chosen.get("question_id")
    if columns.question is not None and key(columns.question) in INDEX and not told:
        raise columns.asks_for_questions(source)


def _require_counts(source: Source, columns: Columns, seen: Look) -> None:
    if odd := int(seen.total("odd")):
        raise source.error(
            Text(
                "{count} row does not hold whole counts, from 0 to n",
                "{count} rows do not hold whole counts, from 0 to n",
                count=odd,
            ),
            Text("Write how many samples each question has, and how many of them are correct."),
            *columns.numbers,
        )


def _require_samples(source: Source, columns: Columns, seen: Look) -> None:
    """Ask what stands beside a number of samples: a count of right ones, or one verdict."""
    if columns.shape != "long" or not isinstance(columns.n, str) or columns.sample:
        return
    most, ((name, *_), *_) = seen.most("most n") or 0, candidates(columns)
    if most <= 1 or name in source.chosen.values():
        return
    problem = Text(
        "stands beside {n}, up to {most:g}: it may count right samples, or judge one of them",
        n=columns.n,
        most=most,
    )
    raise source.ask_what(problem, name, ("c", "correct") if columns.correct else ("rate", "score"))


def _outcome(
    source: Source, columns: Columns, seen: Look, notes: list[Note]
) -> tuple[Group, float | None]:
    """Return the columns of outcomes, and the threshold if they are scores."""
    groups, role = candidates(columns), "correct" if columns.correct else "score"
    for place, group in enumerate(groups):
        _require_words(source, group, place, seen)
    held = [place for place in range(len(groups)) if seen.total(f"held {place}")]
    if not held:
        raise source.error(
            Text("is empty in every row"),
            Text("Write 1 for right, 0 for wrong, and null only where a request failed."),
            groups[0][0],
        )
    first, *others = held
    for other in others:
        fact = f"unlike {first} {other}"
        if len(groups[first]) != len(groups[other]) or seen.total(fact):
            problem = Text(
                "{first} and {other} could both be the outcomes, and they disagree",
                first=called_by(groups[first]),
                other=called_by(groups[other]),
            )
            raise source.ask(problem, role, tuple(map(called_by, groups)))
    group = groups[first]
    between = seen.total(f"between {first}")
    if role == "score":
        is_rate = columns.shape == "long" and columns.sample is None
        if between and is_rate and RATE.fullmatch(key(group[0])) and "score" not in source.chosen:
            problem = Text(
                "{column} holds fractions: if they are rates of several samples, add the number of "
                "these as a column n; if each is the score of one sample, say so",
                column=group[0],
            )
            raise source.ask(problem, "score", (group[0],))
    if odd := int(between if role == "correct" else seen.total(f"odd {first}")):
        rule = VERDICT if role == "correct" else SCORE
        raise source.error(
            Text(
                "{count} value is out of range; {rule}",
                "{count} values are out of range; {rule}",
                count=odd,
                rule=rule,
            ),
            Text(
                "Write verdicts as 0 or 1, and soft scores from 0 to 1, so percentages divided by "
                "100, in a column named score."
            ),
            group[0],
        )
    if role == "correct" or not between:
        return group, None
    what = Text(
        "No column says which samples are correct; a score above {threshold} counts as correct.",
        threshold=THRESHOLD,
    )
    notes.append(Note(what, source.place, severity="warning"))
    return group, THRESHOLD


def _require_words(source: Source, group: Group, place: int, seen: Look) -> None:
    """Refuse words that are no verdicts, or of which none is told to mean right."""
    if f"unknown {place}" not in seen.runs[0]:
        return
    if source.right:
        if not seen.total(f"known {place}"):
            raise source.error(
                Text(
                    "no row holds {words}, which is to mean right", words=some_of(source.right, 5)
                ),
                Text("Give the text as the table has it."),
                group[0],
            )
        return
    if unknown := int(seen.total(f"unknown {place}")):
        raise source.error(
            Text(
                "{count} row holds {word:.40} or the like, and the others words such as yes and no",
                "{count} rows hold {word:.40} or the like, and the others words such as yes and no",
                count=unknown,
                word=repr(seen.most(f"word {place}")),
            ),
            Text("Write 1 for right, 0 for wrong, and nothing where a request failed."),
            group[0],
        )


def _only(columns: Columns, seen: Look, known: Collection[str]) -> str | None:
    """Return what a column of a known name holds throughout."""
    for name in columns.dividing:
        if key(name) in known and seen.total(f"held {name}") == seen.total("rows"):
            least, most = seen.least(f"least {name}"), seen.most(f"most {name}")
            if least == most:
                return str(least)
    return None


def _segments(source: Source, columns: Columns, seen: Look, notes: list[Note]) -> Iterator[str]:
    """Yield the columns that may divide the questions; note why others may not."""
    for name in columns.segments:
        if (seen.most(f"letters {name}") or 0) > MAX_LABEL:
            what = Text("No segments from {column}: its labels are too long.", column=name)
        elif seen.most(f"labels {name}") > MAX_LABELS:
            what = Text(
                "No segments from {column}: it has more than {most:,} labels.",
                column=name,
                most=MAX_LABELS,
            )
        else:
            yield name
            continue
        notes.append(Note(what, source.place))


def _numbers(columns: Columns, seen: Look) -> tuple[int, int] | None:
    """Return the least and most number of a sample, where they are few whole numbers."""
    if columns.sample is None or columns.others or "least sample" not in seen.runs[0]:
        return None
    low, high = seen.least("least sample"), seen.most("most sample")
    return (low, high) if high - low < WIDE else None


def require_settled(
    source: Source, rows: Any, meaning: Meaning, seen: Look, fetch: Callable[[Any], pa.Table]
) -> Iterator[Note]:
    """Ask what a column is that may tell models, datasets or settings apart.

    Some of the questions show it.

    Raises
    ------
    RoleChoice
    """
    columns = meaning.columns
    if not columns.dividing:
        return
    named = (columns.model, columns.dataset, columns.question, columns.sample)
    wanted = dict.fromkeys(name for name in (*named, *columns.dividing) if name)
    part = rows
    if columns.question is not None:
        few = 1 + int(seen.total("rows")) // _ROWS
        part = rows.filter(rows[columns.question].hash() % few == 0)
    data = fetch(part.select(*wanted).limit(_MOST_ROWS))
    if not len(data):
        return
    codes = [labels(data[name]).codes for name in (columns.model, columns.dataset) if name]
    run = joined(np.zeros(len(data), np.int64), *codes)
    question = None if columns.question is None else labels(data[columns.question]).codes
    order = None if columns.sample is None else labels(data[columns.sample]).codes
    yield from require_told(source, Rows(run, question, order), data, columns)
