"""What is said of runs that are unfinished, in words and in JSON."""

import json
import os
from dataclasses import replace
from datetime import datetime

import pytest

from kofn.command import main
from kofn.unfinished_runs import with_unfinished
from metrics import Outcomes
from metrics.data.words import Text
from reports.files.notes import Unfinished
from reports.run.report import Run

WHOLE = Run("a", "maths", Outcomes([[1, 0]]))
NOTE = Unfinished(Text("So far."), done=57, planned=100, things=Text("questions"))
NOON = datetime(2026, 11, 22, 12)


def lacking(**known):
    return replace(WHOLE, notes=(replace(NOTE, **known),))


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        ({"a": WHOLE}, ""),
        ({"a": lacking()}, " Unfinished: 57% of the questions is here."),
        (
            {"a": lacking(as_of=NOON)},
            " Unfinished: 57% of the questions is here, as of 2026-11-22 12:00.",
        ),
        ({"a": lacking(done=999, planned=1000)}, " Unfinished: 99% of the questions is here."),
        ({"a": lacking(planned=None)}, " It is unfinished."),
        ({"a": lacking(planned=None), "b": WHOLE}, " a is unfinished."),
        ({"a": lacking(), "b": WHOLE}, " a is unfinished: 57% of the questions is here."),
        (
            {"a": lacking(), "b": WHOLE, "c": lacking(done=9, as_of=NOON)},
            " 2 of 3 runs are unfinished (9% to 57% of each is here), as of 2026-11-22 12:00.",
        ),
        ({"a": lacking(planned=None), "b": lacking()}, " 2 of 2 runs are unfinished."),
    ],
)
def test_an_answer_says_which_of_its_runs_are_unfinished(runs, said):
    assert str(with_unfinished(Text("A leads."), runs)) == f"A leads.{said}"


def test_every_subcommand_says_it_in_words_and_in_json(tmp_path, capsys):
    path = tmp_path / "t.jsonl"
    path.write_text(
        "".join(json.dumps({"id": f"q{i}", "correct": i % 2}) + "\n" for i in range(9)) + '{"id'
    )
    os.utime(path, (NOON.timestamp(), NOON.timestamp()))
    assert main(["overview", str(path), "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    ((key, found),) = document["unfinished"].items()
    assert "It is unfinished, as of" in document["answer"]
    assert key == "t / t"
    assert (found["done"], found["planned"]) == (None, None)
    assert datetime.fromisoformat(found["as_of"]).timestamp() == NOON.timestamp()
    assert "unfinished" in str(document["datasets"])
    assert main(["score", str(path)]) == 0
    assert "is unfinished, as of" in capsys.readouterr().out.splitlines()[0]
