"""Questions whose reference is worth checking: words, rows, and metrics without them."""

import json

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.command import main
from kofn.references.analysis import check_references, one_each, with_and_without
from kofn.references.columns import SUSPECTS, lines
from kofn.references.words import answer, exclusions, reasons_in_words, remarks
from kofn.writing.columns import rows
from metrics import Outcomes, estimate
from reports import Match, Run, tables
from tests.metrics.analyses.references.made import made


def runs(models=4, faulty=3, **more):
    outcomes, codes, _ = made(
        100, 4, models, "open", np.random.default_rng(1), faulty=faulty, **more
    )
    found = {}
    for name, each in outcomes.items():
        known, coded = np.unique(codes[name], return_inverse=True)
        coded = coded.reshape(each.correct.shape)
        labels = list(map(str, known))
        found[f"{name} / d"] = Run(name, "d", each, answers=coded, answer_labels=labels)
    return found


def checked(given, view=None, **more):
    found, _reason = check_references(given, view or View(), **more)["d"]
    return found


def test_the_answer_counts_reasons_and_each_question_says_why():
    found = checked(runs())
    agreed = found.suspects.of({"agreed"})
    never = found.suspects.of({"never"})
    assert {each.question for each in agreed} == {"0", "1", "2"}
    assert str(answer(found)) == (
        f"Of 100 questions, on 3 the models agree on one wrong answer, more than chance explains; "
        f"no sample of the 4 models solves {len(never)}."
    )
    said = {each.question: str(reasons_in_words(each, found)) for each in agreed}
    assert said["0"].startswith("4 of 4 models say 10000000: m0, m1 and 2 more. None of 16 samples")
    assert "It takes 7 runs" in " ".join(map(str, remarks(found)))
    assert rows(SUSPECTS, lines(found, found.suspects.questions))[0]["reasons"] == [
        "agreed",
        "never",
    ]


def test_metrics_without_them_stand_beside_those_with_them():
    given = runs()
    found = checked(given)
    assert found.strong == ("agreed",)
    numbers = with_and_without(found, given, View(), found.strong)
    for each in numbers:
        outcomes = given[each.run].outcomes
        left = Outcomes(outcomes.correct[3:])
        assert each.value == estimate(outcomes, each.metric, each.k).value
        assert each.without == pytest.approx(estimate(left, each.metric, each.k).value)
    assert {each.metric for each in numbers} == {"avg@n", "pass@k", "cons@n"}
    for k, metrics in ((1, {"avg@n"}), (2, {"avg@n", "pass@k", "cons@n"})):
        fewer = {
            key: Run(run.model, "d", Outcomes(run.outcomes.correct[:, :k]))
            for key, run in given.items()
        }
        few = with_and_without(found, fewer, View(), found.strong)
        assert {each.metric for each in few} == metrics
    assert "Models agree on one wrong answer" in str(exclusions(found.strong))
    assert "no interval" in str(exclusions(found.strong))


def test_one_run_of_each_model_counts_and_none_whose_questions_are_others():
    given = runs()
    twin = given["m0 / d"]
    few = Run("m0", "d", Outcomes(twin.outcomes.correct[:, :1]))
    assert set(one_each({"few": few, **given})) == set(given)

    def same(a, b):
        refused = None if b.model != "m3" else Match(0, 0, False).refused or "other texts"
        return Match(100, 0, True, refused)

    found = checked(given, same=same)
    assert found.left_out == ("m3 / d",)
    assert "m3 / d" in " ".join(map(str, remarks(found)))
    assert check_references({"m0 / d": twin}, View()) == {}


@pytest.mark.wide
def test_the_command_lists_them_and_json_has_all(tmp_path, capsys):
    path = tmp_path / "t.parquet"
    tables.write(list(runs().values()), path)
    assert main(["questions", str(path), "--filter", "always"]) == 0
    assert "Check the reference, d: Of 100 questions, on 3" in capsys.readouterr().out
    assert main(["questions", str(path), "--filter", "always", "--all"]) == 0
    out = capsys.readouterr().out
    assert "Check the reference, d: Of 100 questions, on 3 the models agree" in out
    assert "Left out: Models agree on one wrong answer." in out
    hard = [Run(name, "d", Outcomes([[0]] * 3 + [[1]] * 9)) for name in ("a", "b")]
    tables.write(hard, tmp_path / "hard.parquet")
    assert main(["questions", str(tmp_path / "hard.parquet"), "--filter", "flaky"]) == 0
    said = capsys.readouterr().out
    assert "Check the reference, d: Of 12 questions no sample of the 2 models solves 3." in said
    assert "without" not in said
    assert main(["questions", str(path), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["to_check"]["d"]
    assert [row["question"] for row in found["questions"]][:3] == ["0", "1", "2"]
    assert found["without"]["reasons"] == ["agreed"]
    assert found["remarks"]
