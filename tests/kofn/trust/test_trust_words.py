"""What is said of doubtful numbers, for each condition that makes it appear."""

import json
import re
from dataclasses import replace

import pytest

from kofn.choices.view import View
from kofn.trust.analysis import trust
from kofn.trust.expectations import Expecting
from kofn.trust.words import answer, settings_in_words
from kofn.writing.estimates import points
from metrics import reproduces
from reports import load
from tests.kofn.indexed import index
from tests.kofn.trust.test_checks import flipping, said


@pytest.mark.parametrize(
    ("name", "mine", "stated", "effect"),
    [
        ("max_tokens", 2048, 512, ""),
        ("max_tokens", 512, 2048, "; longer answers are cut, and most of those are judged wrong"),
        (
            "temperature",
            0,
            0.6,
            "; without sampling all samples of a question are copies of one answer",
        ),
        (
            "temperature",
            1,
            0.6,
            "; a higher temperature usually makes single answers worse and pass@k better",
        ),
        ("top_p", 0.5, 0.9, "; a lower one usually makes samples more alike"),
        ("top_k", 20, 50, "; a lower one usually makes samples more alike"),
        ("shots", 0, 5, "; examples in the prompt often move a score by several points"),
        ("prompt_version", "a", "b", "; another prompt is another test"),
        ("evaluator", "exact", "judge", "; another one gives other verdicts on the same answers"),
        ("postprocessor", "a", "b", "; another one gives other verdicts on the same answers"),
        ("dataset_version", "1", "2", "; another version may have other questions or references"),
        ("split", "dev", "test", "; these are other questions"),
    ],
)
def test_a_setting_that_differs_is_said_with_what_it_usually_does(
    name, mine, stated, effect, tmp_path
) -> None:
    path = tmp_path / "expected.json"
    path.write_text(json.dumps([{"value": "50%", name: stated}]))
    run = replace(flipping(), settings={name: mine})
    _, (check,) = said(run, str(path))
    assert [str(each) for each in settings_in_words(check)] == [
        f"{name} {mine}; the source states {stated}{effect}."
    ]
    _, (check,) = said(replace(run, settings={}), str(path))
    (unknown,) = settings_in_words(check)
    assert str(unknown).startswith(f"{name} is not known; the source states {stated}")


def test_the_samples_behind_both_numbers_are_told_where_they_differ() -> None:
    run = flipping()
    text, (check,) = said(run, "aime:avg@64=50.5%")
    chance = reproduces(run, "avg@n", "50.5%", stated_n=64).by_chance
    assert check.found.by_chance == chance
    assert text.endswith(
        "50.0% agrees with the stated 50.5%: two honest runs of 16 samples and of 64 samples on "
        f"these 30 questions differ by up to {points(chance)}."
    )


def test_a_number_of_unknown_samples_may_be_the_mean_of_eight() -> None:
    text, (check,) = said(flipping(), "54%")
    assert check.passed is None
    assert "If it is the mean of 8, write avg@8=54%." in text
    assert said(flipping(), "aime:avg@8=54%")[1][0].passed is not None


def test_where_nothing_moves_a_number_that_is_said() -> None:
    text, (check,) = said(flipping(), "90%")
    assert {cause.kind for cause in check.causes} == {"chance"}
    assert text.endswith(" No cause was found that moves the number.")


def told(datasets: int, **models: tuple[int, str, int]) -> str:
    """Say what runs show of which so many of 40 are judged otherwise than their texts say."""
    rows = ["model,dataset,question_id,correct,reference,prediction"]
    for dataset in range(datasets):
        for model, (verdict, stated, count) in models.items():
            for q in range(40):
                right, text = (verdict, stated) if q < count else (q % 2, "BC"[1 - q % 2])
                rows.append(f"{model},d{dataset},q{q},{right},B,The answer is {text}.")
    runs = load(("t.csv", "\n".join(rows).encode())).runs
    return str(answer(trust(index(*runs), View(), None, Expecting())))


def test_an_order_that_the_texts_turn_round_is_said() -> None:
    one = told(1, a=(1, "C", 30), b=(0, "B", 30))
    corrected = " If the verdicts that contradict their texts were corrected, "
    assert one.endswith(f"{corrected}b would lead a, not the other way round.")
    two = told(2, a=(1, "C", 30), b=(0, "B", 30))
    assert two.endswith(f"{corrected}another model would lead in 2 of 2 comparisons of two models.")
    three = told(1, a=(1, "C", 30), b=(0, "B", 30), c=(0, "B", 28))
    assert three.endswith(
        f"{corrected}another model would lead in 3 of 3 comparisons of two models."
    )


@pytest.mark.parametrize(
    ("model", "key", "first"),
    [
        ("7B", "7B / aime", r"7B solves 50\.0% \(.+\) of aime\."),
        ("aime", "aime / aime", r"aime solves 50\.0% \(.+\) on one try\."),
        ("7B", "7B / aime (a.zip)", r"7B / aime \(a\.zip\) has avg@n 50\.0% \(.+\)\."),
    ],
)
def test_a_run_is_called_by_what_tells_it_from_others(model, key, first):
    cards = trust({key: replace(flipping(), model=model)}, View(), None, Expecting())
    assert re.match(first, str(answer(cards)))
