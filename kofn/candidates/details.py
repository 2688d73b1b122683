"""All that is found of the candidates of a run, and its numbers laid out flat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from kofn.candidates.analysis import Examined
from kofn.candidates.checklist import Item, checklist
from kofn.candidates.choices import Picking
from kofn.candidates.diversity import differ, measure_texts
from kofn.candidates.judging import Judged, judge_run
from kofn.candidates.lists import Lists, lists
from kofn.candidates.rivals import Rivals, rivals
from kofn.candidates.trust import Chosen, Trust, choose_nested, trust
from kofn.card import attempt, value_of
from kofn.choices.view import View
from metrics.analyses.diversity.diversity import Diversity
from metrics.analyses.judges.powered import Powered
from metrics.data.results import UNIT, Estimate
from metrics.data.words import Text
from reports.run.calibration import Calibration
from reports.run.report import Run

NOTHING = None, None
"""Of what was not asked for."""


class Details(NamedTuple):
    """What lies behind a pick; None where there is nothing of the kind.

    Attributes
    ----------
    rivals : Rivals or None
    trust : Trust or None
    nested : Chosen or None
    lists : Lists or None
    diversity : Diversity or None
    judged : Judged or None
    items : tuple of Item
        What should be seen to.
    missing : tuple of Text
        Why something that was asked for is not there.
    """

    rivals: Rivals | None
    trust: Trust | None
    nested: Chosen | None
    lists: Lists | None
    diversity: Diversity | None
    judged: Judged | None
    items: tuple[Item, ...]
    missing: tuple[Text, ...]


def look_into(
    run: Run,
    view: View,
    picking: Picking,
    found: Examined,
    calibration: Calibration | None = None,
    *,
    texts: bool = False,
) -> Details:
    """Find out all that lies behind a pick; texts are compared where that is asked for."""
    beside, _reason = attempt(rivals, run, view, picking)
    trusted, _reason = attempt(trust, run, view, picking)
    nested, unchosen = (
        attempt(choose_nested, run, view, picking) if picking.nested else (None, None)
    )
    listed, _reason = attempt(lists, run, view, picking)
    compared, unread = attempt(measure_texts, run) if texts else NOTHING
    different, _reason = attempt(differ, run, view, compared)
    judged, unjudged = attempt(judge_run, run, view, picking, calibration)
    asked = picking.judge or calibration
    return Details(
        beside,
        trusted,
        nested,
        listed,
        different,
        judged if judged is not None and (judged.is_known or asked) else None,
        checklist(
            run, found, picking, calibrated=calibration is not None, compared=compared is not None
        ),
        tuple(reason for reason in (unchosen, unread, unjudged) if reason is not None),
    )


def numbers(found: Details) -> Iterator[dict[str, Any]]:
    """Yield every number with its name, k, interval and caveats; pass@k is the oracle's."""
    for number in found.lists.numbers if found.lists else ():
        if number.name == "pass@k":
            continue
        for k, (value, low, high) in number.at.items():
            yield {
                "number": f"{number.name[:-1]}{k}" if k else number.name,
                "k": k or None,
                "value": value,
                "low": low,
                "high": high,
                "share": number.share,
                "target": number.target,
                "caveats": number.caveats,
            }
    for measure in found.diversity.measures if found.diversity else ():
        if measure.estimate is not None:
            yield _cells(measure.name, measure.estimate)
    for name, (corrected, reason) in found.judged.numbers.items() if found.judged else ():
        if corrected is None:
            yield {"number": f"corrected {name}", "reason": reason}
        else:
            yield _cells(f"judged {name}", corrected.observed)
            estimate = corrected.estimate
            told = (corrected.way, *estimate.caveats)
            if isinstance(corrected, Powered):
                yield _cells(f"labels only {name}", corrected.labels_only)
            yield _cells(f"corrected {name}", estimate) | {"caveats": told}
    if found.judged is not None and found.judged.errors is not None:
        yield _cells("sensitivity", found.judged.errors.sensitivity)
        yield _cells("specificity", found.judged.errors.specificity)
    if found.nested is not None:
        chosen = found.nested.nested
        told = chosen.caveats
        yield _cells("chosen, nested", chosen.value) | {"k": chosen.k, "caveats": told}


def _cells(name: str, found: Estimate) -> dict[str, Any]:
    return {
        "number": name,
        **value_of(found),
        "share": found.bounds == UNIT,
        "target": found.target,
        "caveats": found.caveats,
    }
