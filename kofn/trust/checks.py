"""Compare a run with its expected number, and list what may explain the difference."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kofn.card import Finding as Attempted
from kofn.card import attempt
from kofn.choices.view import View
from kofn.trust.causes import Cause, missing_questions, sorted_causes
from kofn.trust.expected_numbers import Expected
from metrics import Reproduction, estimate, reproduces, reproductions
from metrics.analyses.compare.sides import DIGITS
from metrics.analyses.reproduces.reproduction import Finding
from metrics.data.names import MetricName
from metrics.data.words import MetricError, Text
from reports.readings.versions import version_of
from reports.run.differing import differing_settings
from reports.run.fingerprint import Setting
from reports.run.matching import match
from reports.run.report import Run
from reports.run.same_answers import SameAnswers, same_answers

_EQUAL = 1e-9


@dataclass(frozen=True, eq=False)
class Twin:
    """A run that is expected in place of a number."""

    key: str
    run: Run
    same: SameAnswers | None  # Where both are one set of answers under two rules.
    # By which version of its rule each was judged, the expected one first, where that is found.
    rules: tuple[Text | None, Text | None] = (None, None)


@dataclass(frozen=True)
class OtherSetting:
    """A setting that is not as it is stated."""

    name: str
    mine: Setting | None  # None where the run does not say.
    stated: Setting


@dataclass(frozen=True, eq=False)
class Check:
    """A number of a run against the one that is expected."""

    expected: Expected
    # None where ``reason`` says why they cannot be held against one another.
    found: Reproduction | None
    reason: Text | None
    causes: tuple[Cause, ...] = ()  # What may explain the difference, the largest first.
    settings: tuple[OtherSetting, ...] = ()
    cut: float | None = None  # The share of answers that were cut, where that is known.
    twin: Twin | None = None  # The run that is expected, where it is one.

    @property
    def same(self) -> SameAnswers | None:
        """What a rule changed, where the expected run holds the same answers."""
        return None if self.twin is None else self.twin.same

    @property
    def finding(self) -> Finding | None:
        """What is known of the difference; of the same answers it is no chance at all."""
        if self.found is None:
            return None
        if self.same is None:
            return self.found.finding
        by, margin = round(self.found.difference, DIGITS), self.found.margin
        if margin is not None:
            return "reproduced" if by >= -margin else "lower"
        return "lower" if by < 0 else "higher" if by > 0 else "agrees"

    @property
    def passed(self) -> bool | None:
        """Whether the number is as expected; None where that is open."""
        if self.finding is None or self.finding == "open":
            return None
        return self.finding in ("agrees", "reproduced")

    @property
    def enough(self) -> tuple[Cause, ...]:
        """The causes, beside chance, that can move the number to the expected one."""
        if self.found is None:
            return ()
        if self.same is not None:
            return tuple(cause for cause in self.causes if cause.kind == "rule")
        low, high = self.found.interval
        known = (cause for cause in self.causes if cause.kind != "chance")
        return tuple(cause for cause in known if cause.reaches(-high, -low))


def check_number(
    run: Run,
    expected: Expected,
    causes: Iterable[Cause],
    view: View,
    margin: float | None,
) -> Check:
    """Hold a run against a stated number.

    Where the source states another number of questions than the run has, they are other questions
    of the kind.
    """
    questions = _count_questions(run, view)
    others = expected.questions is not None and expected.questions != questions
    found, reason = attempt(
        reproduces,
        run,
        expected.metric,
        expected.value,
        expected.k,
        stated_n=expected.n,
        stated_questions=expected.questions if others else None,
        margin=margin,
        target="population" if others else "benchmark",
        **view.asked_but_target,
    )
    more = []
    whole = expected.questions or 0
    if found is not None and questions is not None and whole > questions:
        more.append(missing_questions(found.mine.value, questions, whole))
    settings = unmet_settings(run, expected.settings, expected.n)
    every = (*_with_chance(found, causes), *more, *_of_settings(settings))
    return Check(expected, found, reason, sorted_causes(every), settings, _share_cut(run))


def check_run(
    run: Run,
    twin: tuple[str, Run],
    causes: Iterable[Cause],
    view: View,
    metric: tuple[MetricName, int | None],
    margin: float | None = None,
) -> Check:
    """Hold a run against another of the same questions."""
    name, other = twin
    found, reason = _compare_with(run, other, metric, view, margin)
    same, _reason = attempt(same_answers, other, run)
    rules: tuple[Text | None, Text | None] = (None, None)
    if same is not None and same.changed:
        rules = attempt(version_of, other)[0], attempt(version_of, run)[0]
    settings = tuple(
        OtherSetting(each.name, each.b, each.a)
        for each in differing_settings(other, run)
        if each.a is not None and each.is_stated
    )
    value = "" if found is None else f"{100 * found.stated.value:.6g}%"
    expected = Expected(value, run.dataset, other.model, metric[0], metric[1], source=name)
    if found is not None:
        expected = replace(expected, n=found.stated_n, questions=found.mine.n_questions)
    more = [*_other_causes(run, other, found, metric, view), *_of_settings(settings)]
    every = [*_with_chance(found, causes), *more]
    if same is not None and found is not None:
        by = -found.difference
        every = [cause for cause in every if cause.kind != "chance"]
        every.append(Cause("rule", by, by, True, same.changed, same.shared))
    about = Twin(name, other, same, rules)
    return Check(expected, found, reason, sorted_causes(every), settings, _share_cut(run), about)


def judged_together(checks: Sequence[Check]) -> list[Check]:
    """Return checks with what is found of all of them at once; see `metrics.reproductions`."""
    known = [check.found for check in checks if check.found is not None and check.same is None]
    adjusted = iter(reproductions(known) if len(known) > 1 else known)
    return [
        check if check.found is None or check.same else replace(check, found=next(adjusted))
        for check in checks
    ]


def unmet_settings(
    run: Run, stated: Mapping[str, Setting], n: int | None = None
) -> tuple[OtherSetting, ...]:
    """Return the settings of a run that are not as stated, or that it does not state.

    Examples
    --------
    >>> run = Run("7B", "aime", None, settings={"max_tokens": 2048, "temperature": 0.6})
    >>> unmet_settings(run, {"max_tokens": 32768, "temperature": 0.6, "top_p": 0.95})
    (OtherSetting(name='max_tokens', mine=2048, stated=32768), OtherSetting(...stated=0.95))
    """
    others = [
        OtherSetting(name, run.settings.get(name), value)
        for name, value in stated.items()
        if not _is_equal(run.settings.get(name), value)
    ]
    own = None if run.known is None else run.known.shape[1]
    if n is not None and own is not None and own != n:
        others.append(OtherSetting("n", own, n))
    return tuple(others)


def _is_equal(mine: Setting | None, stated: Setting) -> bool:
    if isinstance(mine, str) or isinstance(stated, str):
        return str(mine).casefold() == str(stated).casefold()
    return mine is not None and abs(float(mine) - float(stated)) < _EQUAL


def _compare_with(
    run: Run, other: Run, metric: tuple[MetricName, int | None], view: View, margin: float | None
) -> Attempted[Reproduction]:
    """Compare two runs, unless their questions are known to be others."""
    matched, reason = attempt(match, other, run)
    if matched is not None and not matched:
        reason = matched.refused
    if reason is not None:
        return None, reason
    name, k = metric
    return attempt(
        reproduces,
        run,
        name,
        other,
        k,
        margin=margin,
        **view.asked_but_target,
    )


def _with_chance(found: Reproduction | None, causes: Iterable[Cause]) -> Iterable[Cause]:
    """Return causes, with what chance may do to the difference in place of the number's own."""
    if found is not None:
        low, high = found.interval
        yield Cause("chance", low - found.difference, high - found.difference, False)
    yield from (cause for cause in causes if cause.kind != "chance")


