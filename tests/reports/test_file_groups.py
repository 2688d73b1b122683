"""Files of one report that are given one by one are read together, and others are not."""

import io
import json
import shutil

import pytest

from kofn.command import main
from reports import LoadError, load
from reports.file_groups import group_files
from tests.reports.harnesses.truths import DATA
from tests.reports.tables.written_tables import npz

ALPHA = DATA / "lm_eval/rep/alpha-7b-chat"
SAMPLES, RESULTS = (next(ALPHA.glob(f"{name}*")) for name in ("samples_local_gsm_rep", "results"))
FILTER = {"filter": "score-first"}


@pytest.fixture(scope="module")
def known():
    return load(ALPHA, columns=FILTER)["local_gsm_rep"]


def paths(*found):
    return [str(path) for path in found]


def in_memory(*found):
    return [(path.name, path.read_bytes()) for path in found]


def opened(*found):
    def file(path):
        stream = io.BytesIO(path.read_bytes())
        stream.name = path.name
        return stream

    return [*map(file, found)]


@pytest.mark.parametrize("given", [paths, in_memory, opened])
def test_samples_and_results_are_one_report(given, known):
    with pytest.raises(LoadError, match="Load the whole folder"):
        load(given(SAMPLES)[0], columns=FILTER)
    for files in ((SAMPLES, RESULTS), (RESULTS, SAMPLES)):
        (run,) = load(given(*files), columns=FILTER).runs
        assert run.verified is known.verified is True
        assert run.model == "alpha-7b-chat"
        assert run.outcomes.digest == known.outcomes.digest
        question = run.outcomes.questions[0]
        assert run.texts(question).predictions == known.texts(question).predictions


def test_a_list_of_one_is_that_and_a_list_of_tables_has_the_runs_of_each(tmp_path):
    for name in ("b", "a"):
        (tmp_path / f"{name}.csv").write_text("question_id,correct\nx,1\ny,0\n")
    files = paths(tmp_path / "b.csv", tmp_path / "a.csv")
    assert load(files[:1]).digest == load(files[0]).digest
    assert [run.model for run in load(files).runs] == ["b", "a"]
    report = load([tmp_path / "b.csv", tmp_path])
    assert [run.model for run in report.runs] == ["b", "a"]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (lambda folder: paths(SAMPLES, folder / "gone.json"), "gone.json: does not exist"),
        (lambda folder: [*paths(SAMPLES), *in_memory(RESULTS)], "are partly on this machine"),
        (lambda folder: [*paths(SAMPLES), "https://host/x.csv"], "https://host/x.csv"),
        (lambda folder: [], "nothing: are none"),
        (lambda folder: paths(SAMPLES, DATA / "aisbench/gsm8k_n5_two_models.zip"), "Give each zip"),
        (lambda folder: in_memory(RESULTS, RESULTS), "have the same name"),
    ],
)
def test_what_cannot_be_one_report_is_refused(given, problem, tmp_path):
    with pytest.raises(LoadError, match=problem):
        load(given(tmp_path))


@pytest.mark.wide
@pytest.mark.parametrize(
    "pattern",
    [
        "lm_eval/rep/alpha-7b-chat/*",
        "human_eval/*.jsonl",
        "evalplus/alpha*",
        "livecodebench/output/*/*.json",
        "bigcode/[elgr]*.json",
        "helm/benchmark_output/runs/*/*alpha/*.json",
        "every_eval_ever/v0.3.0_inspect/**/*.json*",
    ],
)
@pytest.mark.parametrize("given", [paths, in_memory])
def test_files_of_a_tool_that_need_one_another_come_together(pattern, given):
    files = sorted(DATA.glob(pattern))
    assert len(files) > 1
    table = ("t.csv", b"id,correct\na,1\n")
    assert group_files([table, *given(*files)]) == [[0], [*range(1, len(files) + 1)]]


def test_what_stands_alone_stays_alone():
    reports = sorted(DATA.glob("swebench/*.run*.json"))[:2]
    tables = [("a.csv", b"id,correct\na,1\n"), ("b.jsonl", b'{"id":1,"correct":1}\n' * 2)]
    arrays = ("c.npz", npz(aime=[[1, 0]]))
    others = ["no such path", "https://host/x.csv", "runs/*.csv", str(DATA)]
    given = [*paths(*reports), *tables, arrays, *others, ("bad.zip", b"no zip")]
    assert group_files(given) == [[number] for number in range(len(given))]


def test_parts_of_a_table_come_together(tmp_path):
    whole = "question_id,correct\n" + "".join(f"q{i},{i % 2}\n" for i in range(8))
    head, lines = whole.splitlines(True)[0], whole.splitlines(True)[1:]
    parts = [(f"part-0000{i}.csv", (head + "".join(lines[i::2])).encode()) for i in (0, 1)]
    assert group_files([*parts, ("t.csv", whole.encode())]) == [[0, 1], [2]]
    pieces = [("t.csv.aa", whole[:30].encode()), ("t.csv.ab", whole[30:].encode())]
    assert group_files(pieces) == [[0, 1]]
    for name, data in [*parts, *pieces]:
        (tmp_path / name).write_bytes(data)
    for names in ("part-0000*", "t.csv.a*"):
        (run,) = load(sorted(tmp_path.glob(names))).runs
        assert run.outcomes.shape == (8, 1)
    other = [(f"run-{i}.csv", data) for i, (_, data) in enumerate(parts)]
    assert group_files(other) == [[0], [1]]


@pytest.mark.wide
def test_the_command_puts_them_together_and_keeps_their_order(tmp_path, capsys):
    assert main(["inventory", *paths(SAMPLES, RESULTS), "--column", "filter=score-first"]) == 0
    assert "alpha-7b-chat" in capsys.readouterr().out
    both = []
    for model in ("beta-14b-chat", "alpha-7b-chat"):
        shutil.copytree(ALPHA.parent / model, tmp_path / model)
        both += [*(tmp_path / model).glob("*gsm_rep*"), *(tmp_path / model).glob("res*")]
    asked = ["--column", "filter=score-first", "--format", "json"]
    assert main(["compare", *paths(*both), *asked]) == 0
    captured = capsys.readouterr()
    (row,) = json.loads(captured.out)["compare"]
    assert row["base"].startswith("beta-14b-chat")
    assert row["verified"] is True
    assert "found nothing" not in captured.err


def test_two_tables_stay_two_files_for_a_comparison(tmp_path, capsys):
    for name, right in (("before", 0), ("after", 1)):
        rows = "".join(f"q{i},{int(i % 3 == 0 or right)}\n" for i in range(30))
        (tmp_path / f"{name}.csv").write_text(f"question_id,correct\n{rows}")
    assert main(["compare", *paths(tmp_path / "before.csv", tmp_path / "after.csv")]) == 0
    assert capsys.readouterr().out.startswith("after solves")
