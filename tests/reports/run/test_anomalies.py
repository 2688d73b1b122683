"""A loop at the end and a garbled text are found, and ordinary texts are left alone."""

import json
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kofn.card import Card
from kofn.choices.view import View
from kofn.finish_reasons.analysis import count_finish_reasons
from kofn.finish_reasons.words import in_words
from reports import load
from reports.run.anomalies import ANOMALIES, anomaly_of
from tests.reports.harnesses.truths import DATA
from tests.reports.mutations import zipped

LOOP = "Wait, let me check that again. "


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("So the answer is 42. " + 8 * LOOP, "repetition"),
        ("42" * 100, "repetition"),
        ("0" * 200, "repetition"),
        (LOOP * 7, None),
        (LOOP * 20 + "So it is 42.", None),
        ("- - - - - - -\n| a | b |\n" + "-" * 150, None),
        ("\n".join(f"{i} is followed by {i + 1}." for i in range(300)), None),
        ("答案是四十二。" + "\ufffd" * 30, "garbled"),
        ("\ufffd" * 19, None),
        ("\ufffd" * 20 + " ".join(map(str, range(300))), None),
        ("", None),
    ],
)
def test_what_is_wrong_with_a_text(text, found):
    assert anomaly_of(text) == (ANOMALIES.index(found) + 1 if found else 0)


@given(st.text(st.characters(exclude_characters="\ufffd\0"), max_size=150), st.integers(8, 20))
def test_only_what_is_said_eight_times_at_the_end_is_a_loop(said, times):
    is_long = len(said) * times >= 200
    is_loop = anomaly_of("Now then: " + said * times) == 1
    assert is_loop or not (said and is_long)
    assert anomaly_of(said + "".join(map(chr, range(0x4E00, 0x4E00 + 200)))) == 0


def test_loops_are_told_with_how_the_samples_ended():
    lines = [
        {
            "question_id": str(row),
            "correct": row % 2,
            "response": f"It is {row}. " + LOOP * (12 if row < 3 else 1),
            "finish_reason": "length" if row < 2 else "stop",
        }
        for row in range(8)
    ]
    (run,) = load(("t.jsonl", "\n".join(map(json.dumps, lines)).encode())).runs
    assert (run.states.anomalies, run.states.looping_cut) == ({"repetition": 3}, 2)
    told = str(in_words(Card("t", run, View(), None, count_finish_reasons(run, View())).found))
    assert "3 texts end in a repetition; 2 of them were cut off." in told


def test_anomalies_that_aisbench_found_go_before_those_that_texts_show():
    """Lines as ``ResponseAnomalyCoordinator`` of AISBench's repository writes them (29c363e)."""
    with ZipFile(DATA / "aisbench/math500_n8.zip") as report:
        files = {name: report.read(name) for name in report.namelist() if name[-1] != "/"}
    (path,) = (name for name in files if "/predictions/alpha-7b-chat/" in name)
    records = [json.loads(line) for line in files[path].splitlines()]
    found = {}
    lines = []
    for nth, record in enumerate(records[:40]):
        name = ("normal", "repetition", "garbled", "rare_character", "nan_value")[nth % 5]
        status = "skipped" if nth >= 30 else "completed"
        key = {"id": record["id"], "uuid": record["uuid"]}
        said = {"anomaly_type_name": status if nth >= 30 else name, "detection_status": status}
        lines.append({**key, "is_anomaly": nth % 5 > 0, "anomaly_type": nth % 5, **said})
        if status == "completed" and name != "normal":
            found[name] = found.get(name, 0) + 1
    stale = {**lines[1], "anomaly_type_name": "garbled"}
    stranger = {**lines[1], "uuid": "0" * 32, "anomaly_type_name": "garbled"}
    text = "\n".join(map(json.dumps, [stale, *lines, stranger])).encode()
    files[path.replace("predictions", "response_anomaly")] = text
    (run,) = (run for run in load(("r.zip", zipped(files))).runs if run.model == "alpha-7b-chat")
    assert run.states.anomalies == found
    row, slot = run.outcomes.questions.index(str(records[1]["id"])), 0
    words = run.labels["anomaly"].words()
    said = run.texts(run.outcomes.questions[row]).predictions
    slot = said.index(records[1]["prediction"])
    assert words[row, slot] == "repetition"
    assert any("looked for anomalies in 30 of" in str(note.what) for note in run.notes)
