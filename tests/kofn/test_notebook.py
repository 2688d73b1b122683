"""What a notebook asks: a table in, a table or figure out, as the command writes it."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

import kofn
from kofn import extras, figures, metrics, reports, tables
from kofn.command import main
from kofn.notebook import CAPABILITIES
from metrics import MetricError


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    """Three checkpoints, with scores, log-probabilities and tokens, for every capability."""
    rows = [
        (f"ckpt-{m}00", "maths", f"q{q}", s, int((q * 7 + s * 3 + m) % 5 > 1), s % 2, q % 7, 9 + s)
        for m in (1, 2, 3)
        for q in range(12)
        for s in range(4)
    ]
    names = "model,dataset,question_id,sample,correct,score,logprob,tokens_out"
    return pd.DataFrame(rows, columns=names.split(","))


def test_every_listing_has_a_table_and_all_but_two_a_figure() -> None:
    assert sorted(tables.__all__) == sorted(CAPABILITIES)
    assert sorted({*tables.__all__} - {*figures.__all__}) == ["inventory"]
    for module in (tables, figures):
        for name in module.__all__:
            function = getattr(module, name)
            assert function.__name__ == name
            assert name.replace("_", "-") in function.__doc__


@pytest.mark.parametrize(
    ("name", "settings", "flags"),
    [
        ("scorecard", {"k": [1, 4], "level": 0.9}, ["--k", "1,4", "--level", "0.9"]),
        ("consistency", {}, []),
        ("compare", {"metric": "pass@k", "k": 4}, ["--metric", "pass@k", "--k", "4"]),
        ("soft_vs_hard", {}, []),
        ("choose_n", {"verifier": False}, ["--verifier", "no"]),
        ("trade_offs", {"x": "samples"}, ["--x", "samples"]),
    ],
)
def test_a_table_is_what_the_command_writes(
    name, settings, flags, frame, tmp_path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    assert main([name.replace("_", "-"), str(path), *flags, "--format", "csv"]) == 0
    written = pd.read_csv(io.StringIO(capsys.readouterr().out))
    found = getattr(tables, name)(frame, **settings)
    assert list(found.columns) == list(written.columns)
    numbers = written.select_dtypes("number").columns
    pd.testing.assert_frame_equal(
        found[numbers].astype(float), written[numbers].astype(float), check_exact=False
    )


@pytest.mark.wide
@pytest.mark.parametrize("name", ["saturation", "consistency", "compare", "rank", "scorecard"])
def test_a_figure_is_plotly_s(name, frame) -> None:
    figure = getattr(figures, name)(frame)
    assert isinstance(figure, go.Figure)
    assert figure.data


def test_runs_reports_and_matrices_are_taken_too(frame) -> None:
    report = reports.load(frame)
    every = tables.scorecard(report, metrics="avg@n")["value"].tolist()
    assert (
        tables.scorecard([report[0], *report.runs[1:]], metrics="avg@n")["value"].tolist() == every
    )
    assert tables.scorecard(report[0], metrics="avg@n")["value"].tolist() == every[:1]
    assert tables.scorecard(report, metrics="avg@n", run="ckpt-200")["value"].tolist() == every[1:2]
    for matrix in ([[1, 0], [1, 1]], np.array([[1, 0], [1, 1]]), report[0].outcomes):
        (value,) = tables.scorecard(matrix, metrics="avg@n")["value"]
        assert value == metrics.estimate(matrix, "avg@n").value


def test_what_cannot_be_asked_is_said(frame) -> None:
    with pytest.raises(TypeError, match=r'no setting \'metrc\'. Did you mean "metric"\?'):
        figures.saturation(frame, metrc="pass@k")
    with pytest.raises(MetricError, match="No run is called 8B"):
        tables.rank(frame, run="8B")
    with pytest.raises(MetricError, match="level must be"):
        tables.rank(frame, level=95)
    with pytest.raises(MetricError, match="did you mean pass@k"):
        tables.saturation(frame, metric="pas@k")  # type: ignore[arg-type]
    with pytest.raises(MetricError):
        figures.compare(reports.load(frame)[0])


def test_a_run_is_found_by_place_and_name(frame) -> None:
    report = reports.load(frame)
    assert len(report) == len([*report]) == 3
    assert report[-1] is report["ckpt-300 / maths"] is report["ckpt-300"] is report.runs[2]
    with pytest.raises(KeyError, match="3 runs are called 'maths'"):
        report["maths"]
    with pytest.raises(KeyError, match="Did you mean"):
        report["ckpt-30 / maths"]


def test_an_estimate_is_written_with_its_interval() -> None:
    found = metrics.estimate([[1, 0], [1, 1], [0, 0], [1, 0]] * 9, "avg@n")
    low, high = found.interval
    assert str(found) == f"{found}" == f"{found.value:.3f} ({low:.3f} to {high:.3f})"
    assert f"{found:.1f}" == "0.5"
    html = found._repr_html_()
    assert f"<b>{found.value:.3f}</b> ({low:.3f} to {high:.3f})" in html
    assert str(found.method)[:20] in html
    alone = metrics.Estimate(0.5, None, 0.95, "population", 3, metrics.Text("<i>"))
    assert str(alone) == "0.500"
    assert "&lt;i&gt;" in alone._repr_html_()


def test_without_the_extra_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "msgspec" else "there")
    with pytest.raises(ModuleNotFoundError, match=r"reports extra of kofn is needed, for msgspec"):
        kofn.__getattr__("reports")
    assert kofn.__getattr__("metrics") is metrics
