"""What a page or a subcommand says first has at most 30 words, whatever the data are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from tests.kofn.test_pages_agree import PLACES, said

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
MOST = 30
"""The most words of what is read first."""
PERCENT, POINTS = "70.9% (66.4 to 75.0)", "12.9 points (10.9 to 15.1)"
OVER = "on average over 20 datasets"
NUMBER = f"cons@16 {PERCENT}, target 80%"
FILLED = {
    **dict.fromkeys(("value", "quality", "judged", "short"), PERCENT),
    **dict.fromkeys(("gain", "difference", "loss", "points", "gap", "more"), POINTS),
    **dict.fromkeys(("ahead",), f"{PERCENT}, {POINTS} ahead of alpha-7b-chat"),
    **dict.fromkeys(("names", "datasets"), "alpha-7b-chat, beta-14b-chat and 8 more"),
    **dict.fromkeys(("by", "measure"), "on one try"),
    **dict.fromkeys(("number", "numbers"), NUMBER),
    **dict.fromkeys(("all",), "10 models"),
    **dict.fromkeys(("of",), f"of the questions, {OVER}"),
    **dict.fromkeys(("over",), f" {OVER}"),
    **dict.fromkeys(("runs",), "models"),
    **dict.fromkeys(("work",), "work that must be reliable"),
    **dict.fromkeys(("works",), "work that tolerates faults and everyday work"),
    **dict.fromkeys(("cost",), "6,684 tokens"),
    **dict.fromkeys(("chosen",), "scores above 0.5, assumed right, can be checked"),
    **dict.fromkeys(("credit",), "On average over 20 datasets partial credit"),
    **dict.fromkeys(("vote",), "On average over 20 datasets a majority vote of 16"),
    **dict.fromkeys(("stated",), "stated 45.5%"),
    **dict.fromkeys(("x", "y"), f"pass@16 {PERCENT}"),
}
"""What stands in a sentence where it is longer than a word."""
ASSUMED = "Assuming scores above 0.5 are right: "
DATASET = "maths: "
OPENINGS = {
    "kofn/budgets/words.py": (DATASET, ("_split_of_run", "rivals_in_words")),
    "kofn/choose_n/words.py": ("", ("_taken",)),
    "kofn/compare/words.py": (
        DATASET,
        ("answer_of_first", "no_comparison", "ranking_in_words", "in_words"),
    ),
    "kofn/consistency/words.py": (ASSUMED, ("_nothing_to_vote", "_vote_of_run", "_of_several")),
    "kofn/guidance/words.py": (ASSUMED, ("_meets", "_closest", "_how_many_fit", "_not_judged")),
    "kofn/inventory/words.py": ("", ("_what_came", "_with_the_worst")),
    "kofn/leaderboard/words.py": (
        DATASET,
        (
            "_standing",
            "_sure",
            "suite_in_words",
            "same_answers_in_words",
            "_lead_counts",
            "_averages",
            "_on_many",
        ),
    ),
    "kofn/questions/words.py": (ASSUMED, ("_losses_of_run",)),
    "kofn/saturation/words.py": (
        DATASET,
        ("_of_one_question", "_all_solved", "_none_solved", "_of_one_try", "_bought"),
    ),
    "kofn/soft_vs_hard/words.py": (ASSUMED, ("_worth",)),
    "kofn/trade_offs/words.py": (
        DATASET,
        ("answer_of", "_of_front", "_best_on_both", "_no_numbers"),
    ),
    "kofn/trust/words.py": (ASSUMED, ("_scored", "contradictions_in_words")),
}
"""The functions that say what is read first, and what may stand before it."""


@cache
def functions(path: str) -> dict[str, ast.FunctionDef]:
    module = ast.parse((ROOT / path).read_bytes())
    return {each.name: each for each in module.body if isinstance(each, ast.FunctionDef)}


def templates(function: ast.FunctionDef) -> Iterator[str]:
    """Yield the templates of whole sentences in a function."""
    for call in ast.walk(function):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "Text":
            for each in call.args:
                assert isinstance(each, ast.Constant)
                if str(each.value).endswith("."):
                    yield str(each.value)


def filled(template: str) -> str:
    """Fill a template as the longest of usual names and numbers do."""
    return "".join(
        literal + ("" if field is None else FILLED.get(field, "10"))
        for literal, field, _form, _conversion in Formatter().parse(template)
    )


@pytest.mark.parametrize("path", OPENINGS)
def test_what_is_read_first_has_at_most_30_words(path: str) -> None:
    before, names = OPENINGS[path]
    for name in names:
        found = [*templates(functions(path)[name])]
        assert found, name
        for template in found:
            for sentence in (before + filled(template)).split(". "):
                assert len(sentence.split()) <= MOST, sentence


@pytest.mark.wide
@pytest.mark.parametrize("kind", sorted(path.parent.name for path in DATA.glob("*/truth.json")))
def test_of_the_files_of_each_tool_too(kind: str) -> None:
    for key in PLACES.keys() - {"budgets"}:  # which is no page
        first, *_others = said(kind, key)
        assert len(first.split()) <= MOST, first
