"""The numbers that files state, compared with those from their samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from charts.dumbbell import dumbbell
from kofn.inventory.columns import STATED
from kofn.inventory.stated import (
    StatedNumber,
    causes,
    stated_of,
    stated_of_suite,
)
from kofn.inventory.words import answer, cause_in_words, labels_in_words
from kofn.run_columns import RUN
from kofn.scorecard.figures import dumbbell_pairs
from kofn.scorecard.words import describe_dumbbell, dumbbell_words
from kofn.writing.columns import for_people, member
from kofn.writing.kinds import WORD
from metrics.data.words import Text
from pages.shared.memory import session
from pages.shared.memory.cached import remember
from pages.shared.showing.answers import show_answer
from pages.shared.showing.charts import draw
from pages.shared.showing.parts import Part
from pages.shared.showing.tables import show_table
from pages.shared.translating import _, run_on, say
from reports.run.report import Run, Suite

DRAWN = 6
"""The most runs that are drawn: those that differ most."""
EXPLAINED = 2
"""The most reasons below the picture: those behind the largest gaps."""

Compared = Mapping[str, Sequence[StatedNumber]]


def compare_stated(runs: Mapping[str, Run]) -> Compared:
    """Set what the files state of each run, and of each suite, against what its samples give."""
    compared = {key: _compare(session.identity(key, run), run) for key, run in runs.items()}
    digests = tuple(session.reports())
    for key, suite in session.loaded_suites().items():
        compared[key] = _compare_suite(key, digests, suite)
    return {key: lines for key, lines in compared.items() if lines}


def tell_what_came(runs: Mapping[str, Run], compared: Compared) -> None:
    """Say what came in, what is wrong with it, and which tables wait for an answer."""
    waiting = len(session.tables_asked_about())
    if runs or waiting:
        show_answer(answer(runs, _every(compared), waiting), runs)
    for caption in labels_in_words(session.reports().values()):
        st.caption(say(caption))


class _Line(NamedTuple):
    """A number that is stated of a run or suite."""

    key: str
    stated: StatedNumber


def show_reconciliation(compared: Compared) -> bool:
    """Draw the reported numbers that are not those of the samples; return whether there are any."""
    differ = bool(causes(_every(compared)))
    if differ:
        _draw(compared)
    return differ


def stated_of_all(compared: Compared) -> dict[str, Part]:
    """Return every reported number beside that of the samples, as a part of a page."""
    return {"stated": (_("All reported numbers"), lambda: _list(compared))} if compared else {}


def _list(compared: Compared) -> None:
    """Say why reported numbers are not those of the samples, and list all."""
    st.markdown("\n".join(f"- {say(cause_in_words(cause))}" for cause in causes(_every(compared))))
    lines = [_Line(key, each) for key, stated in compared.items() for each in stated]
    run = for_people(RUN.label, WORD, member("key"))
    show_table([run, *STATED], lines, _("Reported against recomputed"))


def _every(compared: Compared) -> list[StatedNumber]:
    return [each for lines in compared.values() for each in lines]


@remember(1000)
def _compare(identity: str, _run: Run) -> tuple[StatedNumber, ...]:
    return stated_of(_run)


@remember(1000)
def _compare_suite(key: str, digests: tuple[str, ...], _suite: Suite) -> tuple[StatedNumber, ...]:
    return stated_of_suite(_suite)


def _draw(compared: Compared) -> None:
    differing = {
        key: [each for each in lines if each.is_wrong or each.is_doubtful]
        for key, lines in compared.items()
    }
    ranked = sorted(
        (key for key, lines in differing.items() if lines),
        key=lambda key: max(each.gap for each in differing[key]),
        reverse=True,
    )
    drawn = {key: [each.line for each in differing[key]] for key in ranked[:DRAWN]}
    pairs = dumbbell_pairs(drawn)
    suites = session.loaded_suites().keys() & set(ranked)
    most = (
        Text(
            "These are the {shown} of {all} runs and averages over datasets that differ most.",
            shown=DRAWN,
            all=len(ranked),
        )
        if suites
        else Text(
            "These are the {shown} of {all} runs that differ most.", shown=DRAWN, all=len(ranked)
        )
    )
    why = map(cause_in_words, causes(_every(compared))[:EXPLAINED])
    caption = run_on(map(say, [*why, *([most] if len(ranked) > DRAWN else [])]))
    if pairs:
        draw(
            dumbbell(pairs, words=dumbbell_words()),
            describe_dumbbell(pairs),
            "reported and recomputed",
            caption,
        )
