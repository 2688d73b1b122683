"""One open question: the prompt, the reference, and the answers of each run."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from kofn.questions.analysis import RunQuestions
from kofn.questions.filters import QuestionFilter
from metrics.data.words import Enumerated, Text, printable
from pages.data.questions.data import Shown, open_question, read_texts
from pages.data.questions.list_pages import find_open, page_of
from pages.data.questions.samples import judge, show_samples
from pages.shared.choices import tie_widget
from pages.shared.showing.folds import fold
from pages.shared.texts.reading import show_text
from pages.shared.translating import _, escape, say
from reports.files.errors import LoadError
from reports.run.texts import Texts, Turn

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


class _Side(NamedTuple):
    """What one run has of the open question; its texts are None where there are none to read."""

    questions: RunQuestions
    place: int
    texts: Texts | None


def show_question(shown: Shown, chosen: QuestionFilter, rows: NDArray[np.intp]) -> None:
    """Show the open question, with the way to the one before and the one after in the list."""
    a = shown.a
    if chosen.open not in a.names:
        if chosen.open:
            st.info(say(Text("This run has no question {name}.", name=chosen.open)))
        return
    place = a.names.index(chosen.open)
    name = a.ids[place]
    asked = [questions for questions in shown.runs if name in questions.ids][:ABREAST]
    _navigate(a, rows, chosen)
    _say_silent([questions.key for questions in asked if not questions.run.has_texts])
    sides = [
        _Side(questions, questions.ids.index(name), _read(questions, name)) for questions in asked
    ]
    texts = [side.texts for side in sides if side.texts is not None]
    _show_asked(texts, chosen.maths)
    judges = list(dict.fromkeys(judge(side.questions.run) for side in sides))
    if len(judges) == 1:
        st.caption(say(judges[0]))
    for column, side in zip(st.columns(len(sides)), sides, strict=True):
        with column:
            show_samples(*side, maths=chosen.maths, with_judge=len(judges) > 1)
    if texts:
        _offer(chosen.open, sides)


def _say_silent(keys: Sequence[str]) -> None:
    if keys:
        silent = Text(
            "The file of {runs} has no prompts and predictions; load a report folder with its "
            "predictions to read them.",
            runs=Enumerated(keys),
        )
        st.info(say(silent))


def _show_asked(sides: Sequence[Texts], maths: bool) -> None:
    """Show prompt and reference, of the first run that has them."""
    prompts = list(dict.fromkeys(texts.prompt for texts in sides if texts.prompt))
    if prompts:
        st.markdown(f"**{_('Prompt')}**")
        if len(prompts) > 1:
            st.caption(_("The runs were asked in different words; here is the first one's prompt."))
        _show_prompt(prompts[0], maths)
    expected = next((texts.reference for texts in sides if texts.reference), None)
    if expected is not None:
        st.markdown(f"**{_('Reference')}**")
        show_text(expected, "kofn.question.reference", maths)


def _navigate(questions: RunQuestions, rows: NDArray[np.intp], chosen: QuestionFilter) -> None:
    at = find_open(questions, chosen, rows)
    with st.container(horizontal=True, vertical_alignment="center"):
        name = Text("Question {name}", name=chosen.open)
        st.header(say(name), anchor=False, width="stretch")
        if at >= 0:
            where = Text("{at} of {all}", at=at + 1, all=len(rows))
        else:
            where = Text("Not in this list")
        st.markdown(say(where), width="content")
        _step(questions, rows, at - 1, _("Previous"), "P")
        _step(questions, rows, at + 1, _("Next"), "N")
        st.toggle(_("Set formulas"), **tie_widget(QuestionFilter, "maths", chosen.maths))
        st.button(
            _("Close"),
            key="kofn.question.close",
            on_click=lambda: open_question("", page_of(chosen, at, len(rows))),
            type="tertiary",
        )
    segments = questions.outcomes.segments
    row = questions.known.rows[questions.names.index(chosen.open)]
    labels = [f"{name}: {values[row]}" for name, values in segments.items()]
    if labels:
        st.caption(escape(" · ".join(labels)))


def _step(
    questions: RunQuestions, rows: NDArray[np.intp], to: int, label: str, shortcut: str
) -> None:
    inside = 0 <= to < len(rows)
    target = questions.names[rows[to]] if inside else ""
    st.button(
        label,
        key=f"kofn.question.{shortcut}",
        on_click=lambda: open_question(target),
        disabled=not inside,
        shortcut=shortcut,
    )


def _read(questions: RunQuestions, name: str) -> Texts | None:
    """Read the texts of a question; None, with the reason, where that is not possible."""
    if not questions.run.has_texts:
        return None
    try:
        return read_texts(questions, name)
    except LoadError as error:
        st.error(say(error.text))
        return None


def _show_prompt(prompt: Sequence[Turn], maths: bool) -> None:
    """Show the last message of a prompt, with those before it folded away."""
    last = len(prompt)
    while last > 0 and prompt[last - 1].role == prompt[-1].role:
        last -= 1
    if last:
        before = Text("{count} turn before", "{count} turns before", count=last)
        show = partial(_show_turns, prompt[:last], maths, "before")
        fold(st.expander, say(before), "question.before", show, type="compact")
    _show_turns(prompt[last:], maths, "last")


def _show_turns(turns: Sequence[Turn], maths: bool, part: str) -> None:
    """Show turns as messages; neighbours of one role are pieces of one."""
    for role, pieces in groupby(enumerate(turns), key=lambda piece: piece[1].role):
        speaker = _SPEAKERS.get(role.lower())
        avatar = None if speaker else ":material/tune:"
        message = st.chat_message(speaker or "system", avatar=avatar) if role else st.container()
        with message:
            if role:
                st.caption(escape(role))
            for number, turn in pieces:
                _show_turn(turn, maths, f"kofn.question.turn.{part}.{number}")


def _show_turn(turn: Turn, maths: bool, key: str) -> None:
    if turn.image is not None:
        data = base64.b64encode(turn.image.data).decode()
        st.image(f"data:{turn.image.media_type};base64,{data}", alt=_("Picture of the prompt"))
    elif turn.text:
        show_text(turn.text, key, maths)


def _offer(name: str, sides: Sequence[_Side]) -> None:
    """Offer all texts of a question, whole."""

    def document() -> str:
        held = {
            side.questions.key: _document(side.texts) for side in sides if side.texts is not None
        }
        return json.dumps(held, indent=2)

    st.download_button(
        _("Download these texts"),
        document,
        f"question-{printable(name)[:80]}.json",
        "application/json",
        on_click="ignore",
    )


def _document(texts: Texts) -> dict[str, object]:
    prompt = [
        {"role": turn.role, "text": turn.text}
        if turn.image is None
        else {"role": turn.role, "image": turn.image.media_type}
        for turn in texts.prompt
    ]
    rest = {"reference": texts.reference, "predictions": texts.predictions}
    return {"question": texts.question, "prompt": prompt, **rest, "answers": texts.answers}
