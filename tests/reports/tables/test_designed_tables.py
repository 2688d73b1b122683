"""Tables as people have them are read rightly, asked about, or refused: never read wrongly."""

import numpy as np
import pytest

from reports import LoadError, load
from reports.files.errors import OpenChoice
from tests.reports.tables.designed_tables import IDS, LAYOUTS, VERDICTS, designed


def found(report):
    return sorted(
        sorted(((row == 1).sum().item(), (row == 0).sum().item()) for row in run.outcomes.correct)
        for run in report.runs
    )


def judged(seeds):
    """Return the tables that were read wrongly, and the unambiguous ones asked or refused."""
    wrong, asked, refused, clear = [], [], [], 0
    for seed in seeds:
        table = designed(seed)
        clear += table.unambiguous
        try:
            report = load((table.name, table.data))
        except OpenChoice as choice:
            if table.unambiguous:
                asked.append(f"{table.about} ? {choice}")
        except LoadError as error:
            if table.unambiguous or not str(error).endswith("."):
                refused.append(f"{table.about} ! {error}")
        else:
            if found(report) != table.truth:
                wrong.append(f"{table.about} -> {[run.outcomes.shape for run in report.runs]}")
    return wrong, asked, refused, clear


@pytest.mark.parametrize(
    "seeds", [range(60), pytest.param(range(60, 10_260), marks=pytest.mark.slow)]
)
def test_tables_as_people_have_them_are_never_read_wrongly(seeds):
    wrong, asked, refused, clear = judged(seeds)
    assert not wrong, "\n".join(wrong[:20])
    assert not refused, "\n".join(refused[:20])
    assert len(asked) <= 0.05 * clear, "\n".join(asked[:20])
    assert clear > 0.5 * len(seeds)


def test_the_tables_are_many():
    assert (len(IDS), len(VERDICTS), len(LAYOUTS)) == (27, 14, 7)
    assert np.mean([designed(seed).unambiguous for seed in range(100)]) > 0.5
