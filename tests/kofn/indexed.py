"""Runs in the index of one report, and a name that neither page nor terminal may obey."""

from kofn.choices.runs import index_runs
from metrics import Text
from reports import Report, Run

HOSTILE = "<b>*7B*</b>\x1b[2J=1+1"


def index(*runs: Run) -> dict[str, Run]:
    return index_runs([Report("a.zip", Text("x"), runs)])
