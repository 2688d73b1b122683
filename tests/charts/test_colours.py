"""Colours of runs and of the theme, for eyes of every kind."""

import tomllib
from itertools import combinations
from pathlib import Path

import pytest
from coloraide import Color

from charts.theme import COLOURS

THEME = tomllib.loads((Path(__file__).parents[2] / ".streamlit/config.toml").read_text())["theme"]
PAPERS = ("backgroundColor", "secondaryBackgroundColor")
FADED = 0.6
"""How much of the text's colour Streamlit leaves to a caption."""


@pytest.mark.parametrize("method", ["vienot", "brettel", "machado"])
@pytest.mark.parametrize("blind", ["deutan", "protan"])
def test_six_runs_are_told_apart_without_red_or_green(blind, method):
    seen = [Color(colour).filter(blind, method=method) for colour in COLOURS[:6]]
    assert min(a.delta_e(b, method="2000") for a, b in combinations(seen, 2)) >= 10


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("colour", COLOURS)
def test_a_line_stands_out_from_its_background(colour, theme):
    assert Color(colour).contrast(THEME[theme]["backgroundColor"]) >= 3


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("paper", PAPERS)
def test_captions_and_links_can_be_read(paper, theme):
    paper, text = Color(THEME[theme][paper]), Color(THEME[theme]["textColor"])
    caption = Color.layer([text.set("alpha", FADED), paper], space="srgb")
    assert caption.contrast(paper) >= 4.5
    assert Color(THEME[theme]["linkColor"]).contrast(paper) >= 4.5
