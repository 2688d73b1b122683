"""Trust offers those whose reference is worth checking."""

from urllib.parse import parse_qs

import numpy as np

from tests.metrics.analyses.references.made import made
from tests.pages.visiting import look_closer, parts, table, visit

TRUST = "pages/data/trust/page.py"


def test_several_models_tell_which_references_are_worth_checking():
    outcomes, codes, _ = made(60, 2, 3, "open", np.random.default_rng(1), faulty=2)
    uploads = [
        (f"{name}.parquet", table(each.correct, name, extracted=codes[name].ravel().astype(str)))
        for name, each in outcomes.items()
    ]
    app = visit(TRUST, *uploads)
    assert any(each.startswith("References worth checking") for each in parts(app)[0])
    look_closer(app, "references")
    assert not app.exception
    said = "\n".join(each.value for each in app.markdown)
    assert "on 2 the models agree on one wrong answer" in said
    captions = [each.value.replace("\\", "") for each in app.caption]
    assert any("Left out: Models agree" in each for each in captions), captions
    (listed,) = (each for each in app.dataframe if "Question" in each.value)
    app.session_state[listed.key] = {"selection": {"rows": [1], "columns": [], "cells": []}}
    app.run()
    question = listed.value["Question"][1]
    (link,) = (each.proto for each in app.get("page_link") if "in each model's" in each.proto.label)
    assert link.label == f"Read question {question} in each model's words"
    opened = parse_qs(link.query_string)
    assert (opened["a"], opened["open"]) == ([f"{next(iter(outcomes))} / maths"], [question])


def test_questions_that_no_model_solves_are_not_called_doubtful_references():
    correct = np.array([[0, 0], [1, 0], [1, 1]])
    uploads = [(f"{name}.parquet", table(correct, name)) for name in ("a", "b")]
    labels, _shown = parts(visit(TRUST, *uploads))
    assert "1 question that no model solves" in labels
    assert not any(each.startswith("References") for each in labels)


def test_where_every_question_is_solved_there_is_nothing_to_check():
    uploads = [(f"{name}.parquet", table(np.array([[1, 0]] * 3), name)) for name in ("a", "b")]
    labels, _shown = parts(visit(TRUST, *uploads))
    assert not any("no model solves" in each or "worth" in each for each in labels)
