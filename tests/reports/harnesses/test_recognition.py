"""Every real file of every tool is taken by the reader of that tool, and by no other."""

import io
import json
from shutil import copy, copytree, ignore_patterns
from zipfile import ZipFile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv

from reports import LoadError
from reports.files.archive import open_tree
from reports.loading import TOOL_READERS, load
from reports.loading import TOOLS as TOOLS_READ
from reports.tables import sniff as is_table
from tests.reports.damaged_inputs import TOOLS
from tests.reports.harnesses.truths import DATA, files_of

NAMES = {
    "aisbench": "AISBench",
    "bigcode": "bigcode-evaluation-harness",
    "deepeval": "DeepEval",
    "evalplus": "EvalPlus",
    "evalscope": "EvalScope",
    "every_eval_ever": "Every Eval Ever",
    "helm": "HELM",
    "human_eval": "human-eval",
    "inspect": "Inspect",
    "lighteval": "LightEval",
    "livecodebench": "LiveCodeBench",
    "lm_eval": "lm-evaluation-harness",
    "lmms_eval": "lmms-eval",
    "nemo_skills": "NeMo-Skills",
    "opencompass": "OpenCompass",
    "simple_evals": "simple-evals",
    "swebench": "SWE-bench",
    "tau2": "tau-bench",
}
"""Tools by their folders; others are called as their folder."""
OF_EVALUATIONS = [
    (path.relative_to(DATA).parts[0], path)
    for path in sorted([*DATA.glob("aisbench/**/*.zip"), *DATA.glob("opencompass/*.zip")])
]
FILES = [*OF_EVALUATIONS, *((tool, path) for tool in TOOLS for path in files_of(tool))]


@pytest.mark.parametrize(("tool", "path"), FILES, ids=[f"{t}-{p.name}" for t, p in FILES])
def test_one_reader_takes_a_file(tool, path):
    tree = open_tree(path)
    taken = [reader.TOOL.name for reader in TOOL_READERS if reader.sniff(tree)]
    # AISBench's reader comes last: it takes what OpenCompass writes too, and lone results
    if "AISBench" in taken and len(taken) > 1:
        taken.remove("AISBench")
    assert taken == [NAMES.get(tool, tool)]


@pytest.mark.parametrize("path", sorted(DATA.glob("inspect/dataframes/samples*")), ids=str)
def test_data_frames_are_those_of_their_tool(path):
    tree = open_tree(path)
    assert [reader.TOOL.name for reader in TOOL_READERS if reader.sniff(tree)] == ["Inspect"]


TOLD = {
    "inspect": {"correct": ("match", "graded")},
    "every_eval_ever": {"correct": ("exact_match:score-first",)},
    "lm_eval": {"filter": ("score-first", "strict-match", "keep-all")},
}


def alike(run):
    return run.model, run.dataset, run.outcomes.digest, run.settings.get("tool")


@pytest.mark.wide
def test_a_folder_with_the_files_of_all_tools_gives_what_each_gives_alone(tmp_path):
    alone = []
    for tool in TOOLS:
        copytree(DATA / tool, tmp_path / tool, ignore=ignore_patterns("truth.json"))
        alone += map(alike, load(DATA / tool, columns=TOLD.get(tool)).runs)
    with ZipFile(DATA / "opencompass/n4.zip") as archive:
        archive.extractall(tmp_path / "opencompass")
    alone += map(alike, load(DATA / "opencompass/n4.zip").runs)
    told = {role: names for of in TOLD.values() for role, names in of.items()}
    told["correct"] = (*TOLD["inspect"]["correct"], *TOLD["every_eval_ever"]["correct"])
    report = load(tmp_path, columns=told)
    assert sorted(map(str, map(alike, report.runs))) == sorted(map(str, alone))
    assert not [note for note in report.notes if note.severity == "problem"]


def mixed(tmp_path, *paths):
    for path in paths:
        copy(DATA / path, tmp_path)
    return load(tmp_path)


