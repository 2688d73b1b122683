"""Every real file of every tool is taken by the reader of that tool, and by no other."""

from shutil import copy

import pytest

from reports.files.archive import open_tree
from reports.loading import TOOL_READERS, load
from reports.loading import TOOLS as TOOLS_READ
from reports.tables import sniff as is_table
from tests.reports.damaged_inputs import TOOLS
from tests.reports.harnesses.truths import DATA, files_of

NAMES = {
    "aisbench": "AISBench",
    "bigcode": "bigcode-evaluation-harness",
    "evalplus": "EvalPlus",
    "evalscope": "EvalScope",
    "every_eval_ever": "Every Eval Ever",
    "helm": "HELM",
    "human_eval": "human-eval",
    "inspect": "Inspect",
    "lighteval": "LightEval",
    "livecodebench": "LiveCodeBench",
    "lm_eval": "lm-evaluation-harness",
    "opencompass": "OpenCompass",
    "swebench": "SWE-bench",
    "tau2": "tau-bench",
}
"""Tools by their folders; others are called as their folder."""
OF_EVALUATIONS = [
    ("aisbench" if path.parent.name == "evaluators" else path.parent.name, path)
    for path in sorted([*DATA.glob("aisbench/**/*.zip"), *DATA.glob("opencompass/*.zip")])
]
FILES = [*OF_EVALUATIONS, *((tool, path) for tool in TOOLS for path in files_of(tool))]


@pytest.mark.parametrize(("tool", "path"), FILES, ids=[f"{t}-{p.name}" for t, p in FILES])
def test_one_reader_takes_a_file(tool, path):
    tree = open_tree(path)
    taken = [reader.TOOL.name for reader in TOOL_READERS if reader.sniff(tree)]
    # what OpenCompass and AISBench share, AISBench's reader reads too: it comes second
    taken = [name for name in taken if not (name == "AISBench" and "OpenCompass" in taken)]
    assert taken == [NAMES.get(tool, tool)]


@pytest.mark.parametrize("path", sorted(DATA.glob("inspect/dataframes/samples*")), ids=str)
def test_data_frames_are_those_of_their_tool(path):
    tree = open_tree(path)
    assert [reader.TOOL.name for reader in TOOL_READERS if reader.sniff(tree)] == ["Inspect"]


def test_of_a_folder_with_files_of_several_tools_it_is_said_which_are_left_out(tmp_path):
    for path in (
        DATA / "human_eval" / "alpha_samples.jsonl_results.jsonl",
        DATA / "swebench" / "beta-agent.run1.json",
    ):
        copy(path, tmp_path)
    report = load(tmp_path)
    assert [str(note.what) for note in report.notes if note.severity == "warning"] == [
        "It holds files of SWE-bench too, which are left out: load the files of each tool by "
        "themselves."
    ]
    for tool in ("human_eval", "swebench"):
        assert not any("too, which are left out" in str(n.what) for n in load(DATA / tool).notes)


@pytest.mark.parametrize("tool", ["EvalPlus", "EvalScope", "LiveCodeBench", "SWE-bench"])
def test_a_table_with_the_columns_of_a_tool_stays_a_table(tool):
    (columns,) = (known.columns for known in TOOLS_READ if known.name == tool)
    names = ["question_id", "sample", "correct", *sorted(columns - {"question_id"})]
    rows = [[f"q{i % 3}", str(i // 3), str(i % 2), *"x" * (len(names) - 3)] for i in range(6)]
    report = load(("t.csv", "\n".join(map(",".join, [names, *rows])).encode()))
    assert report.runs[0].outcomes.shape == (3, 2)
    assert any(tool in str(note.what) for note in report.notes)


def test_tables_are_no_tools(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("question_id,sample,correct\na,0,1\na,1,0\n")
    tree = open_tree(path)
    assert not any(reader.sniff(tree) for reader in TOOL_READERS)
    assert is_table(tree)
