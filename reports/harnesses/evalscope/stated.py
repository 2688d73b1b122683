"""The numbers in EvalScope's reports, named alike in all versions, and how it computes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from metrics import estimate
from metrics.data.names import MetricName
from metrics.data.outcomes import Outcomes
from metrics.data.words import Text
from reports.files.tree import Tree
from reports.json_files.strict import parse_file
from reports.run.reasons import CUT_SHORT, WITHOUT_FAILED
from reports.run.reconcile import agree
from reports.samples.gathering import Gathered

_AT_K = re.compile(r"(?P<name>.+?)_(?P<kind>pass|vote)(?P<sign>[@^])(?P<k>\d{1,6})")
_ALONE = re.compile(r"[Pp]ass(?P<sign>@)(?P<k>\d{1,6})")
_MANY: dict[str, MetricName] = {"pass@": "pass@k", "pass^": "pass^k"}
_KINDS = {"pass_at_k": "pass@", "vote_at_k": "vote@", "pass_hat_k": "pass^"}


@dataclass(frozen=True)
class StatedReport:
    """What a report states."""

    # ``score`` is the mean of the score that decides, then means of its subsets, by their names,
    # and ``pass@k``, ``pass^k`` and ``vote@k``.
    numbers: Mapping[str, float] = field(default_factory=dict)
    # Generations that were asked for, of each subset.
    expected: Mapping[str, int] = field(default_factory=dict)
    # Generations that were scored, of each subset.
    counted: Mapping[str, int] = field(default_factory=dict)


def read_stated(tree: Tree, path: str) -> StatedReport:
    """Read a report."""
    content = parse_file(tree, path)
    primary = content.get("primary_metric_identity")
    entries = content["metrics"]
    main = next((each for each in entries if each.get("identity") == primary), entries[0])
    numbers: dict[str, float] = {"score": main["score"]}
    subsets = [each for category in main["categories"] for each in category["subsets"]]
    subsets = [each for each in subsets if not each.get("is_aggregate")]
    if len(subsets) > 1:
        numbers |= {str(each["name"]): each["score"] for each in subsets}
    for each in entries:
        if each is not main and (name := _at_k(each, main)):
            numbers[name] = each["score"]
    summary = (content.get("execution_summary") or {}).get("subsets") or {}
    requested, succeeded = (
        {name: int(each[count]) for name, each in summary.items()}
        for count in ("requested", "succeeded")
    )
    if not summary and str(main.get("name")).startswith("mean_"):
        succeeded = {str(each["name"]): int(each["num"]) for each in subsets}
    return StatedReport(numbers, requested, succeeded)


def _at_k(entry: Mapping[str, Any], main: Mapping[str, Any]) -> str | None:
    """Return the name of a number of k samples of the score that decides."""
    if identity := entry.get("identity"):
        kind = _KINDS.get(identity["aggregation"])
        same = identity["name"] == (main.get("identity") or {}).get("name")
        k = identity["dimensions"].get("k")
        return f"{kind}{k}" if kind and same and k else None
    written = str(entry.get("name"))
    if found := _ALONE.fullmatch(written):
        return f"pass@{found['k']}"
    found = _AT_K.fullmatch(written)
    if found and found["name"] in str(main.get("name")):
        return f"{found['kind']}{found['sign']}{found['k']}"
    return None


def explanations(
    gathered: Gathered, numbers: Mapping[str, float], *, is_cut: bool
) -> Iterator[tuple[str, Text]]:
    """Say why numbers are not what all samples give, where the tool's own way gives them."""
    if is_cut:
        yield from ((name, CUT_SHORT) for name in numbers)
        return
    if (gathered.outcomes.correct >= 0).all():
        return
    for name, number in numbers.items():
        own = _number_of_tool(gathered.outcomes, name)
        if own is not None and agree(number, own):
            yield name, WITHOUT_FAILED


def _number_of_tool(outcomes: Outcomes, name: str) -> float | None:
    """Compute a number as the tool does where calls failed: without these."""
    correct, graded = outcomes.correct, outcomes.correct >= 0
    if name == "score":
        values = correct if outcomes.scores is None else outcomes.scores
        return float(values[graded].mean())
    if name in (labels := outcomes.segments.get("subset", np.array([]))):
        of_subset = graded & (labels == name)[:, None]
        return float(correct[of_subset].mean()) if of_subset.any() else None
    stem, k = name[:5], int(name[5:]) if name[5:].isdigit() else 0
    whole = graded[:, :k].all(axis=1) if 0 < k <= correct.shape[1] else np.zeros(1, bool)
    metric = _MANY.get(stem)
    if metric is None or not whole.any():
        return None
    part = Outcomes(np.where(graded, correct, -2)[whole])
    return estimate(part, metric, k).value
