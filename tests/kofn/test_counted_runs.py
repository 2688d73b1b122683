"""Every subcommand answers for runs of which only counts are known, or says what it lacks."""

import json

import numpy as np
import pytest

from kofn import command
from kofn.terminal import inputs
from kofn.workers.wire import pack, unpack
from metrics import Outcomes, Text
from metrics.data.counts import NEEDS_SAMPLES
from reports import Report, Run
from tests.kofn.listings import LISTINGS
from tests.reports.kept_elsewhere import kept_elsewhere

pytestmark = pytest.mark.usefixtures("short_plans")

ALIKE = "inventory", "overview", "compare", "series", "plan", "saturation", "trade-offs", "guidance"
"""Subcommands that say of counts all that they say of samples without texts and answers."""
REFUSED = ("soft-vs-hard", "candidates", "budgets")


def outcomes(seed, m=24, n=4, ragged=True):
    rng = np.random.default_rng(seed)
    correct = (rng.random((m, n)) < rng.beta(2, 3 - seed / 2, (m, 1))).astype(int)
    if ragged:
        correct[:, 1:][rng.random((m, n - 1)) < 0.2] = -1
        correct[::7, -1] = -2
    return Outcomes(correct, None, None, {"level": np.where(np.arange(m) % 2, "easy", "hard")})


def runs(kind):
    shape = {"one sample": (24, 1, False), "one question": (1, 4, False)}.get(kind, ())
    steps = [100] if kind == "alone" else [100, 200, 300]
    held = [Run(f"step-{step}", "maths", outcomes(step // 100, *shape)) for step in steps]
    if kind == "from a file":
        return held
    if kind == "beside a file":
        return [held[0], *map(kept_elsewhere, held[1:])]
    return list(map(kept_elsewhere, held))


def assert_alike(one, other):
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        one, other = list(one.values()), list(other.values())
    if isinstance(one, list):
        for each, beside in zip(one, other, strict=True):
            assert_alike(each, beside)
    else:
        assert one == pytest.approx(other, abs=1e-9)


@pytest.fixture
def ask(monkeypatch, capsys):
    def ask(name, kind, *more, answers=None):
        report = Report("engine", Text("a table elsewhere"), tuple(runs(kind)))
        for run in report.runs if answers is not None else ():
            run.remote.answers = answers
        monkeypatch.setattr(inputs, "load", lambda source, **options: report)
        monkeypatch.setattr(inputs, "source", str)
        status = command.main([name, "x.csv", "--format", "json", *more])
        out, errors = capsys.readouterr()
        return status, json.loads(out) if out else {}, errors

    return ask


@pytest.mark.wide
@pytest.mark.parametrize("name", LISTINGS)
@pytest.mark.parametrize(
    "kind",
    [
        "of one place",
        *(
            pytest.param(kind, marks=pytest.mark.slow)
            for kind in ("beside a file", "one sample", "one question", "alone")
        ),
    ],
)
def test_a_subcommand_answers_or_says_what_it_lacks(ask, name, kind):
    status, document, errors = ask(name, kind)
    assert document["answer"]
    assert "Traceback" not in errors
    if name in REFUSED and kind != "beside a file":
        assert status == 2
        assert str(NEEDS_SAMPLES) in document["answer"]
    elif name in ALIKE and kind == "of one place":
        assert_alike(document, ask(name, "from a file")[1])
    elif name not in REFUSED and kind in ("of one place", "beside a file"):
        assert (status, "error:" in errors) in {(0, False), (2, True)}
        assert status == 0 or kind == "beside a file"
        assert str(NEEDS_SAMPLES) not in document["answer"]


@pytest.mark.parametrize(
    ("held", "why"),
    [
        (kept_elsewhere(Run("a", "maths", outcomes(1))), str(NEEDS_SAMPLES)),
        (Run("a", "maths", None), "There are no outcomes to write; the lines above explain why."),
    ],
)
def test_without_samples_nothing_is_written(held, why, tmp_path, monkeypatch, capsys):
    report = Report("engine", Text("a table elsewhere"), (held,))
    monkeypatch.setattr(inputs, "load", lambda source, **options: report)
    monkeypatch.setattr(inputs, "source", str)
    assert command.main(["convert", "x.csv", "-o", str(tmp_path / "t.csv")]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"error: {why}"
    assert not any(tmp_path.iterdir())


@pytest.mark.wide
def test_runs_of_one_place_are_paired_in_the_command(ask):
    _, document, _ = ask("compare", "of one place")
    assert "paired" not in document["answer"]
    _, document, _ = ask("compare", "beside a file")
    assert "Only the counts of one of the two are known" in json.dumps(document)
    _, document, _ = ask("series", "beside a file")
    assert "only counts are known, not which question" in json.dumps(document)
    _, document, _ = ask("series", "of one place")
    assert "not which question" not in json.dumps(document)


@pytest.mark.wide
@pytest.mark.parametrize("name", ["overview", "compare", "rank"])
def test_all_pairs_of_a_dataset_are_asked_for_at_once(ask, name):
    status, _, errors = ask(name, "of one place", "--segment", "level=easy", answers=2)
    assert status == 0
    assert "cannot be reached" not in errors


@pytest.mark.parametrize("name", ["overview", "compare", "plan", "questions"])
@pytest.mark.parametrize("answers", [0, 1])
def test_an_engine_that_goes_away_is_one_line(ask, name, answers):
    _, document, errors = ask(name, "of one place", "--segment", "level=easy", answers=answers)
    if (name, answers) != ("questions", 1):
        assert "engine: cannot be reached" in json.dumps(document) + errors


def test_a_counted_run_crosses_to_another_process_without_what_it_asked():
    a, b = runs("of one place")[:2]
    a.joint(b)
    object.__setattr__(a, "remote", None)  # what asks is of the tests
    crossed = unpack([bytes(part) for part in pack(a)])
    assert crossed.counts.digest == a.counts.digest
    assert crossed.joint(b) is None
