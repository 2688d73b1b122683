"""A run has one colour and one marker, on every page and whatever else is chosen."""

import re

import pytest

from charts.theme import colour, symbol
from kofn.choices.run_numbers import number_runs
from kofn.choices.view import View
from kofn.consistency.analysis import VoteChoices, compare_votes
from kofn.consistency.figures import vote_scatter
from reports import Run
from tests.kofn.consistency.voted_runs import run, verdicts
from tests.kofn.indexed import index
from tests.pages import visiting
from tests.pages.visiting import CHOOSE_N, OVERVIEW, SATURATION
from tests.wide import wide_but

CONSISTENCY = "pages/behaviour/consistency/page.py"
GUIDANCE = "pages/behaviour/guidance/page.py"
SOFT_HARD = "pages/behaviour/soft_vs_hard/page.py"
MODELS = ("alpha", "beta", "gamma")
EXPECTED = {model: (colour(place), symbol(place)) for place, model in enumerate(MODELS)}


@pytest.fixture(scope="module")
def files():
    def scored(seed, model):
        correct = visiting.outcomes(seed=seed)
        return visiting.table(correct, model, score=0.4 * correct.ravel() + 0.3)

    return [(f"{model}.parquet", scored(seed, model)) for seed, model in enumerate(MODELS)]


def opened(page, files, models):
    asked = {"form": "metrics"} if page == OVERVIEW else {}
    return visiting.visit(page, *files, **asked, run=[f"{model} / maths" for model in models])


def looks(figure):
    """Return colours and markers of each run; the diamond is the chosen n of any of them."""
    found = {}
    for trace in figure.data:
        if trace.name in MODELS and trace.type == "scatter" and "markers" in trace.mode:
            marker = trace.marker
            symbols = [marker.symbol] if isinstance(marker.symbol, str) else marker.symbol
            shown = {(marker.color, each.removesuffix("-open")) for each in symbols}
            found.setdefault(trace.name, set()).update(
                look for look in shown if look[1] != "diamond"
            )
    return found


@pytest.mark.parametrize(
    "page", wide_but([CHOOSE_N], [CHOOSE_N, SATURATION, CONSISTENCY, OVERVIEW, SOFT_HARD])
)
@pytest.mark.parametrize("chosen", [MODELS, MODELS[1:]], ids=len)
def test_a_run_looks_alike_on_every_page_whatever_is_chosen(files, page, chosen):
    app = opened(page, files, chosen)
    drawn = [found for figure in visiting.figures(app) if (found := looks(figure))]
    assert drawn
    for found in drawn:
        assert found == {model: {EXPECTED[model]} for model in chosen}


@pytest.mark.parametrize("page", [SOFT_HARD, GUIDANCE, CONSISTENCY])
def test_figures_without_markers_have_the_colour_of_their_run(files, page):
    shown = visiting.figures(opened(page, files, MODELS[2:]))
    hues = set(re.findall("#[0-9a-f]{6}", "".join(each.to_json() for each in shown)))
    runs = {colour(number) for number in range(10)}
    assert hues & runs == {colour(2)}


def test_what_a_colour_stands_for_has_one_marker_too_so_that_the_legend_explains_both():
    runs = index(
        run(verdicts()), run(verdicts(seed=1), "70B"), run(verdicts(seed=2), dataset="law")
    )
    numbers = number_runs(runs)
    for shown in (runs, dict(list(runs.items())[1:])):
        cards = compare_votes(shown, View(), VoteChoices())
        for choice in ("model", "run"):
            drawn = vote_scatter(cards, VoteChoices(colour=choice), runs)
            first = {
                each.series: numbers[card.key]
                for each, card in zip(drawn.spots[::-1], drawn.cards[::-1], strict=True)
            }
            for spot, card in zip(drawn.spots, drawn.cards, strict=True):
                assert colour(spot.number) == colour(numbers[card.key])
                assert spot.number == first[spot.series]
        by_dataset = vote_scatter(cards, VoteChoices(colour="dataset"), runs).spots
        assert {(spot.series, spot.number) for spot in by_dataset} == {("maths", 0), ("law", 1)}


def test_runs_that_are_drawn_together_look_unlike():
    pairs = [(model, dataset) for dataset in "abcdefg" for model in "pqrstuvxyz"]
    looks = number_runs({"/".join(pair): Run(*pair, None) for pair in pairs})
    assert len({(colour(number), symbol(number)) for number in looks.values()}) == 70
    assert len({colour(number) for number in looks.values()}) == 10
    again = number_runs({str(place): Run("p", "a", None) for place in range(10)})
    assert len({colour(number) for number in again.values()}) == 10


def test_a_later_run_changes_the_look_of_none():
    names = [("p", "a"), ("q", "a"), ("p", "a"), ("p", "b"), ("r", "b"), ("q", "a")]
    runs = {str(place): Run(*pair, None) for place, pair in enumerate(names)}
    for count in range(len(runs)):
        some = number_runs(dict(list(runs.items())[:count]))
        assert some.items() <= number_runs(runs).items()
