"""Details read in blocks are those read whole, whatever their shape."""

import json

import numpy as np
import pytest

from reports import load
from reports.evaluations.details import DetailTable, read_details
from reports.evaluations.verdicts.results import read_results
from reports.files.archive import open_tree
from reports.files.errors import LoadError

LONG = "because " * 60
BY_QUESTION = [
    {
        "example_abbr": f"quiz_test_{i}",
        "pred": [str(i), None, f"{LONG}{i}"],
        "answer": [str(i % 3)] * 3,
        "correct": [i % 3 == 0, False, True],
    }
    for i in range(40)
]
BY_SAMPLE = {
    str(i): {"prompt": [{"role": "HUMAN", "prompt": LONG}], "predictions": "A", "references": "B"}
    for i in range(40)
}
ANNOTATED = [
    {
        "pred": [LONG, "exit"],
        "answer": [[{"answer": "exit", "answer_id": j} for j in range(3)]] * 2,
        "correct": [0, 1],
    }
    for _ in range(40)
]
SCORED = [{"pred": ["x"], "score": [i / 40]} for i in range(40)]
JUDGED = {str(i): {"origin_prompt": "?", "prediction": LONG + "AB"[i % 2]} for i in range(40)}
JUDGED_TWICE = [entry | {"pred": "B"} for entry in JUDGED.values()]
SHAPES = [JUDGED_TWICE, JUDGED, BY_QUESTION, BY_SAMPLE, ANNOTATED, SCORED]


def details(content, indent):
    data = json.dumps(content, indent=indent, ensure_ascii=False).encode()
    found = read_results(open_tree(("quiz.json", data)), "quiz.json")
    assert isinstance(found["details"], DetailTable)
    rest = {key: value for key, value in found.items() if key != "details"}
    return rest, read_details(found["details"], "quiz.json", "details")


def details_of(data):
    found = read_results(open_tree(("quiz.json", data)), "quiz.json")
    return read_details(found["details"], "quiz.json", "quiz.json, details")


@pytest.mark.wide
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("indent", [4, 2, None])
@pytest.mark.parametrize("size", [100, 1000, 1 << 20])
def test_blocks_of_any_size_give_the_same_details(monkeypatch, shape, indent, size):
    monkeypatch.setattr("reports.json_files.entries.BLOCK", size)
    whole = read_details(shape, "quiz.json", "details")
    if isinstance(shape, dict):
        shape = shape | {"type": "GEN"}
    content = {"accuracy": 50.0, "details": shape, "type": "GEN"}
    rest, streamed = details(content, indent)
    assert rest == {"accuracy": 50.0, "type": "GEN"}
    assert (streamed.size, streamed.n) == (whole.size, whole.n)
    for name in ("answers", "references"):
        ours, theirs = getattr(streamed, name), getattr(whole, name)
        assert (ours is None) == (theirs is None)
        if theirs is not None:
            assert ours.codes.tolist() == theirs.codes.tolist()
    for ours, theirs in ((streamed.verdicts, whole.verdicts), (streamed.scores, whole.scores)):
        assert np.array_equal(getattr(ours, "values", ours), getattr(theirs, "values", theirs))
    if streamed.prompts and whole.prompts:
        prompts = streamed.prompts(), whole.prompts()
        assert prompts == (None, None) or np.array_equal(*(found.codes for found in prompts))


def test_texts_that_are_to_be_compared_are_kept_and_others_reduced():
    _, annotated = details({"accuracy": 50.0, "details": ANNOTATED}, 4)
    assert annotated.answers[0] == LONG
    _, plain = details({"accuracy": 50.0, "details": BY_QUESTION}, 4)
    assert len(plain.answers[2]) < len(LONG)


@pytest.mark.parametrize("indent", [4, None])
def test_long_texts_are_no_answers_where_verdicts_do_without(indent):
    rows = [{"pred": [LONG, LONG], "correct": [True, False]} for _ in range(3)]
    assert details({"accuracy": 50.0, "details": rows}, indent)[1].answers is None
    rows = [{"pred": [LONG, LONG], "answer": [LONG, "x"]} for _ in range(3)]
    assert details({"accuracy": 50.0, "details": rows}, indent)[1].answers.codes[0] == 0


