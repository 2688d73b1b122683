"""The menu: pages by section, those that need more data, and addresses that have moved."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from kofn.choices.needs import lacking
from metrics.data.words import Text
from pages.shared.internals import DeltaGenerator, StreamlitPage
from pages.shared.loading.guards import open_first_page
from pages.shared.memory import session
from pages.shared.translating import _, say

Sections = Mapping[str, tuple[str, Mapping[str, str]]]
"""By folder: the heading of a section, and its pages by folder with their titles."""


def navigate(sections: Sections, moved: Mapping[str, tuple[str, Mapping[str, str]]]) -> None:
    """Show the menu and run the page that the address names.

    A page for which the loaded data hold nothing stands, dimmed, below the others.

    moved: By old address, the folder of the page that has taken its place, and what is chosen
        there.
    """
    hidden = [st.Page(open_first_page, title="kofn", default=True, visibility="hidden")]
    hidden += [
        st.Page(_leading(*target), title="kofn", url_path=address, visibility="hidden")
        for address, target in moved.items()
    ]
    slot = st.sidebar.empty()
    needs = _needs()
    _show(sections, hidden, needs, slot.container(gap=None)).run()
    if (now := _needs()) != needs:  # since the page has read what was wanted
        _show(sections, hidden, now, slot.container(gap=None))


def _needs() -> dict[str, Text]:
    runs = [run for report in session.reports().values() for run in report.runs]
    return lacking(runs) if runs else {}


def _show(
    sections: Sections,
    hidden: list[StreamlitPage],
    needs: Mapping[str, Text],
    slot: DeltaGenerator,
) -> StreamlitPage:
    """Show the menu; return the page that the address names."""
    pages = {
        name: st.Page(
            f"pages/{folder}/{name}/page.py",
            title=title,
            url_path=name.replace("_", "-"),
            visibility="hidden" if name in needs else "visible",
        )
        for folder, (_heading, titles) in sections.items()
        for name, title in titles.items()
    }
    menu = {heading: [pages[name] for name in titles] for heading, titles in sections.values()}
    first, *_others = menu.values()
    first += hidden
    chosen = st.navigation(menu, expanded=True)
    if needs:
        with slot:
            st.caption(_("Needs more data"))
            for name, what in needs.items():
                label = Text("{page}: {needs}", page=pages[name].title, needs=what)
                st.page_link(pages[name], label=say(label), disabled=True)
    return chosen


def _leading(folder: str, choices: Mapping[str, str]) -> Callable[[], None]:
    """Return a page that leads to another, with all that the address says."""

    def lead() -> None:
        query = {key: st.query_params.get_all(key) for key in st.query_params}
        st.switch_page(
            f"pages/{folder}/page.py",
            query_params=query | {key: [value] for key, value in choices.items()},
        )

    return lead
