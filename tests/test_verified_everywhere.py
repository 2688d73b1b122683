"""Whether a run is verified stands wherever the run does."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from kofn.command import main

ROOT = Path(__file__).parents[1]
REPORT = ROOT / "tests" / "data" / "aisbench" / "gsm8k_demo_n5_nodump.zip"
PAGES = [
    *("data/questions", "measure/scorecard", "measure/consistency", "measure/soft_vs_hard"),
    *("decide/saturation", "decide/choose_n", "decide/guidance"),
]


@pytest.fixture(scope="module")
def doubted():
    """The report, where one of two results states an average that its samples do not give."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(REPORT) as told, zipfile.ZipFile(buffer, "w") as archive:
        for name in told.namelist():
            data = told.read(name)
            if name.endswith("/gsm8k.json"):
                data = json.dumps(
                    {key: 11.0 for key in ("accuracy (5 runs average)", "avg@5")}
                ).encode()
            archive.writestr(name, data)
    return buffer.getvalue()


@pytest.mark.parametrize("subcommand", ["score", "consistency", "curve", "choose-n", "guide"])
def test_every_command_says_it_beside_the_name_of_a_run(doubted, tmp_path, capsys, subcommand):
    path = tmp_path / "r.zip"
    path.write_bytes(doubted)
    main([subcommand, str(path)])
    lines = capsys.readouterr().out.splitlines()
    of_runs = [line for line in lines if line.startswith("alpha-7b-chat / ")]
    assert any("/ demo_gsm8k" in line and ", verified" in line for line in of_runs)
    assert any(
        "/ gsm8k" in line and "not verified, as the file states other numbers" in line
        for line in of_runs
    )


@pytest.mark.parametrize("page", PAGES)
def test_every_page_warns_of_what_is_not_and_counts_what_is(doubted, page):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30).run()
    app.file_uploader[0].upload("r.zip", doubted).run()
    app.switch_page(str(ROOT / f"pages/{page}.py")).run()
    assert not app.exception
    (warning,) = [box.value for box in app.warning if "Not verified" in box.value]
    assert "alpha\\-7b\\-chat / gsm8k states other numbers" in warning
    assert "1 of 2 runs verified" in "\n".join(caption.value for caption in app.sidebar.caption)
