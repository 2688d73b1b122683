"""What is known about a run before anything is estimated."""

from __future__ import annotations

from kofn.card import verified
from kofn.inventory.facts import RunFacts, facts_of
from metrics.data.evidence import Known
from pages.shared.memory import session
from pages.shared.memory.cached import remember
from pages.shared.translating import say
from reports.run.report import Run


def run_facts(key: str, run: Run) -> RunFacts | None:
    """Return the facts of a run; None where it has no verdicts."""
    if run.known is None:
        return None
    return _facts(session.identity(key, run), run.known)


def describe_run(key: str, run: Run) -> str:
    """Say how large a run is, what is missing and whether it is verified, in a line."""
    facts = run_facts(key, run)
    if facts is None:
        return ""
    parts = list(facts.in_words())
    if (checked := verified(run)) is not None:
        parts.append(checked)
    return " · ".join(map(say, parts))


@remember(200)
def _facts(identity: str, _known: Known) -> RunFacts:
    return facts_of(_known)
