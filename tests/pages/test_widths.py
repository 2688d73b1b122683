"""Controls that stand in a row leave room for the others."""

from unittest.mock import patch

import numpy as np
import pytest
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from tests.pages import visiting
from tests.pages.test_shown import with_layout
from tests.pages.visiting import CHOOSE_N, COMPARE, OVERVIEW, table, visit

RIGHT = np.array([[1, 0], [1, 1], [0, 0]])
PARTS = {"subject": np.repeat(["sets", "sums", "sums"], 2), "level": np.repeat(["a", "b", "a"], 2)}
SIZED = [(f"m-{n}B", {}) for n in (1, 2, 4)] + [(f"m-1B-ckpt-{n}", {}) for n in (1, 2, 3)]


@pytest.mark.parametrize(
    ("page", "runs", "query", "label", "most"),
    [
        (OVERVIEW, {"m": {}}, {"form": "metrics", "metrics": "geo-spectrum@k"}, "Lambda", 200),
        (
            COMPARE,
            {"m": PARTS, "n": PARTS},
            {"picture": "segments", "base": "m"},
            "Segments by",
            220,
        ),
        (COMPARE, dict(SIZED), {}, "Series", 360),
        (
            CHOOSE_N,
            {"m": {"rm": RIGHT.ravel(), "score": RIGHT.ravel() / 2}},
            {"soft": "yes", "more": "best-of-n"},
            "A score s gains",
            160,
        ),
    ],
)
def test_a_control_is_no_wider_than_what_it_holds(page, runs, query, label, most, monkeypatch):
    monkeypatch.setattr(visiting, "FOLDS", (*visiting.FOLDS, "candidates.lists"))
    files = [(f"{name}.parquet", table(RIGHT, name, **held)) for name, held in runs.items()]
    with patch(f"{LocalScriptRunner.__module__}.parse_tree_from_messages", with_layout):
        app = visit(page, *files, **query)
    assert not app.exception
    (control,) = (
        each for kind in (app.selectbox, app.number_input) for each in kind if label in each.label
    )
    assert 0 < control.layout["widthConfig"]["pixelWidth"] <= most
