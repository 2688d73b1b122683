"""The figures that the command draws with the extra ``pictures``."""

import re
from pathlib import Path

import pytest

from kofn.command import main

pytestmark = pytest.mark.browser
SAMPLE = str(Path(__file__).parents[2] / "sample_data/outcomes.parquet")


@pytest.mark.filterwarnings("default")
def test_a_figure_has_the_size_and_type_of_a_paper(tmp_path):
    pytest.importorskip("kaleido", reason="needs the extra: uv run --extra pictures pytest")
    asked = ["curve", SAMPLE, "--run", "sequoia-72b-chat"]
    assert main([*asked, "-o", str(tmp_path / "a.svg")]) == 0
    svg = (tmp_path / "a.svg").read_text()
    width = float(re.search(r'<svg[^>]* width="([\d.]+)"', svg)[1])
    assert width / 96 == pytest.approx(3.3, abs=0.02)
    assert "Liberation Serif" in svg
    assert "tries at a question" in svg
    assert main([*asked, "-o", str(tmp_path / "a.pdf"), "--wide"]) == 0
    pdf = (tmp_path / "a.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-")
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ", pdf)
    assert float(box[1]) / 72 == pytest.approx(6.9, abs=0.05)
