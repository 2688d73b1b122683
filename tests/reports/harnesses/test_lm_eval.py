"""Samples of lm-evaluation-harness: filters are chosen, repeats judged, seeds joined."""

import json
import re
import shutil
from functools import cache

import pytest

from reports import LoadError, combine, load, reconcile
from reports.files.errors import ColumnChoice
from reports.run.reasons import CUT_SHORT
from tests.reports.harnesses.truths import DATA, assert_true, truth_of

FOLDER = DATA / "lm_eval"
TRUTH = truth_of("lm_eval")
REPEATED = [key for key in TRUTH if key.startswith("rep/")]
JOINED = next(key for key in TRUTH if "+" in key)
CHOSEN = {"filter": "strict-match"}


@cache
def read(place, **told):
    """Read files once for all tests, which leave what they hold as it is."""
    return load(FOLDER / place, columns=told)


def run_of(key):
    """Return the run of a file of repeats, read with the results beside it."""
    model = key.partition("::")[2]
    (task,) = TRUTH[key]
    report = read("rep", filter="score-first")
    return next(run for run in report.runs if (run.model, run.dataset) == (model, task))


@pytest.mark.parametrize("key", REPEATED)
def test_every_repeat_is_right_or_wrong_as_the_truth_says(key):
    ((_, truth),) = TRUTH[key].items()
    run = run_of(key)
    assert_true(run, truth)
    assert run.verified
    assert run.rule is not None


def test_runs_with_other_seeds_are_samples_of_one():
    (run,) = read("seeds", **CHOSEN).runs
    assert_true(run, TRUTH[JOINED]["local_mcq"])
    assert run.verified
    assert "seed" not in run.settings
    agreed = {line.metric for line in reconcile(run) if line.agrees}
    assert agreed == {f"exact_match,strict-match (seed {seed})" for seed in (1, 2, 3)}
    assert all("another filter" in str(line.reason) for line in reconcile(run) if not line.agrees)
    assert run.settings["n"] == 3


@pytest.mark.parametrize(
    "key", [key for key in TRUTH if key.startswith("seeds") and "+" not in key]
)
def test_a_file_alone_is_one_sample(key):
    (run,) = read(key.partition("::")[0], **CHOSEN).runs
    assert_true(run, TRUTH[key]["local_mcq"])


def test_every_text_is_that_of_its_sample():
    said = {}
    for path in sorted((FOLDER / "seeds").rglob("samples_*.jsonl")):
        for line in map(json.loads, path.read_text().splitlines()):
            if line["filter"] == "strict-match":
                said.setdefault(str(line["doc_id"]), []).append(line)
    (run,) = read("seeds", **CHOSEN).runs
    for question, lines in said.items():
        texts = run.texts(question)
        assert list(texts.predictions) == [line["resps"][0][0] for line in lines]
        assert list(texts.answers) == [line["filtered_resps"][0] for line in lines]
        assert texts.reference == lines[0]["target"]
        assert (
            texts.prompt[0].text
            == json.loads(lines[0]["arguments"]["gen_args_0"]["arg_0"][0])[0]["content"]
        )
    assert sorted(set(run.outcomes.segments["region"])) == ["north", "south", "west"]


def test_repeats_have_each_their_own_text_and_answer():
    run = run_of(REPEATED[1])
    path = FOLDER / REPEATED[1].partition("::")[0]
    first = json.loads(path.read_text().splitlines()[1])
    texts = run.texts("1")
    assert list(texts.predictions) == first["resps"][0]
    assert list(texts.answers) == [text.rpartition(" ")[2] for text in first["resps"][0]]


def test_the_filter_is_asked_for():
    with pytest.raises(ColumnChoice) as asked:
        read("seeds")
    assert asked.value.role == "filter"
    assert asked.value.options == ("strict-match", "flexible-extract")
    told = asked.value.answered({}, "flexible-extract")
    (run,) = load(FOLDER / "seeds", columns=told).runs
    assert run.settings["postprocessor"] == "flexible-extract"


def test_a_vote_is_one_sample_and_said_to_be():
    key = REPEATED[1]
    runs = read("rep", filter="maj@4").runs
    run = next(run for run in runs if run.dataset == "local_gsm_rep")
    stored = TRUTH[key]["local_gsm_rep"]["per_filter"]["maj@4"]["exact_match"]
    assert run.outcomes.correct[:, 0].tolist() == stored
    assert any("takes a vote among 4 answers" in str(note.what) for note in run.notes)


@pytest.mark.wide
def test_stated_means_are_verified_each_for_what_it_is():
    lines = {line.metric: line for line in reconcile(run_of(REPEATED[1]))}
    assert lines["exact_match,score-first"].agrees
    assert lines["exact_match,maj@4"].agrees
    assert lines["exact_match,maj@2"].agrees
    assert all(line.agrees for line in reconcile(run_of(REPEATED[0])))