def _of_settings(settings: Collection[OtherSetting]) -> Iterator[Cause]:
    if settings:
        yield Cause("settings", 0.0, 0.0, False, len(settings))


def _other_causes(
    run: Run,
    other: Run,
    found: Reproduction | None,
    metric: tuple[MetricName, int | None],
    view: View,
) -> Iterable[Cause]:
    """Yield by how much the number moves on the questions that both have."""
    if found is None or run.outcomes is None or other.outcomes is None:
        return
    alone = other.outcomes.questions.places(run.outcomes.questions) < 0
    dropped = int(alone.sum())
    if dropped:
        whole = _value(run, metric, view)
        by = 0.0 if whole is None else found.mine.value - whole
        yield Cause("others", by, by, True, dropped, len(alone))


def _value(run: Run, metric: tuple[MetricName, int | None], view: View) -> float | None:
    name, k = metric
    found, _reason = attempt(estimate, run, name, k, missing=view.missing, segment=view.segment)
    return None if found is None else found.value


def _count_questions(run: Run, view: View) -> int | None:
    """Return how many questions of a run count."""
    if run.known is None:
        return None
    try:
        _, questions = run.known.sizes(view.missing, view.segment)
    except MetricError:
        return None
    return int(questions.sum())


def _share_cut(run: Run) -> float | None:
    states = run.states
    if states is None or not states.told["cut"]:
        return None
    return states.counts["cut"] / max(1, sum(states.counts.values()))
