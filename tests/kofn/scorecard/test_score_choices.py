"""Options of metrics: read, refused, spelled, and the numbers of the library."""

import json

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.command import main
from kofn.scorecard.analysis import score_run
from kofn.scorecard.choices import ScoreChoices
from metrics import Outcomes, estimate
from reports.run.report import Run
from tests.kofn.consistency.voted_runs import table

RNG = np.random.default_rng(2)
CORRECT = (RNG.random((25, 4)) < 0.6).astype(np.int8)
RUN = Run("7B", "maths", Outcomes(CORRECT))


def score(name: str, k: int | None = None, **fields: object):
    view = View(k=() if k is None else (k,), target="benchmark")
    found, *_others = score_run(RUN, view, ScoreChoices((name,), **fields)).scores
    return found


@pytest.mark.parametrize(
    ("name", "k", "fields", "options"),
    [
        ("g-pass@k", 4, {"taus": (0.3,)}, {"tau": 0.3}),
        ("threshold-spectrum@k", 3, {"weights": (0.2, 0.3, 0.5)}, {"weights": (0.2, 0.3, 0.5)}),
        (
            "geo-spectrum@k",
            3,
            {"weights": (0, 0, 1.0), "lam": 0.25},
            {"weights": (0, 0, 1), "lam": 0.25},
        ),
        ("geom@k", 2, {"pass_power": 1.0, "unanimous_power": 2.0}, None),
        ("geom-ds@k", 2, {"pass_power": 0.3}, None),
        ("max@k", 2, {"rewards": (0.25, 0.5)}, {"w": (0.25, 0.5)}),
        ("bayes@n", None, {"rewards": (0.25, 0.5)}, {"w": (0.25, 0.5)}),
        ("bayes@n", None, {"prior": (1.0, 1.0, 0.0)}, {"R0": [[1, 1, 0]] * 25}),
        ("pass@k", 2, {"posterior": (0.5, 2.0)}, {"prior": (0.5, 2.0)}),
        ("avg@n", None, {"posterior": (0.5, 2.0)}, {"prior": (0.5, 2.0)}),
    ],
)
def test_options_reach_the_number(name, k, fields, options) -> None:
    expected = estimate(
        RUN.outcomes, name, k, target="benchmark", **(fields if options is None else options)
    )
    assert score(name, k, **fields).estimate == expected
    assert score(name, k, **fields).estimate != score(name, k).estimate


def test_g_pass_stands_at_the_shares_of_opencompass_and_is_pass_hat_at_1() -> None:
    scores = score_run(RUN, View(), ScoreChoices(("pass^k", "g-pass@k"))).scores
    labels = ["pass^4", *(f"g-pass@4_{tau}" for tau in ("0.25", "0.5", "0.75", "1"))]
    assert [each.label for each in scores] == labels
    assert scores[0].estimate.value == scores[-1].estimate.value


def test_weights_of_another_k_are_said_to_be_so() -> None:
    found = score("threshold-spectrum@k", 3, weights=(0.5, 0.5))
    assert found.estimate is None
    assert "weights" in str(found.reason)
    assert "weights of your own" in str(score("threshold-spectrum@k", 3).reason)


def test_own_weights_alone_bring_their_metric_to_the_others() -> None:
    names = {name for name, _options in ScoreChoices(weights=(1.0,)).asked()}
    assert "threshold-spectrum@k" in names
    assert "threshold-spectrum@k" not in {name for name, _options in ScoreChoices().asked()}


