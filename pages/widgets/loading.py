"""Three ways to load a report: upload it, name its path on the server, or open the sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.typing import UploadedFile

from metrics.words import Text
from pages.widgets import server_paths, session
from pages.widgets.choices import count_visit
from pages.widgets.words import _, say
from reports import Report, load
from reports.archive import Source
from reports.errors import ColumnChoice, LoadError
from reports.progress import Progress

_SAMPLE_FOLDER = Path(__file__).parents[2] / "sample_data"
SAMPLE = [*sorted(_SAMPLE_FOLDER.glob("*.zip")), *sorted(_SAMPLE_FOLDER.glob("*.parquet"))]
_ROUND = "kofn.uploads"
_PATH = "kofn.path"
_COLUMN = "kofn.column"
_ASKED = {
    "correct": Text("Which column says whether a sample is right?"),
    "score": Text("Which column holds the scores?"),
    "question_id": Text("Which column tells the questions apart?"),
}


def load_reports() -> None:
    """Offer every way to load a report, and say what could not be read."""
    count_visit()
    if session.reports():
        with st.expander(_("Load more")):
            _upload()
            _open_path()
    else:
        st.write(
            _(
                "kofn reads what an evaluation wrote: an AISBench run folder or its zip, a single "
                "results file, or a table of outcomes (Parquet, CSV, JSONL, Arrow, npz)."
            )
        )
        _upload()
        _open_path()
        with st.container(horizontal=True, vertical_alignment="center"):
            open_sample()
            st.caption(_("No report at hand? The sample has a few models and datasets."))
    for number, question in enumerate(session.questions()):
        _ask(question, f"{_COLUMN}.{number}.{question.name}")
    for reason in session.refused():
        st.error(say(reason))


def _upload() -> None:
    """Let the visitor upload files; each is read once and then dropped from memory."""
    number = st.session_state.setdefault(_ROUND, 0)
    files = st.file_uploader(
        _("Upload files"), accept_multiple_files=True, key=f"{_ROUND}.{number}"
    )
    limit = Text(
        "A file above {limit} MB cannot be uploaded; it loads by its path.",
        limit=st.get_option("server.maxUploadSize"),
    )
    st.caption(say(limit))
    if files:
        _load([(file.name, partial(_read, (file.name, file.getvalue()))) for file in files])
        for file in files:
            _drop(file)
        st.session_state[_ROUND] = number + 1
        st.rerun()


def _open_path() -> None:
    """Let the visitor name a file or folder on the server, as far as that is allowed."""
    folder, own = server_paths.reports_folder(), server_paths.is_own_machine()
    if folder is None and not own:
        st.caption(
            _(
                "To load by path, whoever runs this server starts it with -- --reports FOLDER, or "
                "sets KOFN_REPORTS."
            )
        )
        return
    with (
        st.form(_PATH, clear_on_submit=True, border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        text = st.text_input(
            _("Or give a path on the server: a file, or a folder with one run or many"),
            placeholder=str(folder or Path.cwd()) if own else "",
            key=f"{_PATH}.text",
        )
        pressed = st.form_submit_button(_("Load"))
    if pressed and text:
        _load([(text, partial(_load_path, text))])
        st.rerun()


def open_sample() -> None:
    """Offer the bundled sample."""
    if st.button(_("Open the sample"), type="primary", key="kofn.sample"):
        _load([(path.name, partial(_read, path)) for path in SAMPLE])
        st.rerun()


def _ask(question: session.Question, key: str) -> None:
    """Let the visitor say which column of a table is meant, and load it with the answer."""
    role = question.choice.role
    with st.form(key):
        st.write(
            say(Text("{file}: {problem}.", file=question.table, problem=question.choice.problem))
        )
        answer = st.selectbox(
            say(_ASKED.get(role, Text("Which column is {role}?", role=role))),
            question.choice.candidates,
        )
        pressed = st.form_submit_button(_("Load with this column"))
    if pressed:
        _load([(question.name, question.read)], {**question.columns, role: answer})
        st.rerun()


def _load(
    sources: Sequence[tuple[str, session.Read]], columns: Mapping[str, str] | None = None
) -> None:
    session.refused().clear()
    known = columns or {}
    for number, (name, read) in enumerate(sources, start=1):
        session.forget_questions(read)
        doing = Text(
            "Reading {name} ({number} of {all})", name=name, number=number, all=len(sources)
        )
        with st.spinner(say(doing), show_time=True):
            try:
                report = read(known, _bar())
            except ColumnChoice as choice:
                choices: tuple[ColumnChoice, ...] = (choice,)
            except LoadError as error:
                session.refused().append(error.text)
                choices = ()
            else:
                session.reports()[report.digest] = report
                choices = report.choices
            session.questions().extend(
                session.Question(name, read, choice, known) for choice in choices
            )


def _bar() -> Progress:
    """Return what shows how far the reading of a file has come."""
    place = st.empty()

    def show(done: int, total: int) -> None:
        place.progress(done / total)

    return show


def _read(source: Source, columns: Mapping[str, str], progress: Progress) -> Report:
    return load(source, columns=columns, progress=progress)


def _load_path(text: str, columns: Mapping[str, str], progress: Progress) -> Report:
    return load(server_paths.find(text), columns=columns, progress=progress)


def _drop(file: UploadedFile) -> None:
    """Free the bytes: Streamlit would hold them until the visitor leaves."""
    context = get_script_run_ctx()
    if context and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)
