"""A table of an engine that holds counts of some runs, for pages that load it by its address."""

from metrics import Outcomes
from metrics.data.words import Text
from reports.run.report import Report, Run
from tests.pages.visiting import outcomes, visit
from tests.reports.kept_elsewhere import kept_elsewhere

ADDRESS = "duckdb://lab/evals"


def counted(model, dataset="maths", m=60, n=8, seed=5, **changes):
    """Return a run of which only counts are known, with a segment."""
    held = Outcomes(
        outcomes(m, n, seed),
        questions=[f"q{i:03}" for i in range(m)],
        segments={"split": ["test" if i % 3 else "dev" for i in range(m)]},
    )
    return kept_elsewhere(Run(model, dataset, held, source="evals", **changes))


def keep_elsewhere(patch, *runs, digest="5" * 64):
    """Have the address of an engine mean a table of these runs; return the runs."""
    report = Report(ADDRESS, Text("a table of an engine"), runs, digest=digest)
    patch.setenv("KOFN_REPORTS", ADDRESS)
    patch.setattr("reports.engines.read", lambda address, **options: report)
    return runs


def visit_elsewhere(page, /, *files, **query):
    """Go to a page by a link to the table of the engine."""
    return visit(page, *files, data=f"path={ADDRESS}", **query)