HUMAN_EVAL = "human_eval/alpha_samples.jsonl_results.jsonl"


def test_runs_of_one_name_by_two_tools_stay_apart(tmp_path):
    report = mixed(tmp_path, HUMAN_EVAL, "evalplus/alpha_samples_eval_results.json")
    named = [(run.model, run.dataset) for run in report.runs]
    assert named.count(("alpha", "humaneval")) == 2
    assert str(report.reader) == "EvalPlus results, human-eval results"
    assert len({run.source for run in report.runs[::2]}) == 2


@pytest.mark.parametrize("tool", ["bigcode", "helm/benchmark_output/runs/s1/*outputs=4*"])
def test_files_of_two_tools_may_lie_in_one_folder(tool, tmp_path):
    (folder,) = DATA.glob(tool)
    copytree(folder, tmp_path, dirs_exist_ok=True, ignore=ignore_patterns("truth.json"))
    runs = mixed(tmp_path, "swebench/beta-agent.run1.json").runs
    assert len(runs) == 2
    assert "SWE-bench" in {run.settings["tool"] for run in runs}


def test_an_evaluation_takes_no_file_that_another_tool_has_read(tmp_path):
    with ZipFile(DATA / "opencompass/n4.zip") as archive:
        archive.extractall(tmp_path)
    alone = list(map(alike, load(tmp_path).runs))
    place = tmp_path / "other/results/alpha"
    place.mkdir(parents=True)
    copy(DATA / "bigcode/logs.json", place / "gsm8k.json")
    report = load(tmp_path)
    assert list(map(alike, report.runs))[1:] == alone
    assert report.runs[0].settings["tool"] == "bigcode-evaluation-harness"


def test_means_of_another_tool_are_no_evaluation(tmp_path):
    copytree(DATA / "lighteval/results", tmp_path / "other/results")
    with ZipFile(DATA / "opencompass/n4.zip") as archive:
        archive.extractall(tmp_path)
    report = mixed(tmp_path, HUMAN_EVAL)
    tools = [run.settings["tool"] for run in report.runs]
    assert tools == ["human-eval", "OpenCompass", "OpenCompass"]
    assert any("nothing that it can read in 2 files" in str(note.what) for note in report.notes)


def test_what_fails_of_one_tool_leaves_the_others_and_can_be_chosen(tmp_path):
    (log,) = (DATA / "inspect/logs").glob("*arith-shy*")
    (tmp_path / "broken.json_eval_results.json").write_text('{"eval": {"a": [{"task_id": "a"}]}}')
    (tmp_path / "notes.txt").write_text("x")
    report = mixed(tmp_path, HUMAN_EVAL, log.relative_to(DATA))
    assert [run.settings["tool"] for run in report.runs] == ["human-eval"]
    problems = [note for note in report.notes if note.severity == "problem"]
    assert len(problems) == 2
    assert [choice.options[0] for choice in report.choices] == ["closeness"]
    left = [str(note.what) for note in report.notes if "nothing that it can read" in str(note.what)]
    assert left == ["kofn found nothing that it can read in notes.txt."]


