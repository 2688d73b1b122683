"""Texts of questions whatever they are, however they are packed, and where some are missing."""

import gc
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reports import LoadError, load
from reports.files import upload_store
from reports.run.texts import Turn
from tests.reports.evaluations.quizzes import laid_out, only, packed, quiz

pytestmark = pytest.mark.usefixtures("own_garbage")

ODD = [
    "x" * 300_000,
    "<script>alert(1)</script><b>",
    "\u202eright to left\u202c \u2066isolated\u2069",
    "\x1b[31mred\x1b[0m \x07 \x00 null",
    "line\u2028separator\r\nand\rmore\n",
    'quotes " and \\ \\" }], {"prediction": "no"',
    "\ud800 half a pair",
    "",
    "😀 $x^2$ `code`",
]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


@pytest.mark.parametrize("predictions", [True, False])
@pytest.mark.parametrize("indent", [4, None])
def test_odd_texts_are_texts(predictions, indent):
    run = only(("r.zip", packed(quiz(ODD, indent=indent, predictions=predictions))))
    for q, text in enumerate(ODD):
        texts = run.texts(str(q))
        assert texts.predictions == (f"{text}0", f"{text}1")
        if predictions:
            assert texts.prompt == (Turn("", f"{q}? {text}"),)
        else:
            assert texts.reference == f"gold {q}"
    for needle in ("SCRIPT>", "Right To", "[31MRED", "and\rmore", "😀", "x" * 5000):
        expected = [needle.casefold() in text.casefold() for text in ODD]
        assert run.search(needle).tolist() == expected
    assert run.search("").all()


short = st.text(st.characters(codec="utf-8"), max_size=8)


@pytest.mark.wide
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(short, min_size=1, max_size=6), st.integers(1, 4), short, st.booleans())
def test_any_packing_and_any_block_give_the_same_texts(tmp_path, texts, n, needle, predictions):
    files = quiz(texts, n, predictions=predictions)
    with TemporaryDirectory(dir=tmp_path) as root:
        folder = laid_out(Path(root), files)
        runs = [only(source) for source in (folder, ("r.zip", packed(files)))]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("reports.json_files.entries.BLOCK", 50)
            runs.append(only(("again.zip", packed(files))))
            found = [[run.texts(q) for q in run.outcomes.questions] for run in runs]
        assert found[0] == found[1] == found[2]
        for q, text in enumerate(texts):
            assert found[0][q].predictions == tuple(f"{text}{r}" for r in range(n))
        searched = [run.search(needle).tolist() for run in runs]
        wanted = needle.casefold()
        assert searched[0] == searched[1] == searched[2]
        assert searched[0] == [
            any(
                wanted in said.casefold()
                for said in (
                    *(turn.text for turn in one.prompt),
                    one.reference or "",
                    *one.predictions,
                    *one.answers,
                )
            )
            for one in found[0]
        ]


@pytest.mark.parametrize("part", ["predictions", "results"])
def test_a_file_that_changed_or_vanished_is_not_read(tmp_path, part):
    files = quiz(["a", "b"], predictions=part == "predictions")
    (path,) = (tmp_path / "r" / name for name in files if f"/{part}/" in name)
    laid_out(tmp_path / "r", files)
    run, other = (only(tmp_path / "r") for _ in range(2))
    assert run.texts("1").predictions == ("b0", "b1")
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(LoadError, match=rf"{path.name}: was changed since it was loaded\. Load"):
        run.texts("1")
    path.unlink()
    for failing in (run, other):
        with pytest.raises(LoadError, match="can no longer be opened"):
            failing.texts("1")
        with pytest.raises(LoadError, match="can no longer be opened"):
            failing.search("a")


def test_an_unknown_question_is_said():
    with pytest.raises(LoadError, match="has no question 7"):
        only(("r.zip", packed(quiz(["a"])))).texts("7")


def test_a_folder_that_cannot_be_written_leaves_outcomes_and_a_note(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path / "file"))
    run = only(("r.zip", packed(quiz(["a", "b"]))))
    assert run.outcomes.correct.tolist() == [[1, 0], [1, 0]]
    assert not run.has_texts
    assert any("KOFN_CACHE" in str(note.what) for note in run.notes)


