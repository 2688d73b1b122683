"""A pattern opens what it matches as a folder of it: parts are one table, other files are runs."""

import os
import shutil
import zipfile

import pytest

from reports import LoadError, load
from reports.files.archive import open_tree
from reports.files.globs import matching
from tests.reports.evaluations.aisbench_archives import members

ROWS = "question_id,correct\n{0},1\n"


@pytest.fixture
def runs(tmp_path):
    """A folder of tables, in parts and whole, beside a secret."""
    folder = tmp_path / "runs"
    for path in (
        *("alpha.csv", "beta.csv", "notes.txt", ".hidden.csv", "deep/er/gamma.csv"),
        *("t/part-0.csv", "t/part-1.csv", "h/model=a/x.csv", "h/model=b/x.csv"),
    ):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(ROWS.format(path))
    (tmp_path / "secret.csv").write_text(ROWS.format("secret"))
    return folder


def models(source):
    return sorted(run.model for run in load(str(source)).runs)


@pytest.mark.wide
@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.csv", ["alpha", "beta"]),
        ("[ab]*.csv", ["alpha", "beta"]),
        ("?lpha.csv", ["alpha"]),
        ("t/part-*.csv", ["t"]),
        ("t*/*", ["t"]),
        ("h/*/*.csv", ["a", "b"]),
        ("h/model=*", ["a", "b"]),
        ("**/*.csv", ["a", "alpha", "b", "beta", "gamma", "t"]),
        ("**", ["a", "alpha", "b", "beta", "gamma", "t"]),
        ("d*/", ["gamma"]),
    ],
)
def test_what_a_pattern_matches_is_read_as_in_a_folder(runs, pattern, found):
    assert models(runs / pattern) == found


def test_a_pattern_may_be_relative_and_errors_name_it(runs, monkeypatch):
    monkeypatch.chdir(runs)
    assert models("*.csv") == ["alpha", "beta"]
    assert [*open_tree("t/*.csv").files] == ["t/part-0.csv", "t/part-1.csv"]
    with pytest.raises(LoadError, match=r"^\*\.parquet: matches no file\. Check the pattern"):
        load("*.parquet")
    (runs / "beta.csv").write_text("")
    report = load("*.csv")
    assert (report.name, [note.where for note in report.notes]) == ("*.csv", ["runs/beta.csv"])


@pytest.mark.wide
def test_a_pattern_over_folders_of_reports_is_a_folder_of_these(tmp_path):
    for name in ("first", "second", "third"):
        for path, data in members("gsm8k_n5_two_models").items():
            place = tmp_path / "outputs" / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
    whole = load(tmp_path / "outputs")
    assert len(load(f"{tmp_path}/outputs/*/").runs) == len(whole.runs) == 6
    some = load(f"{tmp_path}/outputs/[fs]*/")
    assert len(some.runs) == 4
    assert {run.outcomes.digest for run in some.runs} <= {run.outcomes.digest for run in whole.runs}


def test_no_link_leads_out_of_the_folder_that_all_matches_lie_in(runs):
    os.symlink(runs.parent / "secret.csv", runs / "t/part-2.csv")
    os.symlink(runs.parent / "secret.csv", runs / "c.csv")
    assert models(runs / "*.csv") == ["alpha", "beta"]
    report = load(f"{runs}/t*/")
    assert "secret.csv" not in {q for run in report.runs for q in run.outcomes.questions}
    with pytest.raises(LoadError, match="matches no file"):
        load(f"{runs}/c*.csv")


def test_what_says_that_files_are_no_table_is_seen_beside_those_that_match(runs):
    (runs / "t/_delta_log").mkdir()
    (runs / "t/_delta_log/00000000000000000000.json").write_text("{}")
    with pytest.raises(LoadError, match="is a table of Delta"):
        load(f"{runs}/t/*.csv")
    (runs / "h/_delta_log").mkdir()
    (runs / "h/_delta_log/00000000000000000000.json").write_text("{}")
    with pytest.raises(LoadError, match="is a table of Delta"):
        load(f"{runs}/h/*/*.csv")


def test_files_beside_the_mark_of_spark_are_parts(runs):
    (runs / "_SUCCESS").touch()
    assert models(runs / "*.csv") == ["runs"]


def test_no_pattern_takes_long_or_fails():
    """Visitors may write any, of objects whose names others chose."""
    keys = ["a" * 60, "/".join("a" * 60), "[z-a]/x.csv"]
    assert matching("*a" * 30 + "b", keys) == set()
    assert matching("**/*/" * 30 + "b", keys) == set()
    assert matching("[z-a]", keys) == matching("**/[", keys) == set()
    assert matching("a/**/a", keys) == {keys[1]}


def test_zips_are_given_one_by_one_and_a_single_match_is_itself(runs):
    with zipfile.ZipFile(runs / "r.zip", "w") as archive:
        archive.writestr("t.csv", ROWS.format("zipped"))
    assert models(runs / "*.zip") == ["t"]
    shutil.copy(runs / "r.zip", runs / "s.zip")
    with pytest.raises(LoadError, match=r"matches r\.zip, s\.zip.*Give each zip by its own path"):
        load(f"{runs}/*.zip")
