"""Details of LightEval: how many answers are right is stored, which is found out."""

import io
import json
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reports import LoadError, load, reconcile
from reports.files.errors import ColumnChoice
from tests.reports.evaluations.aisbench_archives import loaded
from tests.reports.harnesses.truths import DATA, assert_true, truth_of

FOLDER = DATA / "lighteval"
TRUTH = truth_of("lighteval")
PATHS = [FOLDER / key.partition("::")[0] for key in TRUTH]


def rows():
    return pq.read_table(PATHS[0]).to_pylist()


def written(rows):
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), buffer)
    return "details_t_2026-01-01T00-00-00.parquet", buffer.getvalue()


@pytest.mark.parametrize("key", TRUTH)
def test_every_verdict_is_the_true_one_and_every_number_verified(key):
    runs = {run.model: run for run in loaded(FOLDER).runs}
    run = runs[key.partition("::")[2]]
    truth = TRUTH[key]["local_gsm"]
    assert run.dataset == "local_gsm"
    assert_true(run, truth)
    assert run.outcomes.questions == tuple(truth["questions"])
    assert run.verified
    assert all(line.agrees for line in reconcile(run))
    assert len(run.reported) == 3
    assert str(run.rule) == "the last number"


@pytest.mark.parametrize("key", TRUTH)
def test_a_file_alone_has_its_verdicts(key):
    (run,) = load(FOLDER / key.partition("::")[0]).runs
    assert_true(run, TRUTH[key]["local_gsm"])


def test_every_text_is_that_of_its_sample():
    run = next(run for run in loaded(FOLDER).runs if run.source in str(PATHS[0]))
    for row in rows():
        texts = run.texts(row["doc"]["id"])
        assert list(texts.predictions) == row["model_response"]["text"]
        assert texts.prompt[0].text == row["doc"]["query"]
        assert texts.reference == row["doc"]["choices"][0]
    assert texts.answers[0] == row["model_response"]["text"][0].rpartition(" ")[2]


def test_settings_are_those_of_the_run():
    run = loaded(FOLDER).runs[0]
    known = {"temperature": 0, "shots": 0, "max_tokens": 128, "n": 4}
    assert known.items() <= run.settings.items()
    assert run.settings["dataset_version"] == "6b3d1c4dd6ea94ed"
    assert run.time.isoformat() == "2026-11-20T08:52:06"


def test_a_version_that_the_tool_does_not_know_is_none():
    for run in loaded(FOLDER).runs:
        assert "tool_version" not in run.settings


def test_counts_that_no_rule_gives_are_kept_without_texts(monkeypatch):
    monkeypatch.setattr("reports.rescoring.maths.available", False)  # which takes seconds to start
    changed = rows()
    for row in changed:
        row["model_response"]["text"] = [f"saying {n}" for n in range(4)]
    (run,) = load(written(changed)).runs
    counts = [round(4 * row["metric"]["avg@n:n=4"]) for row in sorted(changed, key=position)]
    assert run.outcomes.correct.sum(axis=1).tolist() == counts
    assert (np.diff(run.outcomes.correct, axis=1) <= 0).all()
    assert run.texts("0").predictions == (None,) * 4
    assert run.texts("0").reference is not None
    assert "lists the right ones first" in str(run.notes[0].what)


def position(row):
    return int(row["doc"]["id"])


def test_metrics_that_disagree_are_asked_for():
    changed = rows()
    for row in changed:
        row["metric"]["strict_avg@n:n=4"] = 0.0
    with pytest.raises(ColumnChoice) as asked:
        load(written(changed))
    (run,) = load(written(changed), columns=asked.value.answered({}, "avg@n:n=4")).runs
    assert_true(run, TRUTH[next(iter(TRUTH))]["local_gsm"])


def test_a_vote_alone_tells_nothing_of_the_answers():
    changed = rows()
    for row in changed:
        row["metric"] = {"maj@n:n=4": 1.0}
    with pytest.raises(LoadError, match=r"how many of 4 answers.*Add avg@n"):
        load(written(changed))


def test_tokens_are_counted():
    changed = rows()
    for row in changed:
        row["model_response"]["output_tokens"] = [[1] * n for n in (5, 6, 7, 8)]
        row["model_response"]["input_tokens"] = [[1] * 9]
    (run,) = load(written(changed)).runs
    assert run.columns["tokens_out"].tolist() == [[5, 6, 7, 8]] * 26
    assert run.columns["tokens_in"].tolist() == [[9] * 4] * 26


# Written after huggingface/lighteval, commit 010dc620955ceb369733b9958714969761083eb1,
# src/lighteval/logging/info_loggers.py, lines 171 to 215 (DetailsLogger.Detail); and, for columns
# written as text, commit 02932a23f55f4dfa695636e72c31fe08de012031,
# src/lighteval/logging/evaluation_tracker.py, EvaluationTracker.save.
def old(question, said, **metrics):
    return {
        "example": question,
        "full_prompt": f"Q: {question}",
        "predictions": said,
        "gold": ["7"],
        "metrics": metrics,
        "input_tokens": [[1, 2, 3]],
        "cont_tokens": [[1] * len(one) for one in said],
        "specifics": {"level": "easy"},
    }


OLD = [
    old("3 + 4?", ["so 7", "so 8"], **{"math_pass@1:2_samples": 0.5, "math_pass@1:1_samples": 1.0}),
    old("2 + 5?", ["6", "1 or 7"], **{"math_pass@1:2_samples": 0.5, "math_pass@1:1_samples": 0.0}),
]


@pytest.mark.parametrize("as_text", [False, True])
def test_columns_of_older_versions(as_text):
    table = [{name: str(value) for name, value in row.items()} for row in OLD] if as_text else OLD
    (run,) = load(written(table)).runs
    assert run.outcomes.correct.tolist() == [[1, 0], [0, 1]]
    assert run.texts("1").predictions == ("6", "1 or 7")
    assert run.texts("1").prompt[0].text == "Q: 2 + 5?"
    assert run.columns["tokens_out"].tolist() == [[4, 4], [1, 6]]
    assert (run.model, run.dataset) == ("unknown model", "t")


def test_means_alone_are_refused_with_the_option_that_writes_answers():
    (path,) = (FOLDER / "results" / "alpha-7b-chat").iterdir()
    with pytest.raises(LoadError, match="--save-details"):
        load(path)


@pytest.mark.parametrize("cut", [20_000, -10])
def test_a_cut_file_is_one_sentence(cut, tmp_path):
    path = tmp_path / PATHS[0].name
    shutil.copyfile(PATHS[0], path)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(LoadError, match=r"Copy or download it again|cannot be read|does not read"):
        load(path)


def test_results_name_the_model_by_their_date():
    (run, _) = loaded(FOLDER).runs
    (path,) = (FOLDER / "results" / run.model).iterdir()
    stated = json.loads(path.read_text())["results"]["local_gsm|0"]
    assert {name: stated[name] for name in run.reported} == run.reported