def test_categories_need_rewards() -> None:
    run = Run("7B", "maths", Outcomes([[0, 1, 2], [2, 1, 1]]))
    scores = score_run(run, View(target="benchmark"), ScoreChoices(rewards=(0, 0.5, 1))).scores
    known = {each.metric.name: each.estimate.value for each in scores if each.estimate}
    assert known == {"max@k": 1.0, "bayes@n": pytest.approx(13 / 24)}


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("tau", "2"),
        ("tau", "-0.1"),
        ("tau", "half"),
        ("tau", "nan"),
        ("weights", "0.9,0.9"),
        ("weights", "0,0"),
        ("rewards", "1,1"),
        ("rewards", "0,inf"),
        ("prior", "0.5"),
        ("posterior", "1"),
        ("posterior", "0,1"),
        ("posterior", "1,inf"),
        ("lambda", "1.1"),
        ("pass-power", "-1"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_sentence(key: str, text: str) -> None:
    choices, problems = ScoreChoices.from_query({key: text})
    assert choices == ScoreChoices()
    (problem,) = problems
    assert str(problem).startswith(f"{key} must be ")


def test_a_link_spells_every_choice() -> None:
    choices = ScoreChoices(
        ("pass@k",),
        (0.1, 1.0),
        (0.5, 0.5),
        0.2,
        1.0,
        2.0,
        (0.0, 0.3),
        (1.0, 0.0),
        (2.0, 0.5),
        "pass@4",
    )
    assert ScoreChoices.from_query(choices.to_query()) == (choices, ())


def test_the_command_takes_them_and_its_rows_say_tau(tmp_path, capsys) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(table(CORRECT))
    flags = [
        "--metrics",
        "g-pass@k,bayes@n",
        "--tau",
        "0.5,1",
        "--prior",
        "1,1",
        "--format",
        "json",
    ]
    assert main(["score", str(path), *flags]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["chosen"]["tau"] == [0.5, 1.0]
    assert document["chosen"]["prior"] == [1.0, 1.0]
    assert "sort" not in document["chosen"]
    rows = document["scores"]
    assert [(row["metric"], row["tau"], row["target"]) for row in rows] == [
        ("g-pass@k", 0.5, "population"),
        ("g-pass@k", 1.0, "population"),
        ("bayes@n", None, "benchmark"),
    ]
    assert main(["score", str(path), "--tau", "2"]) == 2
    assert "tau must be shares from 0 to 1" in capsys.readouterr().err


def test_rewards_and_priors_come_from_files(tmp_path, capsys) -> None:
    path, rewards, prior = (tmp_path / name for name in ("a.csv", "r.csv", "p.csv"))
    path.write_text("question_id,sample,correct\nb,0,1\nb,1,0\na,0,0\na,1,0\n")
    rewards.write_text("category,reward\n1,1\n0,-1\n")
    prior.write_text("question_id,prior\na,1 1\nb,0 0\nc,1 0\n")
    given = ["--rewards-from", str(rewards), "--prior-from", str(prior)]
    asked = ["score", str(path), "--metrics", "bayes@n", "--format", "json"]
    assert main([*asked, *given]) == 0
    (row,) = json.loads(capsys.readouterr().out)["scores"]
    # of T = 2 + 2 + 2 each: b has 1 + 1 right, a 1 + 2; so (2 - 4) / 6 and (3 - 3) / 6
    assert row["value"] == pytest.approx((-2 / 6 + 0) / 2)


@pytest.mark.parametrize(
    ("flag", "content"),
    [
        ("--rewards-from", "category,reward\n0,1\n2,3\n"),
        ("--rewards-from", "category,reward\n0,1\n1,1\n"),
        ("--rewards-from", "category,reward\n0,1\n1,much\n"),
        ("--prior-from", "question_id,prior\na,1 1\nb,1\n"),
        ("--prior-from", "question_id,prior\na,1\na,1\n"),
        ("--prior-from", "question_id,prior\na,\n"),
        ("--prior-from", "question,prior\na,1\n"),
        ("--prior-from", "question_id,prior\na,1 0\n"),
    ],
)
def test_other_files_are_refused_in_one_line(flag, content, tmp_path, capsys) -> None:
    path, given = tmp_path / "a.csv", tmp_path / "given.csv"
    path.write_text("question_id,sample,correct\nb,0,1\nb,1,0\na,0,0\na,1,0\n")
    given.write_text(content)
    assert main(["score", str(path), "--metrics", "bayes@n", flag, str(given)]) == 2
    found = capsys.readouterr()
    assert "given.csv" in found.out + found.err


def test_a_posterior_is_not_about_questions_like_these() -> None:
    (found,) = score_run(RUN, View(), ScoreChoices(("pass@k",), posterior=(1.0, 1.0))).scores
    assert found.estimate is None
    assert "says nothing about questions like them" in str(found.reason)
