"""Reading reports how far it has come, to whom it matters, and reads the same."""

import io
import json
import sys
import time
import zipfile
from pathlib import Path

import pytest

from kofn.terminal import waiting
from reports import load
from reports.files.archive import open_tree
from reports.files.progress import meter
from reports.files.tree import watched
from sample_data import make
from tests.reports.evaluations.aisbench_archives import archive

TWO_MODELS = Path(__file__).parents[2] / "data" / "aisbench" / "gsm8k_n5_two_models.zip"


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr("reports.files.progress.AFTER", 0)
    monkeypatch.setattr("reports.files.progress.EVERY", 0)


@pytest.mark.wide
@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("source", [archive("multi_subset_n4"), make.OUTCOMES])
def test_progress_grows_to_what_was_read_and_changes_nothing(source):
    told = []
    report = load(source, progress=lambda *counts: told.append(counts))
    done, totals = zip(*told, strict=True)
    assert list(done) == sorted(done)
    assert len(set(totals)) == 1
    assert 0 < done[-1] <= totals[0]
    plain = load(source)
    ours, theirs = ([run.outcomes.digest for run in one.runs] for one in (report, plain))
    assert ours == theirs


@pytest.mark.usefixtures("impatient")
def test_what_is_read_twice_counts_once():
    told = []
    tree = watched(open_tree(("a.json", b"x" * 100)), lambda *counts: told.append(counts))
    assert tree.read("a.json") == tree.read("a.json") == b"x" * 100
    assert told[-1] == (100, 100)


@pytest.mark.usefixtures("impatient")
def test_a_file_that_grows_while_it_is_read_is_no_more_than_whole():
    told = []
    at = meter(lambda *counts: told.append(counts), 100)
    at("a.jsonl", 90)
    at("a.jsonl", 130)
    assert told == [(90, 100), (100, 100)]


@pytest.mark.usefixtures("impatient")
def test_what_is_read_later_is_told_to_nobody_who_waited_before(tmp_path):
    (tmp_path / "a.json").write_bytes(b"{}")
    told = []
    tree = watched(open_tree(tmp_path / "a.json"), lambda *counts: told.append(counts)).later()
    tree.tell("a.json", 1)
    assert tree.read("a.json") == b"{}"
    assert not told


def test_half_a_second_passes_in_silence():
    told = []
    tree = watched(open_tree(("a.json", b"{}")), lambda *counts: told.append(counts))
    tree.read("a.json")
    assert not told


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_shows_the_share_and_then_nothing(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(waiting, "PATIENCE", 0)
    monkeypatch.setenv("TERM", "xterm")
    with waiting.show_progress("a\x1b[2J.json") as progress:
        progress(250_000_000, 500_000_000)
        while "500 MB" not in sys.stderr.getvalue():
            time.sleep(0.01)
    shown = sys.stderr.getvalue()
    assert "50% of 500 MB" in shown
    assert "\x1b[2J" not in shown
    assert shown.endswith("\x1b[2K")


def test_off_a_terminal_nothing_is_shown(capsys):
    with waiting.show_progress("a.json") as progress:
        assert progress is None
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("impatient")
def test_a_look_at_the_end_of_a_file_is_not_the_whole_of_it():
    told = []
    tree = watched(open_tree(("a.json", bytes(1 << 20))), lambda *counts: told.append(counts))
    with tree.open("a.json") as stream:
        stream.seek(-8, io.SEEK_END)
        assert len(stream.read()) == 8
        assert told[-1] == (8, 1 << 20)
        stream.seek(0)
        stream.read()
    assert told[-1] == (1 << 20, 1 << 20)


def folder(root):
    with zipfile.ZipFile(TWO_MODELS) as files:
        files.extractall(root)
    (predictions,) = root.glob("**/predictions/alpha*/*.jsonl")
    return predictions.parents[2], [predictions.stat().st_size]


def packed(root):
    """Unpacking goes before reading, and both count."""
    return TWO_MODELS, [2 * size for size in folder(root)[1]]


def results(root):
    (path,) = folder(root)[0].glob("results/alpha*/*.json")
    return path, [path.stat().st_size]


def table(root):
    """A table is read and written first; then what was written is read."""
    rows = [{"question_id": q, "correct": 1, "prediction": f"it is {q}"} for q in range(9)]
    path = root / "t.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    lines = [json.dumps([None, None, [row["prediction"]]], separators=(",", ":")) for row in rows]
    return path, [path.stat().st_size, sum(len(line) + 1 for line in lines)]


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("make_source", [folder, packed, results, table])
def test_the_first_look_at_texts_tells_how_far_it_has_come_the_next_has_no_way(
    make_source, tmp_path, monkeypatch
):
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path / "kept"))
    source, totals = make_source(tmp_path)
    run = load(source).runs[0]
    told = []
    run.find_texts(lambda *counts: told.append(counts))
    assert list(dict.fromkeys(total for _, total in told)) == totals
    for total in totals:
        done = [done for done, of in told if of == total]
        assert done == sorted(done)
        assert 0 < done[0] <= done[-1] <= total
    assert len(told) > len(totals)
    told.clear()
    run.find_texts(lambda *counts: told.append(counts))
    assert not told
    texts = run.texts(run.outcomes.questions[0])
    assert texts.reference or texts.predictions[0]