def test_a_verdict_that_is_told_need_be_of_one_tool_only(tmp_path):
    (log,) = (DATA / "inspect/logs").glob("*arith-shy*")
    (details,) = DATA.glob("lighteval/details/alpha*/*/*.parquet")
    copy(details, tmp_path)
    copy(log, tmp_path)
    runs = load(tmp_path, columns={"correct": "graded"}).runs
    assert {run.settings["tool"] for run in runs} == {"Inspect", "LightEval"}
    with pytest.raises(LoadError, match="nosuch is none of"):
        load(tmp_path, columns={"correct": "nosuch"})


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("tool", [tool.name for tool in TOOLS_READ])
def test_a_table_with_the_columns_of_a_tool_stays_a_table(tool, form):
    (columns,) = (known.columns for known in TOOLS_READ if known.name == tool)
    names = ["question_id", "sample", "correct", *sorted(columns - {"question_id"})]
    rows = [[f"q{i % 3}", i // 3, i % 2, *["x"] * (len(names) - 3)] for i in range(6)]
    table = pa.table({name: values for name, *values in zip(names, *rows, strict=True)})
    report = load((f"t.{form}", written(table, form)))
    assert report.runs[0].outcomes.shape == (3, 2)
    assert any(f"the columns that {tool} writes" in str(note.what) for note in report.notes)


@pytest.mark.wide
@pytest.mark.parametrize(
    ("names", "tool"),
    [
        ("eval_id,id", "Inspect"),
        ("evaluation,evaluation_id,schema_version", "Every Eval Ever"),
        ("origin_prompt,prediction", "OpenCompass"),
        ("data_abbr,prediction", "AISBench"),
        ("result,task_id", "bigcode-evaluation-harness"),
        ("base_status,task_id", "EvalPlus"),
        ("sample_score", "EvalScope"),
        ("predicted_text,stats", "HELM"),
        ("completion,result", "human-eval"),
        ("doc,metric", "LightEval"),
        ("doc_id,filtered_resps,target", "lm-evaluation-harness"),
        ("resolved_instances,submitted_instances", "SWE-bench"),
    ],
)
def test_a_table_with_half_the_columns_of_a_tool_says_so(names, tool):
    more = "x," * (names.count(",") + 1)
    table = f"question,{names},correct\n" + "".join(f"q{i},{more}{i % 2}\n" for i in range(3))
    report = load(("t.csv", table.encode()), columns={"question_id": "question"})
    assert report.runs[0].outcomes.shape == (3, 1)
    said = [str(note.what) for note in report.notes if "some of the columns" in str(note.what)]
    assert any(f"columns that {tool} writes" in note for note in said)


def test_a_table_of_usual_columns_looks_like_no_tool():
    """These are most of what AISBench, OpenCompass, tau-bench and human-eval write."""
    table = b"id,trial,gold,prediction,completion,passed\na,0,4,5,five,0\nb,0,4,4,four,1\n"
    assert not [note for note in load(("t.csv", table)).notes if "writes" in str(note.what)]


def written(table, form):
    if form == "jsonl":
        return "".join(f"{json.dumps(row)}\n" for row in table.to_pylist()).encode()
    buffer = io.BytesIO()
    (pq.write_table if form == "parquet" else csv.write_csv)(table, buffer)
    return buffer.getvalue()


def test_a_table_like_a_frame_of_inspect_needs_more_than_its_columns():
    """Inspect gives evaluations ids of its own kind and names their logs."""
    table = b"sample_id,eval_id,id,epoch,correct,score_match\nx,e,1,1,1,1\ny,e,1,2,0,0\n"
    report = load(("x.csv", table), columns={"question_id": "id"})
    assert report.runs[0].outcomes.shape == (1, 2)
    assert any("the columns that Inspect writes" in str(note.what) for note in report.notes)
    frame = table.replace(b",e,", b",cExNj9kcEqXcdUDampJFdd,")
    assert str(load(("x.csv", frame)).reader) == "Inspect logs"


def test_samples_of_lm_eval_as_csv_are_a_table():
    (path,) = (DATA / "lm_eval/rep/alpha-7b-chat").glob("samples_local_gsm_keepall*")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    table = pa.table({name: [json.dumps(line[name]) for line in lines] for name in lines[0]})
    table = table.append_column("correct", pa.array([number % 2 for number in range(len(lines))]))
    report = load(("t.csv", written(table, "csv")), columns={"question_id": "doc_id"})
    assert report.runs[0].outcomes.shape == (26, 1)
    assert any("the columns that lm-evaluation-h" in str(note.what) for note in report.notes)


def test_tables_are_no_tools(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("question_id,sample,correct\na,0,1\na,1,0\n")
    tree = open_tree(path)
    assert not any(reader.sniff(tree) for reader in TOOL_READERS)
    assert is_table(tree)
