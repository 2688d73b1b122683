"""What is known about a run before anything is estimated: facts, questions, where its texts are."""

from __future__ import annotations

from collections.abc import Mapping

from kofn.card import verified_in_words
from kofn.choices.view import View
from kofn.inventory.facts import RunFacts, facts_of
from kofn.questions.analysis import Known, RunQuestions, known_questions
from metrics.data import evidence
from metrics.data.words import Text
from pages.shared.memory import session
from pages.shared.memory.cached import remember
from pages.shared.translating import say
from pages.shared.waiting import wait_for
from reports.run.report import Run


def run_facts(key: str, run: Run) -> RunFacts | None:
    """Return the facts of a run; None where it has no verdicts."""
    if run.known is None:
        return None
    return _facts(session.identity(key, run), run.known)


@remember(200)
def _facts(identity: str, _known: evidence.Known) -> RunFacts:
    return facts_of(_known)


def facts_by_run(runs: Mapping[str, Run]) -> dict[str, RunFacts]:
    """Return the facts of the runs that have verdicts."""
    return {key: fact for key, run in runs.items() if (fact := run_facts(key, run)) is not None}


def describe_run(key: str, run: Run) -> str:
    """Say how large a run is, what is missing and whether it is verified, in a line."""
    facts = run_facts(key, run)
    if facts is None:
        return ""
    parts = list(facts.in_words())
    if (checked := verified_in_words(run)) is not None:
        parts.append(checked)
    return " · ".join(map(say, parts))


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