def test_settings_are_those_of_the_run():
    run = run_of(REPEATED[0])
    known = {"temperature": 0.7, "max_tokens": 128, "seed": 1, "shots": 0, "tool_version": "0.4.13"}
    assert known.items() <= run.settings.items()
    assert run.time.isoformat() == "2026-11-20T08:32:10"


def test_means_alone_are_refused_with_the_option_that_writes_samples():
    (path,) = (FOLDER / "rep" / "alpha-7b-chat").glob("results_*.json")
    with pytest.raises(LoadError, match="--log_samples"):
        load(path)


def test_repeats_without_their_results_are_refused():
    (path,) = (FOLDER / "rep" / "alpha-7b-chat").glob("samples_local_gsm_rep_*")
    with pytest.raises(LoadError, match=r"Load the whole folder, with results_\*\.json"):
        load(path, columns={"filter": "score-first"})


def changed(tmp_path, change):
    """Return a copy of the runs with other seeds, of which the second file's lines are changed."""
    folder = tmp_path / "seeds"
    shutil.copytree(FOLDER / "seeds", folder)
    second = sorted(folder.rglob("samples_*.jsonl"))[1]
    second.write_text("\n".join(map(change, second.read_text().splitlines())))
    return load(folder, columns=CHOSEN)


def test_runs_with_other_prompts_are_kept_apart(tmp_path):
    begins = r"\"content\": \""
    report = changed(tmp_path, lambda line: line.replace(begins, f"{begins}Please. "))
    assert [run.outcomes.shape for run in report.runs] == [(24, 1)] * 3
    assert "24 questions were asked with a different prompt" in str(report.runs[0].notes[0].what)


def test_runs_with_the_same_seeds_are_not_joined_unasked(tmp_path):
    folder = tmp_path / "seeds"
    shutil.copytree(FOLDER / "seeds", folder)
    for path in folder.rglob("results_*.json"):
        path.write_text(re.sub(r'_seed": \d', '_seed": 1', path.read_text()))
    report = load(folder, columns=CHOSEN)
    assert "do not differ by their seeds" in str(report.runs[0].notes[0].what)
    assert combine(report.runs).outcomes.shape == (24, 3)


def test_a_file_that_is_cut_at_the_end_of_a_line_says_so(tmp_path):
    folder = tmp_path / "seeds"
    shutil.copytree(FOLDER / "seeds", folder)
    for path in folder.rglob("samples_*.jsonl"):
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:-5]))
    (run,) = load(folder, columns={"filter": "flexible-extract"}).runs
    notes = [str(note.what) for note in run.notes]
    assert sum(note.startswith("19 of 24 questions that the tool counted") for note in notes) == 3
    reasons = {line.reason for line in reconcile(run) if "flexible" in line.metric}
    assert reasons <= {CUT_SHORT, None}


def test_copies_are_kept_apart(tmp_path):
    folder = tmp_path / "seeds"
    shutil.copytree(FOLDER / "seeds", folder)
    first, second, _ = sorted(folder.rglob("samples_*.jsonl"))
    second.write_bytes(first.read_bytes())
    report = load(folder, columns=CHOSEN)
    assert len(report.runs) == 3
    assert "identical samples" in str(report.runs[0].notes[0].what)


def test_repeats_that_the_filter_does_not_explain_are_not_judged(tmp_path):
    folder = tmp_path / "rep"
    shutil.copytree(FOLDER / "rep" / "alpha-7b-chat", folder)
    (path,) = folder.glob("results_*.json")
    path.write_text(path.read_text().replace("The answer is (", "The result is ("))
    runs = load(folder, columns={"filter": "score-first"}).runs
    run = next(run for run in runs if run.dataset == "local_gsm_rep")
    assert run.outcomes.shape == (26, 1)
    assert any("could not judge the others" in str(note.what) for note in run.notes)


def test_a_pattern_that_takes_forever_elsewhere_takes_none(tmp_path):
    folder = tmp_path / "rep"
    shutil.copytree(FOLDER / "rep" / "alpha-7b-chat", folder)
    (path,) = folder.glob("results_*.json")
    path.write_text(path.read_text().replace("The answer is (", "(?:(?:[a-z .]+)+)+#("))
    assert load(folder, columns={"filter": "score-first"}).runs


# Written after EleutherAI/lm-evaluation-harness, lm_eval/evaluator.py, the example of evaluate:
# release 0.4.0, lines 378 to 387, as in commit 00859825db00aee796be74292ea869978225f1e9, writes no
# hashes; release 0.4.4, lines 515 to 536, has them, and release 0.4.9, lines 621 to 644, names
# "filter" and "metrics" too. Options that were weighed are pairs of a number and a boolean.
def line(doc, **more):
    return {
        "doc_id": doc,
        "doc": {"q": f"{doc} + 1?"},
        "target": str(doc + 1),
        "arguments": [[f"Q: {doc} + 1?", {"until": ["\n"], "temperature": 0.5}]],
        "resps": [[f"{doc + 1}"]],
        "filtered_resps": [f"{doc + 1}"],
        "doc_hash": f"hash {doc}",
    } | more


