"""What pages say first: about all datasets, alike on all pages, and short enough to read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import numpy as np
import pytest

from kofn.choices.runs import index_runs
from kofn.choices.view import View
from kofn.choose_n.analysis import choose_means
from kofn.choose_n.pricing import Pricing
from kofn.choose_n.words import checked_answers, choice_of
from kofn.leaderboard.unnamed_datasets import as_one_dataset
from kofn.overview.wins import find_wins
from kofn.report.chapters import PARTS
from kofn.writing.estimates import percent
from kofn.writing.joining import sentences
from metrics import Outcomes
from metrics.data.words import Text
from reports import Report, load
from reports.run.report import Run
from tests.wide import wide_but

ROOT = Path(__file__).parents[2]
PLACES = {key: part.dotted_name for key, part in PARTS.items()} | {
    "trade-offs": "kofn.trade_offs.command:TRADE_OFFS",
    "budgets": "kofn.budgets.command:BUDGETS",
    "rank": "kofn.rank.command:RANK",
}
WORDS = 30
"""The most words of what is read first."""
OF_GOAL = {
    "compare": "compare",
    "consistency": "consistency",
    "saturation": "saturation",
    "guidance": "guidance",
    "soft_hard": "soft-vs-hard",
    "choose_n": "budgets",
}


def many(models: int, datasets: int, **more: Any) -> Report:
    """Return models of rising ability over datasets of 40 questions and 4 samples."""
    rng = np.random.default_rng(5)
    runs = []
    for a in range(models):
        for d in range(datasets):
            p = rng.beta(0.5 + 0.12 * a, 1, 40)
            correct = (rng.random((40, 4)) < p[:, None]).astype(int)
            runs.append(Run(f"model-{a:02d}", f"dataset-{d:02d}", Outcomes(correct), **more))
    return Report("many", Text("made"), tuple(runs))


def answering() -> Report:
    """Return models whose answers can vote and take tokens, one of which is missing a dataset."""
    rng = np.random.default_rng(3)
    runs = []
    for model, ability, tokens in (("long", 0.6, 900), ("short", 0.3, 100), ("middle", 0.4, 300)):
        for dataset in ("maths", "logic", "lone")[: 3 if model == "short" else 2]:
            p = rng.beta(ability, 0.8, 60)
            correct = (rng.random((60, 8)) < p[:, None]).astype(int)
            answers = np.where(correct == 1, 0, 1 + rng.integers(0, 3, (60, 8)))
            spent = rng.gamma(9, tokens / 9, (60, 8)).round()
            columns = {"tokens_out": spent}
            runs.append(Run(model, dataset, Outcomes(correct), answers=answers, columns=columns))
    return Report("answering", Text("made"), tuple(runs))


def scored() -> Report:
    """Return models whose samples have soft scores, and a threshold that nobody stated."""
    rng = np.random.default_rng(7)
    runs = []
    for model, level in (("alpha", 0.55), ("beta", 0.45)):
        for dataset in ("essays", "letters"):
            p = rng.beta(4 * level, 4 * (1 - level), 60)
            scores = np.clip(rng.normal(p[:, None], 0.15, (60, 4)), 0, 1)
            held = Outcomes((scores > 0.5).astype(int), scores)
            runs.append(Run(model, dataset, held, threshold=0.5, assumed=True))
    return Report("scored", Text("made"), tuple(runs))


@cache
def given(kind: str) -> Report:
    if kind == "sample":
        return load(ROOT / "sample_data")
    if kind == "bare":
        return Report("bare", Text("made"), many(2, 1).runs)
    if kind == "large":
        return many(10, 20)
    if kind == "lone":
        alone = (replace(run, model=f"{run.model}-alone") for run in many(5, 1).runs)
        return Report("lone", Text("made"), (*many(2, 3).runs[:-1], *alone))
    made = {"answering": answering, "scored": scored, "several": lambda: many(4, 3)}
    return made[kind]() if kind in made else load(ROOT / "tests" / "data" / kind)


@cache
def said(kind: str, key: str) -> tuple[str, ...]:
    """Return the sentences that a page opens with."""
    report = given(kind)
    runs = index_runs([report])
    listing = resolve_name(PLACES[key])
    own = as_one_dataset(runs) if listing.compares else runs
    cards = listing.compute(own, View(), *(kind() for kind, _ in listing.choices.values()))
    shown = [*cards, *listing.pooled([report], cards)]
    return tuple(map(str, sentences(listing.answer(shown))))


def lines(kind: str) -> Iterator[tuple[str, list[str], str]]:
    """Yield the page of each line of who wins by what, the leaders, and what the first has."""
    for win in find_wins(index_runs([given(kind)]), View()):
        found = win.standing
        estimate = found.estimates[found.first]
        value = percent(estimate.value, *(estimate.interval or ()))
        names = [win.names[key].split(" × ")[0] for key in found.leaders]
        yield win.criterion.goal, names, str(value)


@pytest.mark.parametrize(
    "kind",
    wide_but(["scored", "several", "bare"], ["sample", "answering", "scored", "several", "bare"]),
)
def test_each_line_of_who_wins_by_what_is_what_its_page_says(kind: str) -> None:
    found = list(lines(kind))
    assert found
    if kind == "answering":
        assert [goal for goal, _names, _value in found] == [
            "compare",
            "consistency",
            "saturation",
            "guidance",
            "choose_n",
        ]
    for goal, names, value in found:
        if kind == "scored" and goal in ("compare", "saturation"):
            continue  # these open by soft score, and the line says what it assumes
        page = " ".join(said(kind, OF_GOAL[goal]))
        if goal != "compare" or kind != "bare":  # of two runs their difference is told
            assert value in page, goal
        assert all(name in page for name in names[:2]), goal


def test_by_assumed_verdicts_the_pages_open_by_soft_score() -> None:
    assert " by soft score: " in said("scored", "compare")[0]
    assert "The best of 4 answers of alpha scores " in said("scored", "saturation")[0]
    assert "soft-max@4" in said("scored", "trade-offs")[0]
    assert "if scores above 0.5, assumed right, can be checked: " in said("scored", "choose-n")[0]
    assumed = "Assuming scores above 0.5 are right: "
    assert said("scored", "guidance")[0].startswith(assumed)
    assert said("scored", "consistency")[0].startswith(assumed)
    assert not any("answers can be checked" in each for each in said("scored", "overview"))


@pytest.mark.wide
@pytest.mark.parametrize(
    "key",
    ["overview", "compare", "rank", "saturation", "trade-offs", "guidance", "choose-n", "budgets"],
)
def test_all_datasets_come_first_and_what_is_left_out_is_said(key: str) -> None:
    first, *others = said("answering", key)
    over = "on average over 2 datasets"
    told = [first, *others]
    assert any(over in each.replace("On average", "on average") for each in told)
    assert not first.startswith(("maths", "logic", "lone"))
    assert any("The average leaves out lone" in each for each in others)


def test_models_of_one_dataset_do_not_keep_the_others_from_an_average() -> None:
    left_out = ", and 5 models that ran on one dataset only."
    for key in ("overview", "choose-n", "trade-offs"):
        assert any(left_out in each for each in said("lone", key)), key


def test_checked_answers_on_the_overview_are_those_of_choose_n() -> None:
    runs = index_runs([given("answering")])
    chosen = choose_means(runs, View(), Pricing())
    short = str(checked_answers(chosen) or Text(""))
    assert short in said("answering", "overview")
    use = str(choice_of(chosen))
    assert said("answering", "choose-n")[0] == use
    run, n = use.removeprefix("Use ").split(" if ")[0].split(" at n = ")
    assert f"{run} at n = {n} solves " in short
    value = use.split(": ")[1].split(" on average")[0]
    assert value in short


KINDS = ["sample", "bare", "several", "answering", "scored"]


@pytest.mark.wide
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("key", list(PLACES))
def test_what_is_read_first_is_short(kind: str, key: str) -> None:
    first = said(kind, key)[0]
    assert len(first.split()) <= WORDS, first


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key in PLACES if key not in ("compare", "rank")])
def test_with_ten_models_on_twenty_datasets_it_is_short_too(key: str) -> None:
    first = said("large", key)[0]
    assert len(first.split()) <= WORDS, first
