"""Every sample of a run is in one state, by what the files say, and its verdict stays as it is."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics import Outcomes
from reports import Report, Run, combine, load, tables
from reports.run.finish_reasons import (
    CLOSED,
    OPEN,
    OPENED_BEFORE,
    PLAIN,
    STATES,
    ends_cut,
    thoughts,
)
from reports.run.labels import Labels
from reports.tables import folding
from tests.reports.harnesses.truths import DATA

STOP, LENGTH, NONE = "stop", "length", None


def run(correct, **fields) -> Run:
    return Run("7B", "aime", Outcomes(correct), **fields)


def ended(*rows) -> dict[str, Labels]:
    """Return the reasons of samples as labels."""
    values = sorted({word for row in rows for word in row if word is not None})
    codes = [[-1 if word is None else values.index(word) for word in row] for row in rows]
    return {"finish_reason": Labels(np.array(codes), values)}


def states(of: Run) -> list[list[str]]:
    assert of.states is not None
    return of.states.words().tolist()


def test_each_sample_is_in_one_state() -> None:
    found = run(
        [[1, 0, 0, 1], [0, -1, -1, -2]],
        labels=ended((STOP, STOP, STOP, LENGTH), (LENGTH, LENGTH, NONE, NONE)),
        answers=np.array([[0, 1, -1, 0], [1, -1, -1, -1]]),
        answer_labels=["7", "8"],
    )
    assert states(found) == [
        ["right", "wrong", "no answer", "cut"],
        ["cut", "cut", "failed", ""],
    ]
    assert found.outcomes.correct.tolist() == [[1, 0, 0, 1], [0, -1, -1, -2]]
    assert found.states.counts == dict(zip(STATES, (1, 1, 1, 3, 1), strict=True))
    assert sum(found.states.counts.values()) == found.outcomes.n_samples()
    assert found.states.cut_right() == 1
    assert found.states.cut_right(np.array([1])) == 0
    assert found.states.counts_of(np.array([1]))["cut"] == 2
    assert found.states.told == {"no answer": 5, "cut": 6}
    assert found.states.signs == {"reason": 3}
    assert found.to_frame()["state"].tolist() == [each for row in states(found) for each in row]


def test_what_nothing_tells_is_not_known() -> None:
    found = run([[1, 0], [-1, 0]])
    assert states(found) == [["right", "wrong"], ["failed", "wrong"]]
    assert found.states.told == {"no answer": 0, "cut": 0}
    assert not found.states.is_told
    assert Run("7B", "aime", None).states is None
    assert run([[2, 0]]).states is None


@pytest.mark.parametrize(
    ("reason", "is_cut"),
    [
        *(dict.fromkeys(("length", "max_tokens", "MAX_TOKENS", "model_length"), True).items()),
        *(dict.fromkeys(("FinishReason.MAX_TOKENS", "max-steps", " token "), True).items()),
        *(dict.fromkeys(("stop", "end_turn", "tool_calls", "content_filter"), False).items()),
        *(dict.fromkeys(("", "unknown", "None"), None).items()),
    ],
)
def test_a_reason_says_whether_a_sample_was_cut(reason: str, is_cut: bool | None) -> None:
    assert ends_cut(reason) is is_cut


def test_any_of_several_reasons_cuts_and_a_reason_outweighs_other_signs() -> None:
    limit = {"limit": Labels(np.array([[0, -1, -1]]), ("token",))}
    text = {"text": Labels(np.array([[0, 0, 0]]), ("unclosed <think>",))}
    found = run([[0, 0, 0]], labels=ended((STOP, STOP, NONE)) | limit | text)
    assert states(found) == [["cut", "wrong", "cut"]]
    assert found.states.signs == {"reason": 1, "unclosed": 1}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("<think>6 x 7 is", OPEN),
        ("<think>a</think>b<think>c", OPEN),
        ("a</think>b<think>c", OPEN),
        ("<think>a</think>42", CLOSED),
        ("a</think>42", OPENED_BEFORE),
        ("a</think>b<think>c</think>", OPENED_BEFORE),
        ("42", PLAIN),
        ("", 0),
        (None, 0),
        (["<think>"], 0),
    ],
)
def test_how_thoughts_stand_in_a_text(said: object, expected: int) -> None:
    assert thoughts(said) == expected


@pytest.mark.parametrize(("closing", "cut"), [(3, 0), (4, 12)])
def test_thoughts_that_the_prompt_opens_are_to_be_closed(
    tmp_path: Path, closing: int, cut: int
) -> None:
    said = ["6 x 7</think>42"] * closing + ["6 x 7 is"] * (16 - closing)
    table = {"question_id": [*range(16)], "correct": [1] * 16, "prediction": said}
    found = load(write(tmp_path / "t.jsonl", table)).runs[0]
    assert found.states.counts["cut"] == found.states.cut_right() == cut


def test_tokens_at_the_stated_limit_are_cut_unless_some_have_more() -> None:
    tokens = {"tokens_out": np.array([[512.0, 80.0], [np.nan, 512.0]])}
    at = run([[0, 1], [0, 1]], columns=tokens, settings={"max_tokens": 512})
    assert states(at) == [["cut", "right"], ["wrong", "cut"]]
    assert (at.states.told["cut"], at.states.signs) == (3, {"stated limit": 2})
    beyond = replace(at, columns={"tokens_out": np.array([[512.0, 80.0], [600.0, 512.0]])})
    assert beyond.states.told["cut"] == 0


def test_many_at_one_length_are_cut() -> None:
    lengths = np.array([[1024, 310], [1024, 1024], [87, 1024], [560, 702.0]])
    found = run(np.zeros((4, 2), int), columns={"tokens_out": lengths})
    assert found.states.signs == {"one length": 4}
    assert found.states.told["cut"] == 8


def test_a_missing_answer_tells_nothing_where_a_right_sample_lacks_one() -> None:
    answers = np.array([[0, -1, 1, 2]])
    found = run([[1, 0, 0, 0]], answers=answers, answer_labels=["7", " ", "[invalid]"])
    assert states(found) == [["right", "no answer", "no answer", "no answer"]]
    lacking = run([[1, 0, 1, 0]], answers=answers, answer_labels=["7", "8", "9"])
    assert states(lacking) == [["right", "no answer", "right", "wrong"]]
    none = run([[1, 1, 0, 0]], answers=answers, answer_labels=["7", "8", "9"])
    assert states(none) == [["right", "right", "wrong", "wrong"]]
    assert none.states.told["no answer"] == 0


LONG = {
    "question_id": ["a", "a", "b", "b"],
    "sample": [0, 1, 0, 1],
    "correct": [True, False, False, True],
    "finish_reason": ["stop", "length", None, "max_tokens"],
}
WIDE = {
    "question_id": ["a", "b"],
    "correct_1": [True, False],
    "correct_2": [False, True],
    "stop_reason_1": ["stop", None],
    "stop_reason_2": ["length", "max_tokens"],
}
LISTS = {
    "question_id": ["a", "b"],
    "correct": [[True, False], [False, True]],
    "finish_reasons": [["stop", "length"], [None, "max_tokens"]],
}


@pytest.mark.parametrize(
    ("table", "suffix"),
    [
        *((table, suffix) for table in (LONG, WIDE) for suffix in ("parquet", "csv", "jsonl")),
        *((LISTS, suffix) for suffix in ("parquet", "jsonl")),
    ],
)
def test_reasons_of_tables_are_labels(tmp_path: Path, table: dict, suffix: str) -> None:
    found = load(write(tmp_path / f"t.{suffix}", table)).runs[0]
    assert states(found) == [["right", "cut"], ["wrong", "cut"]]
    assert found.states.told["cut"] == 3
    assert found.states.cut_right() == 1
    assert not found.columns


def write(path: Path, table: dict) -> Path:
    data = pa.table(table)
    match path.suffix:
        case ".parquet":
            pq.write_table(data, path)
        case ".jsonl":
            path.write_text("".join(f"{json.dumps(row)}\n" for row in data.to_pylist()))
        case _:
            data.to_pandas().to_csv(path, index=False)
    return path


def test_texts_of_tables_are_looked_through(tmp_path: Path) -> None:
    said = {"prediction": ["<think>7</think>7", "<think>7 or", "8", "<think>9</think>9"]}
    table = {name: LONG[name] for name in ("question_id", "sample", "correct")} | said
    found = load(write(tmp_path / "t.jsonl", table)).runs[0]
    assert states(found) == [["right", "cut"], ["wrong", "right"]]
    assert (found.states.told["cut"], found.states.signs) == (1, {"unclosed": 1})


@pytest.mark.parametrize("reasons", [["stop", "length", "max_tokens"], ["stop", None, "length"]])
def test_a_folded_table_has_the_states_of_an_ordinary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reasons: list
) -> None:
    rng = np.random.default_rng(3)
    cells = [(m, q, s) for m in "xy" for q in range(20) for s in range(5) if rng.random() < 0.8]
    model, question, sample = map(list, zip(*cells, strict=True))
    table = {"model": model, "question_id": question, "sample": sample}
    table["correct"] = rng.integers(0, 2, len(cells)).astype(bool)
    table["finish_reason"] = [reasons[code] for code in rng.integers(0, 3, len(cells))]
    path = write(tmp_path / "t.parquet", table)
    ordinary = load(path)
    monkeypatch.setattr(folding, "ROWS", 1)
    monkeypatch.setattr(
        "reports.tables.formats.parquet.gather",
        lambda *_: pytest.fail("the table was not folded"),
    )
    for plain, folded in zip(ordinary.runs, load(path).runs, strict=True):
        order = folded.outcomes.questions.places(plain.outcomes.questions)
        assert np.array_equal(folded.states.codes[order], plain.states.codes)
        assert folded.states.counts["cut"] > 0
        assert folded.states.signs == plain.states.signs
        if None not in reasons:
            assert folded.states.told == plain.states.told


@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl"])
def test_a_written_table_has_states_and_is_read_back_the_same(tmp_path: Path, suffix: str) -> None:
    lengths = np.array([[1024, 310], [1024, 1024], [87, 1024], [560, 702.0]])
    runs = [
        run([[1, 0, 1, -1]], labels=ended((STOP, LENGTH, LENGTH, NONE))),
        run([[1, 0, 0, 0]], answers=np.array([[0, 1, -1, 1]]), answer_labels=["7", "NULL"]),
        run(np.eye(4, 2, dtype=int), columns={"tokens_out": lengths}),
        run([[0, 1]], labels={"text": Labels(np.array([[0, -1]]), ("unclosed <think>",))}),
        run([[0, 1]], columns={"state": np.array([[1.0, 2.0]])}),
    ]
    path = tmp_path / f"t.{suffix}"
    tables.write(runs, path)
    for before, after in zip(runs, load(path).runs, strict=True):
        assert np.array_equal(after.outcomes.correct, before.outcomes.correct)
        assert states(after) == states(before)
        assert after.columns.keys() == before.columns.keys()
    if suffix == "jsonl":
        written = [json.loads(line).get("state") for line in path.read_text().splitlines()[:4]]
        assert written == ["right", "cut", "cut", "failed"]


def test_a_table_of_which_no_more_is_known_has_no_column_of_states(tmp_path: Path) -> None:
    tables.write([run([[1, 0]])], tmp_path / "t.csv")
    assert "state" not in (tmp_path / "t.csv").read_text().splitlines()[0]


def test_joined_runs_keep_what_one_of_them_says() -> None:
    runs = [
        run([[1], [0]], labels=ended((STOP,), (LENGTH,)), settings={"seed": 1}),
        run([[0], [0]], settings={"seed": 2}),
    ]
    joined = combine(runs)
    assert states(joined) == [["right", "wrong"], ["cut", "wrong"]]
    assert joined.states.told["cut"] == 2


def predictions(folder: Path, said: list[list[str]], lost: int = 0) -> Report:
    """Load a report of AISBench with predictions, the first ones lost, details by replica."""
    results = folder / "20261120_100000"
    for part in ("results/7B", "predictions/7B"):
        (results / part).mkdir(parents=True)
    lines = [
        json.dumps({"id": i, "uuid": f"{i}-{j}", "prediction": text, "gold": "7", "success": True})
        for i, row in enumerate(said)
        for j, text in enumerate(row)
    ]
    (results / "predictions/7B/gsm8k.jsonl").write_text("\n".join(lines[lost:]))
    n = len(said[0])
    by_replica = np.array(said).T.reshape(-1, n).tolist()
    right = [[text.endswith("7") for text in row] for row in by_replica]
    accuracy = 100 * float(np.mean(right))
    detail = [
        {"pred": [t[-1:] for t in row], "answer": ["7"] * n, "correct": ok}
        for row, ok in zip(by_replica, right, strict=True)
    ]
    stated = {f"accuracy ({n} runs average)": accuracy, "details": detail}
    (results / "results/7B/gsm8k.json").write_text(json.dumps(stated))
    return load(folder)


def test_predictions_of_a_report_are_looked_through(tmp_path: Path) -> None:
    said = [["<think>a</think>7", "<think>so 7"], ["<think>no", "it is 8"]]
    (found,) = predictions(tmp_path, said).runs
    assert states(found) == [["right", "cut"], ["cut", "wrong"]]
    assert found.states.cut_right() == 1
    assert found.outcomes.correct.tolist() == [[1, 1], [0, 0]]


def test_where_predictions_are_lost_none_is_said_to_be_of_a_sample(tmp_path: Path) -> None:
    said = [["it is 8", "<think>so 7"], ["<think>no", "it is 8"]]
    (found,) = predictions(tmp_path, said, lost=1).runs
    assert states(found) == [["wrong", "right"], ["cut", "wrong"]]


def test_states_of_real_files_are_what_a_plain_count_finds() -> None:
    (limited,) = load(DATA / "tau2/alpha_maxsteps").runs
    conversations = json.loads((DATA / "tau2/alpha_maxsteps/results.json").read_text())
    ends = [each["termination_reason"] for each in conversations["simulations"]]
    assert limited.states.counts["cut"] == ends.count("max_steps") == len(ends)
    assert limited.states.signs == {"reason": len(ends)}
    (coded,) = load(DATA / "livecodebench").runs
    (evaluated,) = (DATA / "livecodebench").rglob("*_eval_all.json")
    problems = json.loads(evaluated.read_text())
    empty = sum(not code.strip() for each in problems for code in each["code_list"])
    assert coded.states.counts["no answer"] == empty > 0
    (stopped, *_) = load(DATA / "evalscope/outputs/20261120_083242").runs
    assert stopped.states.told["cut"] == stopped.outcomes.n_samples()
    assert stopped.states.counts["cut"] == 0
