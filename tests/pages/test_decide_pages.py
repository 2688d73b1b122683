"""What Saturation and Choose n have in common, and the way to them."""

import json

import numpy as np
import pytest

from tests.pages.visiting import (
    CHOOSE_N,
    COMPARE,
    REPORTS,
    ROOT,
    SATURATION,
    figures,
    outcomes,
    table,
    told,
    turn_to,
    visit,
)


@pytest.mark.parametrize("page", [SATURATION, CHOOSE_N])
@pytest.mark.parametrize("right", [0, 1])
def test_all_right_and_none_right_are_shown(page, right):
    app = visit(page, ("a.parquet", table(np.full((20, 4), right))))
    assert not app.exception
    assert figures(app)


def test_the_settings_of_a_link_wait_until_something_is_loaded():
    app = turn_to(visit(CHOOSE_N, verifier="no", budget="7"), REPORTS)
    app.file_uploader[0].upload("a.parquet", table(outcomes(30, 9))).run()
    app = turn_to(app, CHOOSE_N)
    assert "pass@n is out of reach" in told(app)
    assert "within 7 samples" in told(app)
    assert app.query_params["verifier"] == "no"


@pytest.mark.parametrize("other", [REPORTS, SATURATION])
def test_settings_are_kept_while_another_page_is_looked_at(other):
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(30, 9))), budget="7", level="0.9")
    app = turn_to(turn_to(app, other), CHOOSE_N)
    assert "within 7 samples" in told(app)
    assert (app.query_params["budget"], app.query_params["level"]) == ("7.0", "0.9")


@pytest.mark.parametrize("page", [SATURATION, CHOOSE_N])
def test_results_without_verdicts_are_a_sentence(page):
    app = visit(page, ("gsm8k.json", b'{"accuracy (4 runs average)": 50.0, "avg@4": 50.0}'))
    assert not app.exception
    assert "does not say which samples were right" in told(app)


def ragged() -> bytes:
    """Return outcomes where the first question has 3 samples and the others 8."""
    lines = [
        {"model": "alpha", "dataset": "maths", "question_id": i, "sample": j, "correct": int(right)}
        for i, row in enumerate(outcomes(30, 8))
        for j, right in enumerate(row[: 3 if i == 0 else 8])
    ]
    return "\n".join(map(json.dumps, lines)).encode()


def test_ragged_samples_go_as_far_as_every_question_has_them():
    app = visit(CHOOSE_N, ("a.jsonl", ragged()))
    assert "of pass@3" in told(app)
    assert "Questions have 3 to 8 samples" in told(app)
    measured = turn_to(app, SATURATION).dataframe[0].value.set_index("Source").loc["measured"]
    assert measured["k"].astype(int).max() == 3


@pytest.mark.wide
def test_a_decision_is_three_clicks_from_the_sample():
    """The sample, after which one stands on the overview, and its links."""
    app = visit(REPORTS)
    app.button(key="kofn.sample").click().run()
    assert app.title[0].value == "Overview"
    assert "32 runs, 9 models, 9 datasets" in told(app)
    assert "compare" in [link.proto.page for link in app.get("page_link")]
    assert "best on one try" in told(app.switch_page(str(ROOT / COMPARE)).run())
    assert "if answers can be checked: " in told(app.switch_page(str(ROOT / CHOOSE_N)).run())
