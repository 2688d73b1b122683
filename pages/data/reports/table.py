"""What is loaded, and whether it can be trusted."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from kofn.choices.runs import place_in
from kofn.choices.view import View
from kofn.inventory.analysis import HoldingCard, take_in, take_in_suites
from kofn.inventory.columns import CAME_IN, CameIn
from kofn.inventory.command import INVENTORY
from kofn.writing.columns import shown_columns
from pages.shared.memory import session
from pages.shared.memory.known import run_facts
from pages.shared.showing.tables import show_table, take_away_later
from pages.shared.translating import _, run_on, say
from reports.run.report import Run


def show_inventory(runs: Mapping[str, Run]) -> None:
    """Show a table of the runs: how much data each has and what is known of it."""
    files = _files()
    lines = [CameIn(run, run_facts(key, run), files[id(run)]) for key, run in runs.items()]
    show_table(CAME_IN, lines, _("Inventory of the loaded runs"))
    helps = (each.column.help for each in shown_columns(CAME_IN, lines, "page"))
    st.caption(run_on(say(help) for help in helps if help))


def take_away_inventory(runs: Mapping[str, Run]) -> None:
    """Offer what the subcommand finds of the runs, and of their suites."""

    def find() -> list[HoldingCard]:
        cards = take_in(runs, View())
        return [*cards, *take_in_suites([*session.reports().values()], cards)]

    take_away_later(INVENTORY, find, View(), "inventory")


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
