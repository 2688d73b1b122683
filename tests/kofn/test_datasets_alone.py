"""What is otherwise on some datasets alone is what an answer on each of them says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pkgutil import resolve_name

import numpy as np
import pytest

from kofn.choices.runs import index_runs
from kofn.choices.view import View
from metrics import Outcomes
from metrics.data.words import Text
from reports import Report
from reports.run.report import Run

N = 8
PLACES = {
    "choose-n": "kofn.choose_n.command:CHOOSE_N",
    "guidance": "kofn.guidance.command:GUIDANCE",
    "trade-offs": "kofn.trade_offs.command:TRADE_OFFS",
}
Shares = Mapping[str, Mapping[str, float]]
"""By model and dataset, which share of the questions it always solves, the others half the time."""


def answer(key: str, shares: Shares, *datasets: str) -> str:
    """Return what a page says of models on some of the datasets."""
    runs = [
        Run(model, dataset, Outcomes(_outcomes(share)))
        for model, each in shares.items()
        for dataset, share in each.items()
        if dataset in datasets or not datasets
    ]
    listing = resolve_name(PLACES[key])
    asked = index_runs([Report("made", Text("made"), tuple(runs))])
    cards = listing.compute(asked, View(), *(kind() for kind, _ in listing.choices.values()))
    return str(listing.answer(cards))


def _outcomes(share: float, m: int = 200) -> np.ndarray:
    correct = np.zeros((m, N), dtype=int)
    correct[: round(m * share)] = 1
    correct[round(m * share) : round(m * (1 + share) / 2), : N // 2] = 1
    return correct


LEADS = {"a": {"x": 0.9, "y": 0.6, "z": 0.6}, "b": {"x": 0.2, "y": 0.5, "z": 0.5}}
BUT_ON_Y = LEADS | {"b": {"x": 0.2, "y": 0.7, "z": 0.5}}
ONCE_EACH = {
    "a": {"x": 0.9, "y": 0.6, "z": 0.6},
    "b": {"x": 0.2, "y": 0.7, "z": 0.3},
    "c": {"x": 0.2, "y": 0.3, "z": 0.7},
}


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        (LEADS, None),
        (BUT_ON_Y, "On y alone it would be b."),
        (ONCE_EACH, "On 2 of 3 datasets alone it would be another model."),
    ],
)
def test_choose_n_names_the_datasets_on_which_another_model_would_be_taken(shares, said) -> None:
    def taken(told: str) -> str:
        return re.match(r"Use (\w+) at n = ", told)[1]

    told = answer("choose-n", shares)
    others = {name: taken(answer("choose-n", shares, name)) for name in "xyz"}
    differ = {name: model for name, model in others.items() if model != taken(told)}
    assert (said is not None) == bool(differ)
    assert "alone" not in told if said is None else told.endswith(said)
    if said == "On y alone it would be b.":
        assert differ == {"y": "b"}
    elif said:
        assert (len(differ), len(set(differ.values()))) == (2, 2)


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        (LEADS, None),
        (BUT_ON_Y, "b is worth considering on y alone."),
        (ONCE_EACH, "2 more are worth considering on some datasets alone."),
    ],
)
def test_trade_offs_names_the_models_that_only_some_datasets_have_on_their_front(
    shares, said
) -> None:
    told = answer("trade-offs", shares)
    assert "a is best on both: " in told
    best = {
        name: re.match(r"(\w+) is best on both: ", answer("trade-offs", shares, name))[1]
        for name in "xyz"
    }
    assert (said is not None) == (set(best.values()) != {"a"})
    assert "alone" not in told if said is None else told.endswith(said)
    if said and said.startswith("b "):
        assert best == {"x": "a", "y": "b", "z": "a"}
    elif said:
        assert set(best.values()) == {"a", "b", "c"}


@pytest.mark.parametrize("everywhere", [False, True])
def test_guidance_names_the_datasets_on_which_targets_are_met_that_are_not_over_all(
    everywhere,
) -> None:
    shares = {"a": {"x": 1.0, "y": 1.0 if everywhere else 0.1}, "b": {"x": 0.3, "y": 0.1}}
    told = answer("guidance", shares)
    met = "a meets the targets for all three kinds of work: "
    assert answer("guidance", shares, "x").startswith(met)
    assert answer("guidance", shares, "y").startswith(met) is everywhere
    assert told.startswith(met) is everywhere
    works = "work that must be reliable", "work that tolerates faults", "everyday work"
    for work in works:
        said = f"On x alone some model meets the targets for {work}." in told
        assert said is not everywhere
