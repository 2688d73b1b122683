"""Who wins by what: each criterion against the metric that it stands for."""

import json

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.command import main
from kofn.overview.columns import WINS
from kofn.overview.wins import find_wins
from kofn.overview.words import in_words
from kofn.writing.columns import rows
from metrics import Outcomes, compare, compare_suite, estimate, pool, rank
from reports import Run


def drawn(rates, n=4, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.random((len(rates), n)) < np.asarray(rates)[:, None]).astype(int)


STEADY = np.repeat([[1] * 4, [0] * 4], [48, 32], axis=0)
LUCKY = np.tile([1, 0, 0, 0], (80, 1))


def found(*runs):
    wins = find_wins({f"{run.model} / {run.dataset}": run for run in runs}, View())
    return {str(win.name): win for win in wins}


def test_of_one_dataset_each_criterion_has_its_winner() -> None:
    wins = found(Run("steady", "x", Outcomes(STEADY)), Run("lucky", "x", Outcomes(LUCKY)))
    assert list(wins) == [
        "One answer",
        "4 tries, answers can be checked",
        "4 tries, all of them right",
    ]
    said = {name: str(in_words(win)) for name, win in wins.items()}
    assert said["One answer"].startswith("steady with 60.0% (")
    assert said["4 tries, answers can be checked"].startswith("lucky with 100.0% (")
    apart = compare(LUCKY, STEADY, "pass^k", 4)
    (row,) = rows(WINS.columns, [wins["4 tries, all of them right"]])
    assert (row["metric"], row["k"], row["next"]) == ("pass^k", 4, "lucky / x")
    assert (row["ahead"], row["ahead_low"], row["ahead_high"]) == (apart.value, *apart.interval)


def test_over_datasets_it_is_their_average() -> None:
    runs = {
        model: {name: Outcomes(drawn(np.full(60, rate), seed=seed)) for seed, name in places}
        for model, rate in (("a", 0.4), ("b", 0.7))
        for places in [list(enumerate("xy", 10 * int(10 * rate)))]
    }
    every = [Run(model, name, data) for model, each in runs.items() for name, data in each.items()]
    alone = Run("a", "lone", Outcomes(LUCKY))
    win = found(*every, alone)["4 tries, answers can be checked"]
    (row,) = rows(WINS.columns, [win])
    value = pool([estimate(data, "pass@k", 4) for data in runs["b"].values()])
    apart = compare_suite(runs["a"], runs["b"], "pass@k", 4)
    assert (row["value"], row["low"], row["high"]) == (value.value, *value.interval)
    assert (row["ahead_low"], row["ahead_high"]) == apart.interval


def test_answers_and_scores_have_criteria_of_their_own() -> None:
    scores = np.random.default_rng(0).random((80, 4))
    soft = [
        Run(model, "x", Outcomes(correct, scores * share), answers=np.zeros((80, 4), int))
        for model, correct, share in (("a", STEADY, 1.0), ("b", LUCKY, 0.5))
    ]
    wins = found(*soft)
    assert {"A vote of 4", "Soft score"} <= set(wins)
    assert str(in_words(wins["Soft score"])).startswith("a with ")
    assert "Soft score" not in found(soft[0], Run("b", "x", Outcomes(LUCKY)))


@pytest.mark.parametrize(
    "runs",
    [
        [Run("a", "x", Outcomes(STEADY))],
        [Run("a", "x", Outcomes(STEADY)), Run("b", "y", Outcomes(LUCKY))],
        [Run("a", "x", None), Run("b", "x", Outcomes(LUCKY))],
    ],
)
def test_nobody_wins_alone(runs) -> None:
    assert found(*runs) == {}


def test_what_is_too_close_is_said_to_be() -> None:
    a, b = (drawn(np.full(60, 0.5), seed=seed) for seed in (1, 2))
    wins = found(Run("a", "x", Outcomes(a)), Run("b", "x", Outcomes(b)))
    first, other = ("a", "b") if a.mean() > b.mean() else ("b", "a")
    chance = rank({"a": a, "b": b}).chances[0]
    said = str(in_words(wins["One answer"]))
    assert said.startswith(f"too close to call: {first} with ")
    assert said.endswith(f", chance {chance:.0%}, or {other}")
    runs = [Run(f"{seed}", "x", Outcomes(drawn(np.full(60, 0.5), seed=seed))) for seed in (1, 2, 3)]
    assert str(in_words(found(*runs)["One answer"])).endswith(", or one of 2 others")


def test_one_sample_has_one_answer_only() -> None:
    runs = [Run(name, "x", Outcomes(data[:, :1])) for name, data in (("a", STEADY), ("b", LUCKY))]
    assert list(found(*runs)) == ["One answer"]


def test_the_command_says_it(tmp_path, capsys) -> None:
    lines = ["model,question_id,sample,correct"]
    for model, data in (("steady", STEADY), ("lucky", LUCKY)):
        for (question, sample), right in np.ndenumerate(data):
            lines.append(f"{model},q{question},{sample},{right}")
    path = tmp_path / "runs.csv"
    path.write_text("\n".join(lines))
    assert main(["overview", str(path), "--format", "json"]) == 0
    wins = json.loads(capsys.readouterr().out)["wins"]
    assert wins[0]["criterion"] == "One answer"
    assert main(["overview", str(path)]) == 0
    assert "Who wins by what\n  One answer" in capsys.readouterr().out
