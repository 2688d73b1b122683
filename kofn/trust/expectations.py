"""What a user expects of runs: numbers, tables of numbers, or the runs of a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any, ClassVar

from kofn.choices.codec import Choices
from kofn.choices.runs import index_runs
from kofn.choices.settings import Setting, number, read_number, run_in_detail, word
from kofn.choices.view import View
from kofn.trust.causes import Cause, causes_of, reference_causes, replica_causes
from kofn.trust.checks import Check, check_number, check_run, judged_together
from kofn.trust.expected_numbers import (
    LARGEST,
    SUFFIXES,
    Expected,
    read_expectations,
    read_stated,
    unmatched,
)
from kofn.trust.result import TrustCard
from metrics.data.words import MetricError, Text, some_of
from reports.loading import load
from reports.run.report import Run


@dataclass(frozen=True)
class Expecting(Choices):
    """What is expected of runs.

    Examples
    --------
    >>> Expecting.from_query({"expect": "gsm8k:avg@n=59.74%", "margin": "0.01"})[0].margin
    0.01
    """

    # Numbers as `expected_numbers.read_stated` reads them, and paths of tables or reports.
    expect: tuple[str, ...] = ()
    margin: float | None = None  # By how much a run may be lower and still be accepted.

    SETTINGS: ClassVar = (
        Setting(
            "expect",
            tuple,
            "NUMBER|FILE",
            Text(
                "the number that should come out, such as gsm8k:avg@n=59.74%%; a table of such "
                "numbers (CSV, YAML, JSON); or a report whose runs are expected question by "
                "question; may be repeated"
            ),
            list,
            list,
        ),
        number(
            "margin",
            (0.0001, 0.99, 0.01),
            Text("with --expect, how much lower a number may be and still be accepted: 0.01"),
        ),
    )


@dataclass(frozen=True)
class WantedNumbers:
    """What is expected, as read."""

    numbers: tuple[Expected, ...]
    runs: Mapping[str, Run]  # Runs that are expected question by question, by what they are called.
    # The key of the only run that they are expected of; empty for all of their datasets.
    of: str = ""


def read_wanted(expecting: Expecting) -> WantedNumbers:
    """Read what is expected: each a number, a table of numbers, or a report."""
    numbers: list[Expected] = []
    reports = []
    for text in expecting.expect:
        path = Path(text)
        if not path.exists():
            numbers.append(read_stated(text))
            continue
        may_be = path.suffix.lower() in SUFFIXES and path.stat().st_size <= LARGEST
        listed = read_expectations(path.name, path.read_bytes()) if may_be else None
        if listed is None:
            reports.append(load(text))
        else:
            numbers += listed
    named = {
        f"{key} ({PurePath(report.name).name})": run
        for report in reports
        for key, run in index_runs([report]).items()
    }
    return WantedNumbers(tuple(numbers), named)


def with_checks(
    cards: Sequence[TrustCard], expecting: Expecting, view: View
) -> tuple[TrustCard, ...]:
    """Return cards with what is expected of them."""
    wanted = read_wanted(expecting)
    if expecting.margin is not None and not (wanted.numbers or wanted.runs):
        raise MetricError(Text("--margin needs --expect, such as --expect 59.74%."))
    return check_all(cards, wanted, view, expecting.margin)


def check_all(
    cards: Sequence[TrustCard], wanted: WantedNumbers, view: View, margin: float | None
) -> tuple[TrustCard, ...]:
    """Hold every card against the numbers and runs that are expected of it, all at once."""
    shown = {card.key: card.run for card in cards}
    problems = [*unmatched(wanted.numbers, shown), *_unmatched_runs(wanted, shown)]
    if problems:
        raise MetricError(problems[0])
    each = {card.key: _checks(card, wanted, view, margin) for card in cards}
    flat = judged_together([check for checks in each.values() for check in checks])
    adjusted = iter(flat)
    return tuple(
        card
        if card.found is None
        else replace(
            card,
            found=replace(card.found, checks=tuple(next(adjusted) for _ in each[card.key])),
        )
        for card in cards
    )


def _checks(
    card: TrustCard, wanted: WantedNumbers, view: View, margin: float | None
) -> list[Check]:
    if card.found is None:
        return []
    found = card.found
    asked = found.asked.metric, found.asked.k
    checks = [
        check_number(card.run, expected, _causes(card, expected), view, margin)
        for expected in wanted.numbers
        if expected.is_of(card.key, card.run)
    ]
    twin = _twin(card.key, card.run, wanted)
    if twin is not None:
        checks.append(check_run(card.run, twin, found.causes, view, asked, margin))
    return checks


def _twin(key: str, run: Run, wanted: WantedNumbers) -> tuple[str, Run] | None:
    """Return the run that is expected of one: of its dataset, and its model where several are."""
    if wanted.of not in ("", key):
        return None
    same = {name: other for name, other in wanted.runs.items() if other.dataset == run.dataset}
    of_model = {name: other for name, other in same.items() if other.model == run.model}
    found = of_model or (same if len(same) == 1 else {})
    return next(iter(found.items()), None)


def _unmatched_runs(wanted: WantedNumbers, runs: Mapping[str, Run]) -> list[Text]:
    if not wanted.runs or any(_twin(key, run, wanted) for key, run in runs.items()):
        return []
    return [
        Text(
            "No run here is of a dataset of those expected: {others}; there are: {runs}.",
            others=some_of(wanted.runs, 5),
            runs=some_of(runs, 5),
        )
    ]


def _causes(card: TrustCard, expected: Expected) -> tuple[Cause, ...]:
    """Return what may have moved the metric that is expected, which need not be the one shown."""
    assert card.found is not None
    found, asked = card.found, (expected.metric, expected.k)
    if asked == found.asked:
        return found.causes
    about = card.run, *asked, card.view
    causes = causes_of(*about, found.doubts)
    if found.references is not None:
        causes += reference_causes(*about, found.references)
    if found.replicas and any(cause.kind == "replicas" for cause in found.causes):
        causes += replica_causes(*about, found.replicas)
    return causes


_LONGEST = 200


def _count(key: str) -> Any:
    read = read_number(key, 1, 1_000_000_000, 16)
    return lambda texts: int(read(texts))


@dataclass(frozen=True)
class Stating(Choices):
    """What is expected of the run in detail.

    Examples
    --------
    >>> Stating(expected="43.1%", n=16).to_query()
    {'expected': ['43.1%'], 'expected-n': ['16']}
    """

    # The key of the run whose causes are drawn; empty for the one that is moved most.
    detail: str = ""
    expected: str = ""  # A number as it is typed; empty for none.
    # Samples a question behind it, and its questions.
    n: int | None = None
    questions: int | None = None
    run: str = ""  # The key of a run that is expected; empty for none.
    margin: float | None = None  # By how much it may be lower.

    SETTINGS: ClassVar = (
        run_in_detail(Text("the run whose number is looked at")),
        Setting(
            "expected",
            lambda texts: texts[-1].strip()[:_LONGEST],
            "NUMBER",
            Text("the number that is expected, such as 59.74%%"),
        ),
        Setting("expected-n", _count("expected-n"), "N", Text("its samples a question"), field="n"),
        Setting(
            "expected-questions",
            _count("expected-questions"),
            "QUESTIONS",
            Text("its questions"),
            field="questions",
        ),
        word("expected-run", "RUN", Text("a run in its place"), field="run"),
        number("margin", (0.0001, 0.99, 0.01), Text("by how much it may be lower")),
    )

    def wanted(
        self, key: str, runs: Mapping[str, Run], listed: Sequence[Expected] = ()
    ) -> tuple[WantedNumbers, Text | None]:
        """Return what is expected of the runs of a page, and what cannot be used of it.

        key: The run in detail, of which a number is that names no other.
        listed: Of a table that was loaded.
        """
        numbers, problem = list(listed), None
        if self.expected:
            try:
                typed = replace(read_stated(self.expected), questions=self.questions)
            except MetricError as error:
                problem = error.text
            else:
                typed = replace(typed, n=self.n or typed.n)
                numbers.append(typed if typed.dataset else replace(typed, model=key))
        other = {self.run: runs[self.run]} if self.run in runs and self.run != key else {}
        return WantedNumbers(tuple(numbers), other, key), problem
