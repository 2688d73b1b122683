"""Whether equal ids are the same questions is found out beside the page, and then told."""

import io
from concurrent.futures import wait

import numpy as np
import pandas as pd

from kofn.workers.reading import digest_runs as read
from pages.shared import waiting
from tests.pages.visiting import OVERVIEW, outcomes, settled, table, visit


def asked(model: str, right: int, shift: int = 0, m: int = 30) -> tuple[str, bytes]:
    """Return a table of questions with texts; shifted by some, the ids stand for others."""
    frame = pd.DataFrame(
        {
            "model": model,
            "dataset": "sums",
            "question_id": [f"q{i}" for i in range(m)],
            "correct": np.arange(m) < right,
            "prompt": [f"What is {(i + shift) % m} + 1?" for i in range(m)],
        }
    )
    held = io.BytesIO()
    frame.to_parquet(held)
    return f"{model}.parquet", held.getvalue()


def test_questions_that_are_not_the_same_are_told_once_their_texts_are_read():
    app = visit(OVERVIEW, asked("best", 28), asked("other", 5, shift=1), asked("same", 5))
    assert "leads on one try" in app.header[0].value
    told = settled(app)
    assert app.header[0].value.startswith(
        "Among the runs on the same questions, best leads on one try"
    )
    assert "Not compared with best: other. 30 of 30 questions with the same id have another" in told
    assert not app.exception


def test_work_that_ends_while_a_page_is_made_makes_it_run_once_more():
    """What the page has computed by then is from before."""
    app = visit(OVERVIEW, asked("best", 28), asked("other", 5, shift=1))
    settled(app)
    work = waiting._Work(tuple(app.session_state["kofn.reports"]), lambda tell: None)
    wait([work.outcome])
    app.session_state["kofn.under.way"] = {"match": work}
    app.run()
    assert app.session_state["kofn.under.way"] == {}


def test_nothing_is_read_at_loading_and_later_only_once(monkeypatch):
    looked = []
    monkeypatch.setattr(
        "pages.shared.showing.matching.digest_runs",
        lambda runs, progress: looked.extend(run.model for run in runs) or read(runs, progress),
    )
    app = visit("pages/data/reports/page.py", asked("a", 20), asked("b", 10))
    assert looked == []
    app = visit(OVERVIEW, asked("a", 20), asked("b", 10))
    settled(app)
    settled(app.run())
    assert sorted(looked) == ["a", "b"]


def test_a_run_alone_and_files_without_prompts_are_not_looked_at(monkeypatch):
    begun = []
    monkeypatch.setattr("pages.shared.showing.matching.come_to", lambda *work: begun.append(work))
    app = visit(OVERVIEW, asked("a", 20))
    assert not app.exception
    said = np.repeat(["four", "five"], 15)
    apart = [(f"{name}.parquet", table(outcomes(30, 1, 0), name, prediction=said)) for name in "ab"]
    app = visit(OVERVIEW, *apart)
    assert not app.exception
    assert begun == []
