"""The numbers that a results file states, and how the tool computed them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics import Tally
from metrics.data.evidence import Evidence
from metrics.data.words import Text
from metrics.estimating.estimation import mean_score
from metrics.scoring.registry import find_metric
from reports.evaluations.verdicts.edit_judges import METRICS, MOST
from reports.evaluations.verdicts.failures import keeps_failures, totals_of
from reports.evaluations.verdicts.grading import Grades
from reports.evaluations.verdicts.joining import Joined
from reports.run.reasons import UNSEEN
from reports.run.reconcile import agree, is_headline, part_of

SCRAMBLED = Text(
    "AISBench mixes the samples of different questions before it computes this number; kofn put "
    "each back to its question."
)
OF_ALL_SAMPLES = Text(
    "AISBench compares the number of correct samples among all n with k/2, which is not a "
    "majority of k."
)
LAST_SAMPLE = Text(
    "The file states the accuracy of the last sample of each question only; kofn takes all samples."
)
DROPPED = Text(
    "The file counts questions without a usable reference as wrong; kofn leaves them out."
)
PADDED = Text(
    "The evaluation expected more samples than were requested, and judged the missing ones as "
    "empty answers."
)
WRONG_ONLY = Text("AISBench computes this number from the wrong samples only, so it is always 0.")
FAILED_RIGHT = Text(
    "The evaluator judged the empty answers it invents for failed requests, and found some right."
)
SOFT = Text(
    "The file states the mean of soft scores, which kofn could not compute; it counts verdicts."
)
TORN = Text("The last line of the predictions is incomplete, so its verdict is unknown.")
UNCHECKED = Text(
    "AISBench mixes the samples of different questions before it computes this number, so it is "
    "wrong; without details kofn cannot correct it."
)

_Computed = dict[str, tuple[float, Text | None]]

_OF_SEVERAL = re.compile(r"pass@(?!1$)\d+|cons@\d+")
"""Metrics that are no mean over samples."""
_AVERAGE = re.compile(r"avg@\d{1,6}")
_PASS = re.compile(r"pass@(\d{1,6})")
_CONS = re.compile(r"cons@(\d{1,6})")
_OF_GROUPS = re.compile(r"(?:avg|pass|cons)@\d{1,6}")
_SAMPLES = re.compile(r"avg@(\d{1,6})|.* \((\d{1,6}) runs average\)")
_SCALES = dict.fromkeys(METRICS, MOST) | {"English Overall Score": 1, "Chinese Overall Score": 1}
"""What is the whole of metrics that no evaluator states in percent."""
_NOT_SHARES = {"bp", "sys_len", "ref_len", "correct_count", "total_count"} | {
    "pass",
    "timeout",
    "failed",
    "wrong_answer",
}


def stated_metrics(content: Mapping[str, Any], evaluator: str | None) -> dict[str, float]:
    """Return the metrics of a results file as fractions.

    content: The file. Percentages, but for the accuracy of BFCL and OCRBench, which is a fraction,
        and scores from 0 to 10.

    Examples
    --------
    >>> stated_metrics({"accuracy": 42.5, "type": "GEN", "details": {}}, None)
    {'accuracy': 0.425}
    """
    scales = scales_of(content, evaluator)
    return {
        metric: value / scales[metric]
        for metric, value in content.items()
        if isinstance(value, int | float)
        and not isinstance(value, bool)
        and metric.partition(" (")[0] not in _NOT_SHARES
        and 0 <= value <= scales[metric]
    }


def scales_of(content: Mapping[str, Any], evaluator: str | None) -> dict[str, float]:
    """Return by key what the file writes for the whole; see `stated_metrics`.

    Examples
    --------
    >>> scales_of({"accuracy": 0.5, "avg@4": 50.0}, "BFCLSingleTurnEvaluator")
    {'accuracy': 1, 'avg@4': 100}
    """
    whole = 1 if keeps_failures(evaluator) or _is_of_counts(content) else 100
    return {
        metric: 100 if _OF_GROUPS.fullmatch(metric) else _SCALES.get(metric, whole)
        for metric in content
    }


def _is_of_counts(content: Mapping[str, Any]) -> bool:
    """Return whether the accuracy is the ratio of the counts beside it, and no percentage."""
    totals = totals_of(content)
    if totals is None or not totals.right:
        return False
    samples = totals.questions * totals.n
    means = [value for metric, value in content.items() if is_headline(metric)]
    return any(
        isinstance(mean, int | float) and abs(mean * samples - totals.right) < 1e-6 * samples
        for mean in means
    )


def stated_samples(stated: Mapping[str, float]) -> int | None:
    """Return how many samples the names of the metrics speak of.

    Examples
    --------
    >>> stated_samples({"accuracy (5 runs average)": 0.5}), stated_samples({"accuracy": 0.5})
    (5, None)
    """
    found = (match for metric in stated if (match := _SAMPLES.fullmatch(metric)))
    return next((int(match[1] or match[2]) for match in found), None)


def states_mean(metric: str) -> bool:
    """Return whether a key states the mean over all samples.

    Examples
    --------
    >>> states_mean("accuracy"), states_mean("avg@5"), states_mean("cons@5")
    (True, True, False)
    """
    return is_headline(metric) or _AVERAGE.fullmatch(metric) is not None


def needs_several(metric: str) -> bool:
    """Return whether a key states what depends on which samples are of one question.

    Examples
    --------
    >>> needs_several("pass@4"), needs_several("avg@4")
    (True, False)
    """
    return _OF_SEVERAL.fullmatch(metric) is not None


def unchecked(stated: Mapping[str, float]) -> dict[str, Text]:
    """Return what is wrong with the numbers of a file without usable details."""
    if stated_samples(stated) is None:
        return {}
    return {
        metric: UNCHECKED for metric in stated if _PASS.fullmatch(metric) or _CONS.fullmatch(metric)
    }


def explain(
    stated: Mapping[str, float], grades: Grades, joined: Joined
) -> tuple[bool | None, dict[str, Text]]:
    """Compute the stated numbers as the tool does.

    Returns: Whether the samples give the stated means, None if there is none; and what is wrong
    with a number, for each that the tool's arithmetic reproduces.
    """
    soft = {metric: SOFT for metric in stated if is_headline(metric) and joined.contradicted}
    others = {metric: value for metric, value in stated.items() if metric not in soft}
    computed = _computed(others, grades, joined.asked)
    explanations = {}
    for metric, (number, fault) in computed.items():
        fault = fault or (PADDED if joined.padded else None)
        fault = fault or (FAILED_RIGHT if joined.failed_right else None)
        if agree(stated[metric], number) and fault:
            explanations[metric] = fault
    return _agreement(others, computed, grades, joined.asked)[0], soft | explanations


def agreement(
    stated: Mapping[str, float], grades: Grades, questions: int
) -> tuple[bool | None, bool]:
    """Return whether the samples give the stated means, and all that they should give.

    questions: D, those that the evaluator dropped included.
    Returns: The first is None if the file states no mean, or if samples that kofn could not judge
    leave it open; the second holds as far as the samples that are judged tell.
    """
    return _agreement(stated, _computed(stated, grades, questions), grades, questions)


def _agreement(
    stated: Mapping[str, float], least: _Computed, grades: Grades, questions: int
) -> tuple[bool | None, bool]:
    most = least
    if grades.rule is not None and grades.unjudged is not None:
        all_right = replace(grades, verdicts=np.maximum(grades.verdicts, grades.unjudged))
        most = _computed(stated, all_right, questions)

    def allowed(metric: str) -> bool:
        value, low, high = stated[metric], least[metric][0], most[metric][0]
        return low < value < high or agree(value, low) or agree(value, high) or proven(metric)

    def proven(metric: str) -> bool:
        """Whether a mean is that of these samples and of lost ones, of which some are right."""
        mean, whole = least[metric][0], questions + grades.lost
        held = mean * questions
        return grades.lost > 0 and any(
            agree(stated[metric], (held + right) / whole) for right in range(grades.lost + 1)
        )

    means = [metric for metric in least if not needs_several(metric)]
    given = all(agree(stated[metric], least[metric][0]) or proven(metric) for metric in means)
    open_yet = not given and all(map(allowed, means))
    return (given if means and not open_yet else None), all(map(allowed, least))


def differing_means(
    stated: Mapping[str, float], grades: Grades, questions: int
) -> Iterator[tuple[str, float]]:
    """Give each stated mean that the samples do not give, with the one they do; see `agreement`."""
    for metric, (number, _fault) in _computed(stated, grades, questions).items():
        if not needs_several(metric) and not agree(stated[metric], number):
            yield metric, number


def _computed(stated: Mapping[str, float], grades: Grades, questions: int) -> _Computed:
    """Compute what the tool does, with what is wrong with each number."""
    computed = {
        metric: _as_the_tool(metric, value, grades, questions) for metric, value in stated.items()
    }
    return {
        metric: (number, fault)
        for metric, (number, fault) in computed.items()
        if number is not None
    }


def implied_questions(stated: Mapping[str, float], grades: Grades) -> int:
    """Return how many questions the headline was divided by, where avg@n counts fewer."""
    kept, n = len(grades.verdicts), grades.verdicts.shape[1]
    mean = float(grades.verdicts.mean())
    if grades.scores is None and agree(stated.get(f"avg@{n}", -1), mean):
        for metric, value in stated.items():
            questions = round(kept * mean / value) if is_headline(metric) and value else kept
            if questions > kept and agree(value, mean * kept / questions):
                return questions
    return kept


def _as_the_tool(
    metric: str, value: float, grades: Grades, questions: int
) -> tuple[float | None, Text | None]:
    """Compute a number as the tool does, and say what is wrong with that.

    A number that is put right already, by the tool or by kofn, is what the samples give.
    """
    number, fault = _with_its_faults(metric, value, grades, questions)
    if number is not None and not agree(value, number):
        for right in _put_right(metric, grades):
            if agree(value, right):
                return right, None
    return number, fault


def _put_right(metric: str, grades: Grades) -> Iterator[float]:
    """Give what a number may be once nothing is wrong with it."""
    if is_headline(metric) or _AVERAGE.fullmatch(metric):
        yield float(grades.verdicts.mean())
    if is_headline(metric) and grades.scores is not None:
        yield float(grades.scores.mean())
    for pattern, name in ((_PASS, "pass@k"), (_CONS, "maj@k")):
        if (found := pattern.fullmatch(metric)) and 1 <= int(found[1]) <= grades.verdicts.shape[1]:
            yield _of_counts(grades.verdicts.sum(axis=1), grades, name, int(found[1]))


def _of_counts(correct: NDArray[np.int64], grades: Grades, name: str, k: int) -> float:
    """Return a metric of how many samples of each question are right."""
    questions, n = grades.verdicts.shape
    tally = Tally.of_questions(np.full(questions, n), correct)
    return mean_score(find_metric(name), Evidence(tally), k, {})


def _with_its_faults(
    metric: str, value: float, grades: Grades, questions: int
) -> tuple[float | None, Text | None]:
    kept, n = grades.verdicts.shape
    if is_headline(metric) and grades.seen is not None:
        credit = grades.verdicts if grades.scores is None else grades.scores
        return float(credit.sum()) / grades.seen, UNSEEN
    if is_headline(metric):
        last = n > 1 and "runs average" not in metric
        fault = LAST_SAMPLE if last else DROPPED if kept < questions else None
        means = [
            float((each[:, -1] if last else each).mean()) * kept / questions
            for each in (grades.verdicts, grades.scores)
            if each is not None
        ]
        return next((mean for mean in means if agree(value, mean)), means[-1]), fault
    if grades.wrong_only and n > 1 and _OF_GROUPS.fullmatch(metric):
        return 0.0, WRONG_ONLY
    ungrouped = grades.grouping.known == "unknown"
    if metric == f"avg@{n}" or (ungrouped and _AVERAGE.fullmatch(metric)):
        mean = float(grades.verdicts.mean())
        over_all = kept < questions and agree(value, mean * kept / questions)
        return (mean * kept / questions, DROPPED) if over_all else (mean, None)
    fault = SCRAMBLED if grades.grouping.scrambled else None
    if (match := _PASS.fullmatch(metric)) and 1 <= int(match[1]) <= n:
        return _of_counts(grades.correct_as_stored, grades, "pass@k", int(match[1])), fault
    if match := _CONS.fullmatch(metric):
        k = int(match[1])
        share = float((grades.correct_as_stored > k / 2).mean())
        return share, fault or (OF_ALL_SAMPLES if k < n else None)
    segments = {kind: np.array(labels) for kind, labels in grades.segments.items()}
    part = part_of(metric, segments)
    return (None if part is None else float(grades.verdicts[part].mean())), None
