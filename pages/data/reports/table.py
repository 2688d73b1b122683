"""What is loaded, and whether it can be trusted."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from kofn.card import is_verified
from kofn.choices.runs import place_in
from kofn.choices.view import View
from kofn.inventory.command import INVENTORY
from kofn.inventory.holdings import take_in
from kofn.unfinished import how_far
from kofn.writing.rendering import printable
from pages.shared.memory import session
from pages.shared.memory.facts import run_facts
from pages.shared.showing.downloads import download_table
from pages.shared.translating import _, run_on, say
from reports.run.report import Run


def show_inventory(runs: Mapping[str, Run]) -> None:
    """Show a table of the runs: how much data each has and what is known of it."""
    table = _table(runs)
    st.dataframe(table, hide_index=True, placeholder="–", alt=_("Inventory of the loaded runs"))
    meanings = {
        _("Verified"): _(
            "Verified: we reproduced the report's own numbers from its samples, in its own way."
        ),
        _("Grouping"): _(
            "Grouping: how it is known which samples belong to the same question, proven by ids, "
            "references or prompts, or stated by the file only."
        ),
    }
    st.caption(run_on(text for column, text in meanings.items() if column in table))


def take_away_inventory(runs: Mapping[str, Run]) -> None:
    """Offer the table of the runs."""
    whole = View()
    download_table(
        lambda: _table(runs), "inventory", lambda: INVENTORY.cited(take_in(runs, whole), whole)
    )


def _table(runs: Mapping[str, Run]) -> pd.DataFrame:
    files = _files()
    rows = [_row(key, run, files[id(run)]) for key, run in runs.items()]
    return pd.DataFrame(rows).dropna(axis=1, how="all")


def _files() -> dict[int, str]:
    """Name the file of each run by its id: with its report where another holds a like run."""
    found = [
        (name, report, run)
        for name, report in session.named_reports().items()
        for run in report.runs
    ]
    alike: dict[tuple[str, str], set[str]] = {}
    for name, _report, run in found:
        alike.setdefault((run.model, run.dataset), set()).add(name)
    return {
        id(run): place_in(report, run.source, name)
        if len(alike[run.model, run.dataset]) > 1
        else run.source
        for name, report, run in found
    }


def _row(key: str, run: Run, file: str) -> dict[str, object]:
    facts = run_facts(key, run)
    return {
        _("Model"): printable(run.model),
        _("Dataset"): printable(run.dataset),
        _("Questions"): facts and facts.questions,
        _("Samples"): facts and _span(facts.n_min, facts.n_max),
        _("So far"): run.unfinished and say(how_far(run.unfinished)),
        _("No verdict"): facts and facts.failed,
        _("Verified"): _verified(run),
        _("Grouping"): _grouping(run),
        _("Verdicts"): _verdicts(run),
        _("Not gradable"): facts and facts.ungradable,
        _("Evaluator"): run.evaluator and printable(run.evaluator),
        _("Time"): run.time,
        _("File"): printable(file),
    }


def _span(fewest: int, most: int) -> str:
    return str(most) if fewest == most else f"{fewest}–{most}"


def _verified(run: Run) -> str | None:
    if run.verified is None:
        return None
    return _("yes") if is_verified(run) else _("no")


def _grouping(run: Run) -> str | None:
    if run.known is None:
        return None
    names = {"proven": _("proven"), "stated": _("stated"), "unknown": _("unknown")}
    return names[run.grouping]


def _verdicts(run: Run) -> str:
    if run.outcomes is None:
        return _("missing") if run.counts is None else _("counted where they are")
    return _("hard") if run.outcomes.scores is None else _("soft and hard")