def wrong(total, **odd):
    """Write the wrong samples of questions as BFCL's evaluator does: of two kinds."""
    rows = [{"example_abbr": f"bfcl_test_{i}", "id": [f"simple_{i}"]} for i in range(1, 40)]
    for i, row in enumerate(rows):
        said = {"prompt": [[{"role": "user", "content": LONG}]], "correct": [False]}
        row.update({"error": [[LONG]], **said} if i % 3 else {**said, "predictions": [[{"f": {}}]]})
    rows[7].update(odd)
    return {"accuracy": 0.5, "correct_count": total - 39, "total_count": total, "details": rows}


@pytest.mark.parametrize("indent", [4, None])
@pytest.mark.parametrize("size", [1000, 1 << 20])
def test_of_wrong_samples_no_more_than_which_they_are_is_kept(monkeypatch, indent, size):
    monkeypatch.setattr("reports.json_files.entries.BLOCK", size)
    content = wrong(100)
    source = "bfcl.json", json.dumps(content, indent=indent).encode()
    kept = [{"id": row["id"], "correct": row["correct"]} for row in content["details"]]
    assert read_results(open_tree(source), "bfcl.json") == content | {"details": kept}
    (run,) = load(source).runs
    assert run.outcomes.correct.ravel().tolist() == [1] + 39 * [0] + 60 * [1]
    monkeypatch.setattr("reports.evaluations.verdicts.results._by_blocks", lambda *_: None)
    (whole,) = load(source).runs
    assert (run.outcomes.digest, run.notes) == (whole.outcomes.digest, whole.notes)


@pytest.mark.parametrize(
    "content",
    [
        {"accuracy": 50.0, "total_count": 40, "details": BY_QUESTION},
        {"accuracy": 50.0, "details": BY_QUESTION, "total_count": 400},
        {"accuracy": 50.0, "total_count": 400, "details": BY_SAMPLE},
        {"accuracy": 50.0, "total_count": 400, "details": [*SCORED, 3, *SCORED]},
        wrong(39),
    ],
)
@pytest.mark.parametrize("indent", [4, None])
def test_other_details_that_count_their_samples_are_read_whole(content, indent):
    data = json.dumps(content, indent=indent).encode()
    assert read_results(open_tree(("quiz.json", data)), "quiz.json") == content


@pytest.mark.parametrize("odd", [{"pred": ["1", "2"]}, {"correct": 3}, {"answer": None}])
def test_entries_unlike_the_first_are_refused_as_if_read_whole(odd):
    content = {"accuracy": 50.0, "details": [*BY_QUESTION, BY_QUESTION[0] | odd]}
    messages = []
    for read in (
        lambda: details_of(json.dumps(content, indent=4).encode()),
        lambda: details_of(json.dumps(content).encode()),
        lambda: read_details(content["details"], "quiz.json", "quiz.json, details"),
    ):
        with pytest.raises(LoadError) as caught:
            read()
        messages.append(str(caught.value))
    assert len(set(messages)) == 1


def test_prompts_that_some_entries_lack_tell_nothing():
    odd = {key: value for key, value in BY_SAMPLE["39"].items() if key != "prompt"}
    _, streamed = details({"accuracy": 50.0, "details": BY_SAMPLE | {"39": odd}}, 4)
    with pytest.raises(LoadError, match="prompt does not have the same form in all entries"):
        streamed.prompts()


def test_a_verdict_that_is_none_is_named_by_its_place():
    odd = BY_QUESTION[0] | {"example_abbr": "quiz_test_40", "correct": [True, "no", False]}
    with pytest.raises(LoadError, match=r'details\[40\]\.correct: found "no" where true or false'):
        details({"accuracy": 50.0, "details": [*BY_QUESTION, odd]}, 4)