def lines(*each):
    return "samples_t.jsonl", "\n".join(map(json.dumps, each)).encode()


def test_lines_of_older_versions():
    (run,) = load(lines(line(0, exact_match=1.0), line(1, exact_match=0.0))).runs
    assert run.outcomes.correct.tolist() == [[1], [0]]
    assert run.texts("1").prompt[0].text == "Q: 1 + 1?"
    assert run.texts("1").predictions == ("2",)
    assert run.settings["temperature"] == 0.5


def test_filters_that_older_versions_do_not_name_are_told_by_their_order(tmp_path):
    """Release 0.4.4, lm_eval/evaluator.py: a loop over filters, in it one over questions."""
    folder = tmp_path / "seeds"
    shutil.copytree(FOLDER / "seeds", folder)
    wanted = {
        name: read("seeds", filter=name).runs[0].outcomes.correct
        for name in ("strict-match", "flexible-extract")
    }
    for path in folder.rglob("samples_*.jsonl"):
        lines = list(map(json.loads, path.read_text().splitlines()))
        for each in lines:
            del each["filter"], each["metrics"]
        path.write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(ColumnChoice) as asked:
        load(folder)
    assert asked.value.options == ("strict-match", "flexible-extract")
    for name, correct in wanted.items():
        (run,) = load(folder, columns={"filter": name}).runs
        assert run.verified
        assert run.outcomes.correct.tolist() == correct.tolist()
    with pytest.raises(LoadError, match=r"results_\*\.json names the filters"):
        load(path)


def test_options_that_were_weighed_and_metrics_that_disagree():
    weighed = {"resps": [[[-1.5, False]], [[-0.5, True]]], "filtered_resps": [[-1.5, False]]}
    both = lines(
        line(0, acc=1.0, acc_norm=0.0, **weighed), line(1, acc=0.0, acc_norm=0.0, **weighed)
    )
    with pytest.raises(ColumnChoice, match="several metrics") as asked:
        load(both)
    (run,) = load(both, columns=asked.value.answered({}, "acc")).runs
    assert run.outcomes.correct.tolist() == [[1], [0]]


def test_programs_that_pass_are_counted():
    drawn = {"resps": [["a", "b", "c", "d"]], "filtered_resps": [["a", "b", "c", "d"]]}
    new = {"filter": "create_test", "metrics": ["pass@1", "pass@2"]}
    (run,) = load(
        lines(
            line(0, **drawn, **new, **{"pass@1": 0.5, "pass@2": 5 / 6}),
            line(1, **drawn, **new, **{"pass@1": 0.0, "pass@2": 0.0}),
        )
    ).runs
    assert run.outcomes.correct.tolist() == [[1, 1, 0, 0], [0, 0, 0, 0]]
    assert run.texts("0").predictions == (None,) * 4
    assert "how many of 4 answers" in str(run.notes[0].what)


def test_what_is_cut_or_broken_is_one_sentence():
    name, data = lines(line(0, exact_match=1.0), line(1, exact_match=0.0))
    with pytest.raises(LoadError, match="line 2"):
        load((name, data[:-20] + b"\n"))
    (run,) = load((name, data[:-20])).runs
    assert (run.outcomes.shape, run.unfinished is None) == ((1, 1), False)
    with pytest.raises(LoadError, match="second line for question 0"):
        load(lines(line(0, exact_match=1.0), line(0, exact_match=0.0)))
    with pytest.raises(LoadError, match="no metric"):
        load(lines(line(0, bleu=40.0)))


def test_a_name_by_chance_gives_way_to_the_arguments_and_two_revisions_stay_apart(tmp_path):
    """The tool draws a name of four letters and four figures where no argument tells it one."""
    for number, results in enumerate(sorted((DATA / "lm_eval/seeds/alpha-7b-chat").glob("res*"))):
        stated = json.loads(results.read_text()) | {"model_name": "wxrd1574"}
        revision = "v1" if number else "v2"
        stated["config"]["model_args"] = f"checkpoint=org/alpha,revision={revision}"
        (tmp_path / results.name).write_text(json.dumps(stated))
    for samples in (DATA / "lm_eval/seeds/alpha-7b-chat").glob("samples*"):
        shutil.copy(samples, tmp_path)
    runs = load(tmp_path, columns={"filter": "strict-match"}).runs
    assert {run.model for run in runs} == {"org/alpha"}
    assert [run.settings["revision"] for run in runs] == ["v2", "v1", "v1"]
    assert "They differ in revision (v2 / v1)" in str(runs[0].notes[0].what)
