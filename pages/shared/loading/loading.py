"""Ways to load a report: upload files or a folder, name a path on the server, open the sample."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path

import plotly.graph_objects as go
import streamlit as st
from streamlit.typing import UploadedFile

from kofn.choices.parts import OpenParts
from kofn.introduction import ANSWERS, EXAMPLE, introduce
from metrics.data.words import Catalogue, Enumerated, Text, reader, some_of
from pages.shared.choices import current_choices
from pages.shared.internals import free
from pages.shared.loading import opening, server_paths
from pages.shared.loading.columns import ask_columns
from pages.shared.loading.following import keep_up
from pages.shared.loading.linked import ask_missing
from pages.shared.loading.listed import list_reports
from pages.shared.loading.wanted import bring, came_first, read_wanted
from pages.shared.memory import session
from pages.shared.showing.charts import draw
from pages.shared.showing.folds import fold
from pages.shared.translating import _, say
from reports.files.errors import LoadError
from reports.files.folders import packed, several
from reports.loading import TOOLS

BOXES = 3
"""The most refused files that have a box each."""
_ROUND = "kofn.uploads"
_FOLDER = "kofn.folder"
_PATH = "kofn.path"
_COLUMN = "kofn.column"
_OFFERED = 8
"""The most addresses that are named."""


def receive_reports() -> bool:
    """Read what the visitor wants, and again what has changed if it is followed.

    Returns: Whether the first reports came in just now, and leave nothing open.
    """
    current_choices(OpenParts)
    read_wanted()
    keep_up()
    opened = session.refusals() or session.questions() or session.missing_sources()
    return came_first() and bool(session.reports()) and not opened


def ask_open() -> None:
    """Ask what a link or a table leaves open, and say what failed; then offer to load the first."""
    asked = ask_missing()
    alike: dict[object, list[session.ColumnQuestion]] = {}
    for question in session.questions():
        alike.setdefault(question.asks, []).append(question)
    for number, questions in enumerate(alike.values()):
        ask_columns(questions, f"{_COLUMN}.{number}.{questions[0].file.source.name}")
    tell_refused()
    if session.reports():
        return
    if asked:
        upload_files()
    else:
        _welcome()


def load_more() -> None:
    """List what is loaded, and offer ways to load more."""
    list_reports()
    upload_files()
    _open_path()


def _welcome() -> None:
    """Say and draw what kofn answers, and offer ways to load the first report."""
    st.header(say(ANSWERS), anchor=False)
    with st.container(horizontal=True, vertical_alignment="center"):
        open_sample()
        st.caption(_("a few models and datasets to look around"), width="stretch")
    picture, ways = st.columns([6, 5], gap="large")
    with picture:
        example = say(EXAMPLE)
        draw(_introduction(reader()), EXAMPLE, "what tries bring", example)
    with ways:
        upload_files()
        _open_path()
        reads = Text(
            "kofn reads what an evaluation wrote: the folder of a run, a zip of it or a single "
            "file, of {names}; or a table of outcomes (Parquet, CSV, JSONL, Arrow, npz).",
            names=Enumerated(tool.name for tool in TOOLS),
        )
        st.caption(say(reads))


@cache
def _introduction(_language: Catalogue | None) -> go.Figure:
    """Draw what kofn answers, once for all who read a language."""
    return introduce()


def tell_refused() -> None:
    """Say what could not be read, and fold many sentences away: what was loaded stays in sight."""
    reasons = [*session.refusals(), *session.labelled_reports()[1]]
    if len(reasons) <= BOXES:
        for reason in reasons:
            st.error(say(reason))
        return
    count = Text(
        "{count} file could not be used", "{count} files could not be used", count=len(reasons)
    )
    bullets = "\n".join(f"- {say(reason)}" for reason in reasons)
    fold(st.expander, f":red[**{say(count)}**]", "refused", partial(st.markdown, bullets))


def upload_files() -> None:
    """Let the visitor upload files or a folder; each goes to disk, to be read from there."""
    number = st.session_state.setdefault(_ROUND, 0)
    st.file_uploader(
        _("Upload files"),
        accept_multiple_files=True,
        key=f"{_ROUND}.{number}",
        on_change=_take,
    )
    st.file_uploader(
        _("Or the whole folder of a run, or of many"),
        accept_multiple_files="directory",
        key=f"{_FOLDER}.{number}",
        on_change=_take_folder,
    )
    limit = Text(
        "Files that belong together, such as samples and results of a run, are combined when "
        "you choose them together, or give them as one folder or zip. A file above {limit} MB "
        "cannot be uploaded; it loads by its path.",
        limit=st.get_option("server.maxUploadSize"),
    )
    st.caption(say(limit))


def _uploaded_files(uploader: str) -> list[UploadedFile]:
    """Return the files of an uploader; none where its files were taken before it was told so."""
    files: list[UploadedFile] = st.session_state.get(f"{uploader}.{st.session_state[_ROUND]}", [])
    return files


def _take() -> None:
    files = _uploaded_files(_ROUND)
    if not files:
        return
    kept: list[session.Wanted] = []
    refused: list[Text] = []
    given = [(file.name, file.getvalue()) for file in files]
    for group in _groups(given):
        some = [given[number] for number in group]
        try:
            alone = len(some) == 1
            name, data = some[0] if alone else packed(_zip_of(some), some)
            kept.append(opening.uploaded_source(name, data))
        except LoadError as error:
            refused.append(error.text)
    _finish(files, kept, refused)


def _zip_of(files: Sequence[tuple[str, bytes]]) -> str:
    return f"{several([name for name, _ in files])}.zip"


def _groups(given: Sequence[tuple[str, bytes]]) -> list[list[int]]:
    try:
        return opening.file_groups(given)
    except LoadError:  # said again of each file that cannot be kept
        return [[number] for number in range(len(given))]


def _take_folder() -> None:
    """Take the files of a folder, whose names are their paths, as one report."""
    files = _uploaded_files(_FOLDER)
    if not files:
        return
    name, _, _ = files[0].name.partition("/")
    try:
        kept = opening.uploaded_source(
            *packed(name, [(file.name, file.getvalue()) for file in files])
        )
    except LoadError as error:
        _finish(files, [], [error.text])
    else:
        _finish(files, [kept], [])


def _finish(
    files: Sequence[UploadedFile], kept: Sequence[session.Wanted], refused: Sequence[Text]
) -> None:
    bring(kept)
    session.refusals().extend(refused)
    for file in files:
        free(file)
    st.session_state[_ROUND] += 1


def _open_path() -> None:
    """Let the visitor name what lies on the server, or within an address given at start."""
    given, own = server_paths.sources_of_reports(), server_paths.is_own_machine()
    if not given and not own:
        st.caption(
            _("To load by path, the administrator of this server names a folder at its start.")
        )
        return
    elsewhere = [each.shown for each in given if each.is_remote]
    here = [each.shown for each in given if not each.is_remote] or [str(Path.cwd())]
    with (
        st.form(_PATH, clear_on_submit=True, border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        st.text_input(
            _("Or give a path on the server: a file, or a folder with one run or many"),
            placeholder=here[0] if own else "",
            key=f"{_PATH}.text",
        )
        st.form_submit_button(_("Load"), on_click=_take_path)
    if elsewhere:
        offered = Text("Or an address within {addresses}.", addresses=some_of(elsewhere, _OFFERED))
        st.caption(say(offered))


def _take_path() -> None:
    if text := st.session_state[f"{_PATH}.text"]:
        try:
            bring([opening.named_source(text)])
        except LoadError as error:
            session.refusals()[:] = [error.text]


def open_sample() -> None:
    """Offer the bundled sample."""
    st.button(
        _("Open the sample"),
        type="primary",
        key="kofn.sample",
        on_click=lambda: bring(opening.sample_source()),
    )
