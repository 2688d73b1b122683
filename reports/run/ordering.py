"""Runs sorted by a number, version or date in their names, by a setting, or by time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from metrics.data.words import MetricError, Text, some_of
from reports.run.report import Run

FEWEST = 3
"""Runs that are a series without anyone saying so."""
TIME = "time"
VARIED = (
    *("step", "steps", "global_step", "checkpoint", "ckpt", "temperature", "top_p", "top_k"),
    *("min_p", "max_tokens", "shots", "version", "model_version", "revision", "date"),
)
"""Settings by which runs of one model are a series."""
TOLD = {"step", "checkpoint", "iteration", "epoch", "temperature", "version", "date", "size"}
"""What numbers in names are places in an order of, without anyone saying so; size is as in 7B."""

_TOKEN = re.compile(
    r"(?P<date>(?<![\d.])20\d\d(?P<gap>[-_.]?)(?:0[1-9]|1[0-2])(?P=gap)(?:0[1-9]|[12]\d|3[01])"
    r"(?:[-_T ]?[0-2]\d:?[0-5]\d(?::?[0-5]\d)?)?(?![\d.]))"
    r"|(?P<version>(?<![A-Za-z0-9])[vV]\d+(?:\.\d+)*(?![A-Za-z0-9])"
    r"|(?<![\w.])\d+(?:\.\d+){2,}(?![\w.]))"
    r"|(?P<number>\d+(?:\.\d+)?)(?P<unit>[kKmMbB](?![A-Za-z0-9]))?",
    re.ASCII,
)
_LONGEST = 500
_WORD = re.compile(r"([A-Za-z]+)[^A-Za-z]*$")
_UNITS = {"": 1.0, "k": 1e3, "m": 1e6, "b": 1e9}
_CALLED = {
    **{"ckpt": "checkpoint", "t": "temperature", "temp": "temperature", "steps": "step"},
    **{"iter": "iteration", "ep": "epoch"},
}


class Token(NamedTuple):
    """What a name says of a place in an order."""

    kind: str  # ``date``, ``version`` or ``number``.
    value: tuple[float, ...]  # By which it is sorted.
    written: str


@dataclass(frozen=True)
class Order:
    """Runs sorted by a setting, by a part of their names, or by their time.

    Attributes
    ----------
    along : str
        What they are sorted by: ``step``, ``version``, ``date``, ``time``, ``temperature`` …
    keys : tuple of str
        The keys of the runs.
    labels : tuple of str
        The value of each, as written.
    values : tuple of tuple of float
        The values they are sorted by; a number is a tuple of one.
    left_out : tuple of str
        Runs that have no such value.
    """

    along: str
    keys: tuple[str, ...]
    labels: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    left_out: tuple[str, ...] = ()


def find_orders(runs: Mapping[str, Run]) -> tuple[Order, ...]:
    """Find the series among the runs of a dataset: three or more that differ in one thing.

    Parameters
    ----------
    runs : mapping of str to Run

    Returns
    -------
    tuple of Order
        The longest first: runs whose names differ in one number (after a word such as step or
        ckpt, or a size such as 7B), in a version or a date; or runs of one model that differ in a
        setting such as the temperature, or in their time.

    Examples
    --------
    >>> from kofn.reports import Run
    >>> names = "alpha-ckpt-3000", "beta", "alpha-ckpt-500", "alpha-ckpt-12000"
    >>> runs = {name: Run(name, "gsm8k", None) for name in names}
    >>> [(order.along, order.labels) for order in find_orders(runs)]
    [('checkpoint', ('500', '3000', '12000'))]
    """
    orders: dict[tuple[str, ...], Order] = {}
    groups: dict[tuple[str, str, object], dict[str, Token]] = {}
    for key, along, group, token in _places(runs):
        if along in TOLD or group == (runs[key].model,):
            groups.setdefault((along, token.kind, group), {})[key] = token
    for (along, _kind, _group), places in groups.items():
        distinct = {token.value for token in places.values()}
        if len(places) == len(distinct) >= FEWEST:
            order = _ordered(along, places)
            orders.setdefault(order.keys, order)
    return tuple(sorted(orders.values(), key=lambda order: -len(order.keys)))


def order_by(runs: Mapping[str, Run], along: str) -> Order:
    """Sort runs by a setting, by a part of their names, or by their time.

    Parameters
    ----------
    runs : mapping of str to Run
    along : str
        The name of a setting; or the word before a number in the names, such as ``step``; or
        ``version``, ``date`` or ``time``.

    Returns
    -------
    Order
        Without the runs that have no such value.

    Raises
    ------
    MetricError
        If fewer than two runs have one, or two have the same.

    Examples
    --------
    >>> from kofn.reports import Run
    >>> runs = {t: Run("7B", "gsm8k", None, settings={"temperature": t}) for t in (1.0, 0.2, 0.7)}
    >>> order_by(runs, "temperature").labels
    ('0.2', '0.7', '1.0')
    """
    places: dict[str, Token] = {}
    for key, name, _group, token in _places(runs, along):
        if name == along:
            places.setdefault(key, token)
    kinds = {token.kind for token in places.values()}
    if len(places) < 2 or len(kinds) > 1:
        known = some_of(sorted({name for _, name, _, _ in _places(runs)}), 8)
        problem = Text(
            "Fewer than two runs have a {along} to order them by. The runs have: {known}.",
            along=along,
            known=known or Text("nothing"),
        )
        raise MetricError(problem)
    order = _ordered(along, places)
    for one, other, label in zip(order.keys, order.keys[1:], order.labels[1:], strict=False):
        if places[one].value == places[other].value:
            problem = Text(
                "{one} and {other} have the same {along}, {label}: choose one of them.",
                one=one,
                other=other,
                along=along,
                label=label,
            )
            raise MetricError(problem)
    left_out = tuple(key for key in runs if key not in places)
    return Order(order.along, order.keys, order.labels, order.values, left_out)


def tokens(name: str) -> tuple[tuple[str, ...], tuple[Token, ...]]:
    """Return the texts around the numbers, versions and dates of a name, and these.

    Examples
    --------
    >>> texts, found = tokens("alpha-v1.10 (2026-01-02) 30k")
    >>> texts, [token.value for token in found]
    (('alpha-', ' (', ') ', ''), [(1.0, 10.0), (2026.0, 1.0, 2.0), (30000.0,)])
    """
    matches = list(_TOKEN.finditer(name)) if len(name) <= _LONGEST else []
    ends = [0, *(match.end() for match in matches)]
    starts = [*(match.start() for match in matches), len(name)]
    texts = tuple(name[end:start] for end, start in zip(ends, starts, strict=True))
    return texts, tuple(map(_token, matches))


def _token(match: re.Match[str]) -> Token:
    written = match[0]
    if match["date"]:
        digits = re.sub(r"\D", "", written)
        parts = [digits[:4], *(digits[i : i + 2] for i in range(4, len(digits), 2))]
        return Token("date", tuple(map(float, parts)), written)
    if match["version"]:
        return Token("version", tuple(map(float, written.lstrip("vV").split("."))), written)
    unit = (match["unit"] or "").lower()
    return Token("number", (float(match["number"]) * _UNITS[unit],), written)


def _places(
    runs: Mapping[str, Run], along: str = ""
) -> Iterator[tuple[str, str, tuple[object, ...], Token]]:
    """Yield the places that runs may have: key, along what, what is the same beside, and where."""
    for key, run in runs.items():
        texts, numbers = tokens(run.model)
        for place, token in enumerate(numbers):
            rest = (
                *(other.written for other in numbers[:place]),
                *(o.written for o in numbers[place + 1 :]),
            )
            yield key, _name_of_token(token, texts[place]), (texts, place, rest), token
        for name in dict.fromkeys((*VARIED, along)):
            stated = _of_setting(run.settings.get(name))
            if stated is not None:
                yield key, name if name == along else _CALLED.get(name, name), (run.model,), stated
        if run.time is not None:
            stamp = run.time.timetuple()[:6]
            token = Token("date", tuple(map(float, stamp)), f"{run.time:%Y-%m-%d %H:%M:%S}")
            yield key, TIME, (run.model,), token


def _name_of_token(token: Token, before: str) -> str:
    """Name what a token of a name is, by the word before it."""
    if token.kind != "number":
        return token.kind
    word = _WORD.search(before)
    if token.written[-1:].lower() == "b":
        return "size"
    word_before = word[1].lower() if word else "number"
    return _CALLED.get(word_before, word_before)


def _of_setting(value: object) -> Token | None:
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return Token("number", (float(value),), str(value))
    _texts, found = tokens(str(value))
    return found[0] if len(found) == 1 else None


def _ordered(along: str, places: Mapping[str, Token]) -> Order:
    keys: Sequence[str] = sorted(places, key=lambda key: places[key].value)
    return Order(
        along,
        tuple(keys),
        tuple(places[key].written for key in keys),
        tuple(places[key].value for key in keys),
    )
