"""What is known about the questions of a run, and where their texts are."""

from __future__ import annotations

from kofn.choices.view import View
from kofn.questions.analysis import Known, RunQuestions, known_questions
from metrics.data.words import Text
from pages.shared.memory import session
from pages.shared.memory.cached import remember
from pages.shared.translating import say
from pages.shared.waiting import wait_for
from reports.run.report import Run


def questions_of(key: str, run: Run, view: View) -> RunQuestions:
    """Return what `kofn.questions.analysis.run_questions` does, from a cache if it is known."""
    return RunQuestions(key, run, _known(session.identity(key, run), view, run))


@remember(16)
def _known(identity: str, view: View, _run: Run) -> Known:
    return known_questions(_run, view)


def find_texts(key: str, run: Run) -> None:
    """Find out where the texts of a run are; the first time its file must be read through."""
    identity = session.identity(key, run)
    finding = Text("Finding the texts of {run}", run=key)
    wait_for(f"texts.{identity}", identity, say(finding), run.find_texts)
