"""Every setting of a subcommand changes what it finds, and one run is enough for every format."""

import json

import numpy as np
import pytest

from kofn.command import main
from metrics import Outcomes
from reports import Run, tables
from tests.kofn.listings import LISTINGS, OF_EACH
from tests.wide import wide_but

SETTINGS = {
    "--level": ["0.5"],
    "--missing": ["omit"],
    "--segment": ["kind=a"],
    "--target": ["benchmark"],
    "--k": ["2"],
}
pytestmark = pytest.mark.usefixtures("short_plans", "asked_once")


LONGEST = ("candidates", "overview", "saturation")
"""Subcommands of whose settings the tests are wide."""


def run_of(model, right, rng):
    shape = (12, 4)
    correct = (rng.random(shape) < np.linspace(right - 0.4, right + 0.4, 12)[:, None]).astype(int)
    correct[rng.random(shape) < 0.08] = -1
    known = correct >= 0
    outcomes = Outcomes(
        correct,
        scores=np.where(known, 0.2 + 0.6 * correct + 0.2 * rng.random(shape), np.nan),
        segments={"kind": np.array(["a", "b", "b"] * 4)},
    )
    answers = np.where(correct == 1, 0, rng.integers(1, 4, shape))
    columns = {
        "tokens_out": rng.integers(90, 900, shape).astype(float),
        "reward": correct + rng.normal(size=shape),
    }
    return Run(model, "maths", outcomes, threshold=0.5, answers=answers, columns=columns)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    rng = np.random.default_rng(7)
    runs = [run_of(f"ckpt-{number}00", 0.4 + 0.1 * number, rng) for number in (1, 2, 3)]
    path = tmp_path_factory.mktemp("settings") / "t.parquet"
    tables.write(runs, path)
    return str(path)


def found(capsys, *arguments):
    """What JSON holds beside what was asked."""
    status = main([*arguments, "--format", "json"])
    document = json.loads(capsys.readouterr().out)
    for asked in ("view", "made"):
        del document[asked]
    return status, document


@pytest.mark.parametrize("name", wide_but({*LISTINGS} - {*LONGEST}, LISTINGS))
def test_every_setting_changes_what_is_found(name, path, capsys):
    with pytest.raises(SystemExit):
        main([name, "--help"])
    described = capsys.readouterr().out.split()
    asked = [name, path, *(["--metric", "pass@k"] if "--metric" in described else [])]
    plain = found(capsys, *asked)
    assert plain[0] == 0
    same = [
        flag
        for flag, words in SETTINGS.items()
        if flag in described and found(capsys, *asked, flag, *words) == plain
    ]
    assert same == []


@pytest.mark.wide
@pytest.mark.parametrize("name", [each for each in OF_EACH if each != "rank"])
def test_a_single_run_is_written_in_every_format(name, path, capsys):
    for layout in ("table", "md", "csv", "latex"):
        main([name, path, "--run", "ckpt-200 / maths", "--format", layout])
        out, err = capsys.readouterr()
        assert out
        assert "error" not in err
