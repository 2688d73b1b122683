"""Which verdict of a tool's samples is meant: asked for, told, or said to have been taken."""

import io
import json
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reports import load
from reports.files.errors import VerdictChoice
from tests.reports.harnesses.truths import DATA
from tests.reports.mutations import zipped

HELM = next(DATA.glob("helm/benchmark_output/runs/s1/*num_outputs*"))
LIGHTEVAL = next(DATA.glob("lighteval/details/alpha-7b-chat/*/*.parquet"))
EVALSCOPE = next(DATA.glob("evalscope/outputs/*/reviews/alpha-7b-chat/general_qa_sums.jsonl"))
LM_EVAL = next(DATA.glob("lm_eval/seeds/alpha-7b-chat/samples*"))
INSPECT = DATA / "inspect/logs"
ONE_SCORER = next(INSPECT.glob("*survey-mcq*.json"))
SEVERAL = next(INSPECT.glob("*_arith_S5K*.eval"))
RECORDS = next(DATA.glob("every_eval_ever/v0.3.0_inspect/data/sums_set/*/*/*.jsonl"))


def notes(report):
    return [str(note.what) for owner in (report, *report.runs) for note in owner.notes]


def said(report, text):
    return any(text in note for note in notes(report))


def refused(source, name, role="correct"):
    with pytest.raises(VerdictChoice) as caught:
        load(source, columns={role: name})
    return caught.value


@pytest.mark.parametrize(
    ("source", "role"),
    [
        (HELM, "correct"),
        (LIGHTEVAL, "correct"),
        (EVALSCOPE, "correct"),
        (LM_EVAL, "filter"),
        (ONE_SCORER, "correct"),
        (SEVERAL, "correct"),
        (RECORDS, "correct"),
    ],
    ids=lambda each: getattr(each, "name", each),
)
def test_a_name_that_nothing_has_is_refused_with_those_that_there_are(source, role):
    error = refused(source, "nosuch", role)
    assert "nosuch is none of" in str(error)
    assert error.options
    assert "nosuch" not in error.options
    assert str(error.options[0]) in str(error.fix)


def test_two_names_of_which_one_is_there_are_read():
    told = {"correct": ("nosuch", "choice")}
    assert load(ONE_SCORER, columns=told).runs[0].evaluator == "choice"


def test_a_name_that_one_log_has_leaves_the_others_as_they_are(tmp_path):
    for path in (ONE_SCORER, SEVERAL):
        shutil.copy(path, tmp_path)
    report = load(tmp_path, columns={"correct": "match"})
    assert sorted(str(run.evaluator) for run in report.runs) == ["choice", "match"]


def test_what_has_one_verdict_says_that_nothing_was_chosen():
    path = DATA / "human_eval" / "alpha_samples.jsonl_results.jsonl"
    report = load(path, columns={"correct": "nosuch"})
    assert said(report, "correct=nosuch is ignored here")
    assert not said(load(path), "nothing to choose")
    assert said(load(ONE_SCORER, columns={"filter": "x"}), "filter=x is ignored here")


def test_metrics_that_say_the_same_are_named_beside_the_one_taken():
    (run,) = load(HELM).runs
    assert run.evaluator == "exact_match"
    assert said(load(HELM), "exact_match says which samples are right; quasi_exact_match, prefix_")
    assert said(load(LIGHTEVAL), "pass@k:k=1&n=4 says which samples are right; avg@n:n=4 is")


def test_a_metric_that_kofn_cannot_judge_is_asked_for_too(tmp_path):
    """Of four completions HELM scores the first by another metric: that is a choice as well."""
    copy = tmp_path / "run"
    shutil.copytree(HELM, copy)
    path = copy / "per_instance_stats.json"
    rows = json.loads(path.read_text())
    for number, row in enumerate(rows):
        stat = next(each for each in row["stats"] if each["name"]["name"] == "exact_match")
        row["stats"].append({**stat, "name": {**stat["name"], "name": "f1"}, "mean": number / 10})
    path.write_text(json.dumps(rows))
    with pytest.raises(VerdictChoice) as asked:
        load(copy)
    assert {"exact_match", "f1"} <= {*asked.value.options}
    (run,) = load(copy, columns={"correct": "f1"}).runs
    assert run.outcomes.shape == (10, 1)
    assert run.evaluator == "f1"
    assert run.outcomes.scores.tolist() == [[number / 10] for number in range(10)]


def details(change):
    rows = pq.read_table(LIGHTEVAL).to_pylist()
    for row in rows:
        change(row["metric"])
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), buffer)
    return "details_t_2026-01-01T00-00-00.parquet", buffer.getvalue()


def test_a_metric_of_fewer_answers_by_another_rule_is_a_choice():
    source = details(lambda metric: metric.update({"strict_avg@n:n=1": 0.0}))
    with pytest.raises(VerdictChoice, match="they disagree"):
        load(source)
    (run,) = load(source, columns={"correct": "strict_avg@n:n=1"}).runs
    assert run.outcomes.shape == (26, 1)
    assert run.outcomes.correct.sum() == 0


def test_the_score_that_decides_for_the_tool_is_named_and_another_can_be_chosen():
    report = load(EVALSCOPE)
    assert report.runs[0].evaluator == "Rouge-L-R"
    assert said(report, "Rouge-L-R is the verdict, as in the reports of EvalScope")
    (run,) = load(EVALSCOPE, columns={"correct": "Rouge-1-F"}).runs
    assert run.evaluator == "Rouge-1-F"
    before = report.runs[0].columns["score.Rouge-1-F"]
    assert (run.outcomes.scores == before).all()


def test_stated_means_are_of_the_score_that_they_are_of():
    folder = EVALSCOPE.parents[2]
    (run,) = (r for r in load(folder).runs if r.dataset == "general_qa")
    assert run.reported["score"]
    told = {"correct": "Rouge-1-F"}
    (run,) = (r for r in load(folder, columns=told).runs if r.dataset == "general_qa")
    assert not run.reported
    assert run.verified is None


def test_a_zip_of_logs_that_all_lack_the_name_is_refused_as_a_whole():
    files = {path.name: path.read_bytes() for path in (ONE_SCORER, SEVERAL)}
    files["again.json"] = ONE_SCORER.read_bytes()
    error = refused(("logs.zip", zipped(files)), "nosuch")
    assert "choice" in error.options


@pytest.mark.wide
@pytest.mark.parametrize(
    "folder", ["aisbench/gsm8k_n1.zip", "evalscope", "human_eval", "lm_eval", "tau2", "swebench"]
)
def test_roles_that_only_tables_have_are_said_to_be_ignored(folder):
    told = {"model": "x", "n": "4", "table": "calibration", "judge": "number"}
    said = [str(note.what) for note in load(DATA / folder, columns=told).notes]
    for role, given in told.items():
        assert f"{role}={given} is ignored here: it applies to tables of outcomes only." in said


@pytest.mark.parametrize("folder", ["aisbench/gsm8k_n1.zip", "tau2"])
def test_a_verdict_where_there_is_but_one_is_said_to_be_ignored(folder):
    said = [str(note.what) for note in load(DATA / folder, columns={"correct": "x"}).notes]
    assert "correct=x is ignored here: there is nothing to choose." in said
