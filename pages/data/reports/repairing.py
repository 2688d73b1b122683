"""AISBench reports with corrected numbers, to download."""

from __future__ import annotations

from functools import partial
from pathlib import Path, PurePath

import streamlit as st

from kofn.workers.reading import repaired
from metrics.data.words import Text
from pages.shared.memory import session
from pages.shared.memory.cached import remember
from pages.shared.translating import _, say
from reports.files.addresses import Address
from reports.files.stored_files import Upload
from reports.repairing import can_repair
from reports.run.report import Report

_CHOSEN = "kofn.repair"
_LARGEST = 200 << 20
"""Bytes of a report, which the server holds in memory while it is taken away."""


def offer_repair() -> None:
    """Offer each report whose wrong numbers can be put right, repaired; made when asked for."""
    files = session.files()
    found = {
        digest: place
        for digest, report in session.reports().items()
        if digest in files
        and (place := _on_disk(files[digest].held))
        and _can_repair(digest, report)
    }
    large = {digest: held for digest, held in found.items() if _size(digest, held) > _LARGEST}
    for digest in large:
        what = Text(
            "{name} is too large to be repaired here. Use kofn repair.",
            name=session.reports()[digest].name,
        )
        st.caption(say(what))
        del found[digest]
    if not found:
        return
    names = {digest: session.reports()[digest].name for digest in found}
    with st.container(horizontal=True, vertical_alignment="bottom", width="content"):
        digest = next(iter(names))
        if len(names) > 1:
            digest = st.selectbox(_("Report"), names, format_func=names.__getitem__, key=_CHOSEN)
        name = PurePath(names[digest]).name.removesuffix(".zip")
        st.download_button(
            _("Download repaired report"),
            partial(_repaired_bytes, found[digest]),
            f"{name}-repaired.zip",
            "application/zip",
            icon=":material/build:",
            on_click="ignore",
            help=_(
                "The same report with the right numbers and their intervals, a note of what was "
                "changed, and the original inside."
            ),
        )


def _repaired_bytes(held: Path | Upload) -> bytes:
    made = repaired(held)  # it goes with the last that holds it
    return made.place.read_bytes()


def _on_disk(held: Address | Upload) -> Path | Upload | None:
    if isinstance(held, Upload):
        return held
    return Path(held.text) if held.kind == "path" else None


@remember(1000)
def _size(digest: str, _held: Path | Upload) -> int:
    place = _held.place if isinstance(_held, Upload) else _held
    files = place.rglob("*") if place.is_dir() else [place]
    return sum(file.stat().st_size for file in files if file.is_file())


@remember(1000)
def _can_repair(digest: str, _report: Report) -> bool:
    return can_repair(_report)
