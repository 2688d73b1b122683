"""One question opened: what was asked, what was expected, and what each run said."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from kofn.question_lists import RunQuestions
from kofn.questions import QuestionFilter
from kofn.rendering import printable
from metrics.words import Text
from pages.widgets import session
from pages.widgets.choices import choose, tied
from pages.widgets.question_data import Shown
from pages.widgets.question_samples import show_samples
from pages.widgets.reading import show_text
from pages.widgets.words import _, escape, say
from reports.report import LoadError, Run
from reports.texts import Texts, Turn

ABREAST = 3
"""The most runs that are read side by side."""
_SPEAKERS = {
    "human": "user",
    "user": "user",
    "bot": "assistant",
    "assistant": "assistant",
    "ai": "assistant",
    "gpt": "assistant",
}


def show_question(shown: Shown, chosen: QuestionFilter, rows: NDArray[np.intp]) -> None:
    """Show the open question, with the way to the one before and the one after in the list."""
    a = shown.a
    if chosen.open not in a.ids:
        if chosen.open:
            st.info(say(Text("This run has no question {name}.", name=chosen.open)))
        return
    place = a.ids.index(chosen.open)
    _navigate(a, rows, place, chosen)
    sides = [(side, side.ids.index(chosen.open)) for side in shown.runs if chosen.open in side.ids]
    texts = [_read(side, chosen.open) for side, _place in sides[:ABREAST]]
    silent = [side.key for side, _place in sides[:ABREAST] if not side.run.has_texts]
    if silent:
        without = Text(
            "There are no prompts and predictions to read in the file of {runs}; load a report "
            "folder with its predictions to read them.",
            runs=", ".join(silent),
        )
        st.info(say(without))
    asked = next((each for each in texts if each is not None and each.prompt), None)
    if asked is not None:
        st.markdown(f"**{_('Prompt')}**")
        _show_prompt(asked.prompt, chosen.maths)
    expected = next((each.reference for each in texts if each and each.reference), None)
    if expected is not None:
        st.markdown(f"**{_('Reference')}**")
        show_text(expected, "kofn.question.reference", chosen.maths)
    columns = st.columns(len(texts))
    for column, (side, at), found in zip(columns, sides, texts, strict=False):
        with column:
            show_samples(side, at, found, chosen.maths)
    _offer(chosen.open, {side.key: each for (side, _at), each in zip(sides, texts, strict=False)})


def _navigate(
    questions: RunQuestions, rows: NDArray[np.intp], place: int, chosen: QuestionFilter
) -> None:
    found = np.flatnonzero(rows == place)
    at = int(found[0]) if len(found) else -1
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(escape(questions.ids[place]), anchor=False, width="stretch")
        if at >= 0:
            where = Text("{at:,} of {all:,}", at=at + 1, all=len(rows))
        else:
            where = Text("Not in this list")
        st.markdown(say(where), width="content")
        _step(questions, rows, at - 1, _("Previous"), "P")
        _step(questions, rows, at + 1, _("Next"), "N")
        st.toggle(_("Set formulas"), **tied(QuestionFilter, "maths", chosen.maths))
        st.button(
            _("Close"),
            key="kofn.question.close",
            on_click=lambda: choose(QuestionFilter, open=""),
            type="tertiary",
        )
    segments = questions.outcomes.segments
    row = questions.known.rows[place]
    labels = [f"{name}: {values[row]}" for name, values in segments.items()]
    if labels:
        st.caption(escape(" · ".join(labels)))


def _step(
    questions: RunQuestions, rows: NDArray[np.intp], to: int, label: str, shortcut: str
) -> None:
    inside = 0 <= to < len(rows)
    target = questions.ids[rows[to]] if inside else ""
    st.button(
        label,
        key=f"kofn.question.{shortcut}",
        on_click=lambda: choose(QuestionFilter, open=target),
        disabled=not inside,
        shortcut=shortcut,
    )


def _read(questions: RunQuestions, name: str) -> Texts | None:
    """Read the texts of a question; None, with the reason, where that is not possible."""
    if not questions.run.has_texts:
        return None
    try:
        with st.spinner(_("Reading the texts"), show_time=True):
            return _texts(session.identity(questions.key, questions.run), name, questions.run)
    except LoadError as error:
        st.error(say(error.text))
        return None


@st.cache_resource(scope="session", max_entries=6, show_spinner=False)
def _texts(identity: str, name: str, _run: Run) -> Texts:
    return _run.texts(name)


def _show_prompt(prompt: Sequence[Turn], maths: bool) -> None:
    """Show the last message of a prompt, with those before it folded away."""
    last = len(prompt)
    while last > 0 and prompt[last - 1].role == prompt[-1].role:
        last -= 1
    if last:
        before = Text("{count} turn before", "{count} turns before", count=last)
        fold = st.expander(
            say(before), key="kofn.question.before", on_change="rerun", type="compact"
        )
        if fold.open:
            with fold:
                _show_turns(prompt[:last], maths, "before")
    _show_turns(prompt[last:], maths, "last")


def _show_turns(turns: Sequence[Turn], maths: bool, part: str) -> None:
    for number, turn in enumerate(turns):
        key = f"kofn.question.turn.{part}.{number}"
        if turn.role:
            speaker = _SPEAKERS.get(turn.role.lower())
            with st.chat_message(
                speaker or "system", avatar=None if speaker else ":material/tune:"
            ):
                st.caption(escape(turn.role))
                _show_turn(turn, maths, key)
        else:
            _show_turn(turn, maths, key)


def _show_turn(turn: Turn, maths: bool, key: str) -> None:
    if turn.image is not None:
        data = base64.b64encode(turn.image.data).decode()
        st.image(f"data:{turn.image.media_type};base64,{data}", alt=_("Picture of the prompt"))
    elif turn.text:
        show_text(turn.text, key, maths)


def _offer(name: str, texts: dict[str, Texts | None]) -> None:
    """Offer all texts of a question, whole."""

    def document() -> str:
        held = {key: _document(each) for key, each in texts.items() if each is not None}
        return json.dumps(held, ensure_ascii=True, indent=2)

    if any(texts.values()):
        st.download_button(
            _("Download these texts"),
            document,
            f"question-{printable(name)[:80]}.json",
            "application/json",
            on_click="ignore",
        )


def _document(texts: Texts) -> dict[str, object]:
    prompt = [
        {"role": turn.role, "text": turn.text or (turn.image and turn.image.media_type)}
        for turn in texts.prompt
    ]
    rest = {"reference": texts.reference, "predictions": texts.predictions}
    return {"question": texts.question, "prompt": prompt, **rest, "answers": texts.answers}