def test_a_file_by_itself_has_the_texts_that_it_holds():
    files = quiz(["7", "8"])
    results = ("quiz.json", files["run/results/alpha/quiz.json"].encode())
    assert only(results).texts("1").predictions == ("80", "81")
    lines = [
        {"data_abbr": "q", "id": i % 2, "origin_prompt": "?", "prediction": f"so {i}", "gold": "0"}
        for i in range(4)
    ]
    predictions = ("quiz.jsonl", b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    run = load(predictions).runs[0]
    if run.outcomes is not None:
        assert run.texts("1").predictions == ("so 1", "so 3")


def test_all_requests_of_a_question_may_have_failed():
    files = quiz(["a", "b", "c"])
    lines = files["run/predictions/alpha/quiz.jsonl"].splitlines(keepends=True)
    files["run/predictions/alpha/quiz.jsonl"] = b"".join(
        line for line in lines if json.loads(line)["id"] != 1
    )
    texts = only(("r.zip", packed(files))).texts("1")
    assert (texts.prompt, texts.reference, texts.predictions) == ((), None, (None, None))


def test_lines_beyond_those_asked_for_are_left_out():
    files = quiz(["a", "b", "c"])
    files["run/predictions/alpha/quiz.jsonl"] += b'{"id": 1, "prediction": "surplus"}\n'
    run = only(("r.zip", packed(files)))
    assert run.texts("1").predictions == ("b0", "b1")
    assert not run.search("surplus").any()


def test_verdicts_of_a_judge_stand_beside_what_was_judged():
    judged = [
        {"data_abbr": "quiz", "id": q, "uuid": f"u{q}{r}", "prediction": f"said {q}.{r}"}
        for r in range(2)
        for q in (1, 0)
    ]
    judge = [
        {"pred": "A" if one["uuid"] == "u10" else "B", "answer": one["uuid"]} for one in judged
    ]
    details = [
        {"pred": [one["pred"]], "answer": [one["answer"]], "correct": [one["pred"] == "A"]}
        for one in judge
    ]
    files = {
        "run/predictions/alpha/quiz.jsonl": "\n".join(map(json.dumps, judged)),
        "run/results/alpha/quiz-judge.json": {"accuracy": 25.0, "details": details},
    }
    run = only(("r.zip", packed(files)))
    assert run.outcomes.correct.tolist() == [[0, 0], [1, 0]]
    assert run.texts("1").predictions == ("said 1.0", "said 1.1")


def test_predictions_that_a_judge_lost_the_replies_to_are_noted_where_they_are():
    said = [{"id": q, "uuid": f"u{q}", "prediction": "so"} for q in (0, 2)]
    details = [{"pred": ["A"], "answer": [f"u{q}"], "correct": [True]} for q in (0, 2)]
    files = {
        "run/predictions/alpha/quiz.jsonl": "\n".join(map(json.dumps, said)) + '\n{"id": 2, "pre',
        "run/results/alpha/quiz-judge.json": {"accuracy": 100.0, "details": details},
    }
    run = only(("r.zip", packed(files)))
    notes = [
        note for note in run.notes if note.where.startswith("run/predictions/alpha/quiz.jsonl")
    ]
    assert any("The last line is incomplete" in str(note.what) for note in notes)
    assert run.outcomes.shape == (3, 1)


def test_questions_of_unknown_ids_have_no_predictions_of_others():
    """Failures of BFCL whose names hold no number stand first, whatever their ids are."""
    rows = [{"id": ["odd"], "correct": [False]}]
    lines = [{"id": q, "prediction": f"call {q}"} for q in range(3)]
    files = {
        "run/predictions/alpha/bfcl.jsonl": "\n".join(map(json.dumps, lines)),
        "run/results/alpha/bfcl.json": {"correct_count": 2, "total_count": 3, "details": rows},
    }
    assert not only(("r.zip", packed(files))).has_texts
    rows[0]["id"] = ["simple_2"]
    assert only(("r.zip", packed(files))).texts("2").predictions == ("call 2",)


def test_questions_repeated_under_ids_of_their_own_come_together():
    """A dataset's n of 4 with 2 requests each: the ids 2 q and 2 q + 1 are of question q."""
    config = (
        "models = [dict(abbr='alpha', generation_kwargs=dict(num_return_sequences=2))]\n"
        "datasets = [dict(abbr='quiz', n=4)]"
    )
    files = quiz(["a", "b", "c"], n=4)
    lines = [
        {"id": 2 * q + half, "prediction": f"{q}.{2 * half + r}"}
        for r in range(2)
        for half in (1, 0)
        for q in range(3)
    ]
    files["run/predictions/alpha/quiz.jsonl"] = "\n".join(map(json.dumps, lines))
    files["run/configs/20261120_080955_1.py"] = config
    run = only(("r.zip", packed(files)))
    assert run.outcomes.shape == (3, 4)
    for q in range(3):
        assert run.texts(str(q)).predictions == tuple(f"{q}.{r}" for r in range(4))


@pytest.mark.parametrize("indent", [4, None])
def test_numbered_details_may_stand_in_any_order_beside_others(indent):
    entries = {
        str(q): {
            "prompt": f"{q}?",
            "origin_prediction": f"so {q}",
            "predictions": f"{q}",
            "references": "1",
            "correct": q == 1,
        }
        for q in (2, 0, 1)
    }
    results = {"accuracy": 100 / 3, "details": {"type": "GEN"} | entries}
    files = {"run/results/alpha/quiz.json": json.dumps(results, indent=indent)}
    run = only(("r.zip", packed(files)))
    for q in range(3):
        texts = run.texts(str(q))
        assert texts.prompt == (Turn("", f"{q}?"),)
        assert (texts.predictions, texts.answers) == ((f"so {q}",), (str(q),))
        assert texts.reference == "1"
    assert run.search("so 2").tolist() == [False, False, True]


def test_a_search_tells_how_far_it_has_come(monkeypatch):
    monkeypatch.setattr("reports.files.progress.AFTER", 0)
    monkeypatch.setattr("reports.files.progress.EVERY", 0)
    told = []
    run = only(("r.zip", packed(quiz(["a", "b", "c"]))))
    run.search("b", lambda *counts: told.append(counts))
    done, totals = zip(*told, strict=True)
    assert list(done) == sorted(done)
    assert done[-1] == totals[0]
    assert len(set(totals)) == 1


def test_kept_uploads_go_with_their_report():
    run = only(("r.zip", packed(quiz(["a"]))))
    run.texts("0")
    assert len([*upload_store.own().iterdir()]) == 2
    del run
    gc.collect()
    assert not [*upload_store.own().iterdir()]
