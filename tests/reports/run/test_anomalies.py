"""A loop at the end and a garbled text are found, and ordinary texts are left alone."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kofn.card import Card
from kofn.choices.view import View
from kofn.states.analysis import look_at
from kofn.states.sentences import in_words
from reports import load
from reports.run.anomalies import ANOMALIES, anomaly_of

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
    told = str(in_words(Card("t", run, View(), None, look_at(run, View())).found))
    assert "3 texts end in a repetition; 2 of them were cut off." in told
