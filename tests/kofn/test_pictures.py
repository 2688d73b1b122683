"""Figures as files for a paper: which there are, in which size and type, and what they need."""

import sys
from pathlib import Path
from types import SimpleNamespace

import plotly.graph_objects as go
import pytest

from charts.line_ends import End, name_ends
from charts.paper import SCALE, for_paper
from kofn.command import main
from kofn.writing import pictures
from kofn.writing.languages import catalogue
from metrics.data.words import reading_in
from tests.kofn.listings import LISTINGS
from tests.wide import wide_but

pytestmark = pytest.mark.usefixtures("short_plans", "asked_once")

DRAWN = [name for name in LISTINGS if name != "inventory"]
TEXTS = Path(__file__).parents[1] / "data" / "verdicts" / "old_gpqa_n4.zip"


@pytest.fixture
def drawn(monkeypatch):
    """What is drawn instead of a file."""
    made = []
    monkeypatch.setattr(pictures, "why_no_pictures", lambda: None)

    def draw(figure, suffix, wide):
        made.append((figure, suffix, wide))
        return b"picture"

    monkeypatch.setattr(pictures, "picture", draw)
    return made


@pytest.mark.parametrize("subcommand", wide_but(["compare", "trust"], DRAWN))
def test_every_page_with_a_figure_gives_it_for_a_paper(table, tmp_path, drawn, subcommand):
    read = str(TEXTS) if subcommand == "trust" else table
    asked = [subcommand, read, "-o", str(tmp_path / "a.pdf"), "--wide"]
    assert main(asked) == 0
    ((figure, suffix, wide),) = drawn
    assert (suffix, wide) == (".pdf", True)
    assert figure.data
    assert (tmp_path / "a.pdf").read_bytes() == b"picture"
    made = for_paper(figure, 6.9)
    assert made.layout.width * SCALE / 96 == pytest.approx(6.9, abs=0.01)
    assert made.layout.height > 0
    assert "serif" in made.layout.font.family
    sizes = {axis.title.font.size for axis in made.select_xaxes()} | {made.layout.font.size}
    assert {size * SCALE * 72 / 96 for size in sizes} == {8}
    assert figure.layout.width is None, "the figure itself stays"


def test_over_one_column_names_stand_below_and_titles_are_broken():
    figure = go.Figure()
    lines = ("#123", "long-model-name-1", 0.2, "circle"), ("#456", "b", 0.8, "star")
    for hue, name, height, symbol in lines:
        figure.add_scatter(x=[1, 2], y=[0, height], mode="lines+markers", marker_size=20)
        figure.data[-1].update(line_color=hue, marker_symbol=symbol)
        name_ends(figure, [End(name, height, hue)], (0, 1), 300)
    figure.update_xaxes(title="As long a title as nobody can read beside a single column of text")
    wide, narrow = for_paper(figure, 6.9), for_paper(figure, 3.3)
    assert "<br>" not in wide.layout.xaxis.title.text
    assert narrow.layout.xaxis.title.text.count("<br>") == 1
    assert [note.text for note in wide.layout.annotations] == ["long-model-<br>name-1", "b"]
    assert not narrow.layout.annotations
    below = [trace for trace in narrow.data if trace.legend == "legend2"]
    assert [(one.name, one.line.color, one.marker.symbol) for one in below] == [
        ("b", "#456", "star"),
        ("long-model-name-1", "#123", "circle"),
    ]
    legend = narrow.layout.legend2
    assert (legend.x, legend.xref, legend.orientation) == (0, "container", "h")
    assert (legend.y, legend.yref, legend.yanchor) == (0, "container", "bottom")
    assert narrow.layout.height == narrow.layout.width + 18, "both names stand in one line"
    assert narrow.layout.margin.r < wide.layout.margin.r
    assert narrow.data[0].marker.size < wide.data[0].marker.size == 20
    assert len(figure.data) == 2, "the figure itself stays"


def test_a_subcommand_without_a_figure_offers_none(table, tmp_path, capsys):
    assert main(["inventory", table, "-o", str(tmp_path / "a.svg")]) == 2
    assert "must end in .txt or .json or .csv or .md or .tex" in capsys.readouterr().err


def test_what_cannot_be_drawn_is_said_and_nothing_written(table, tmp_path, drawn, capsys):
    asked = ["series", table, "--run", "ckpt-100", "-o", str(tmp_path / "a.svg")]
    assert main(asked) == 2
    assert "error: " in capsys.readouterr().err
    assert not drawn
    assert not (tmp_path / "a.svg").exists()


def test_without_kaleido_it_is_one_line_before_anything_is_read(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(pictures, "find_spec", lambda name: None)
    assert main(["score", "not there", "-o", str(tmp_path / "a.svg")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: A picture needs Kaleido")
    assert "--extra pictures" in line


class NotFoundError(RuntimeError):
    pass


class FailedError(RuntimeError):
    pass


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (NotFoundError("x"), "needs Chromium or Chrome, and none was found; install one"),
        (FailedError("no sandbox\nmore"), "did not start: no sandbox\n"),
    ],
)
def test_without_a_browser_it_is_one_line(table, tmp_path, monkeypatch, capsys, error, said):
    asked = {}

    def draw(figure, options, kopts):
        asked.update(options, **kopts)
        raise error

    errors = SimpleNamespace(ChromeNotFoundError=NotFoundError, BrowserFailedError=FailedError)
    monkeypatch.setattr(pictures, "why_no_pictures", lambda: None)
    monkeypatch.setitem(sys.modules, "kaleido", SimpleNamespace(calc_fig_sync=draw))
    monkeypatch.setitem(sys.modules, "choreographer", SimpleNamespace(errors=errors))
    monkeypatch.setitem(sys.modules, "choreographer.errors", errors)
    assert main(["score", table, "--metrics", "avg@n", "-o", str(tmp_path / "a.svg")]) == 2
    assert said in capsys.readouterr().err
    assert asked["mathjax"] is False, "which would be fetched from the network"
    assert asked["format"] == "svg"


def test_a_machine_without_chinese_letters_is_told_which_package_has_them(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: "/bin/true")
    assert pictures.missing_font() is None
    with reading_in(catalogue("zh")):
        assert "fonts-noto-cjk" in str(pictures.missing_font())
        monkeypatch.setattr("shutil.which", lambda name: "/bin/pwd")
        assert pictures.missing_font() is None
