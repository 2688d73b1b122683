"""How runs were made, in words and rows."""

import json

from kofn.command import main
from kofn.inventory.columns import settings_apart
from kofn.inventory.words import settings_in_words
from kofn.writing.columns import written
from kofn.writing.settings import differences_in_words
from reports import Run, differing_settings
from tests.reports.evaluations.aisbench_archives import archive


def run(**settings):
    return Run("7B", "gsm8k", None, settings=settings)


def test_what_all_state_alike_is_said_once_and_the_rest_is_listed():
    runs = {"a": run(n=4, seed=1), "b": run(n=4, temperature=0.5), "c": run(n=4), "d": run()}
    assert [str(said) for said in settings_in_words(runs)] == [
        "All 3 runs state n 4.",
        "1 run does not say how it was made.",
    ]
    assert written(settings_apart(runs), list(runs.items()), "page") == [
        {"Run": "a", "temperature": "", "seed": "1"},
        {"Run": "b", "temperature": "0.5", "seed": ""},
        {"Run": "c", "temperature": "", "seed": ""},
        {"Run": "d", "temperature": "", "seed": ""},
    ]


def test_one_run_needs_no_rows():
    runs = {"a": run(n=4, do_sample=False)}
    assert [str(said) for said in settings_in_words(runs)] == ["The run states do_sample no, n 4."]
    assert len(settings_apart(runs)) == 1


def test_two_runs_made_alike_need_no_sentence():
    assert differences_in_words(differing_settings(run(n=4), run(n=4))) is None
    said = differences_in_words(differing_settings(run(n=4, seed=1, top_p=0.9), run(n=8, seed=2)))
    assert str(said) == (
        "They were run with different settings: seed 1 against 2; n 4 against 8. Only one of "
        "them states top_p."
    )


def test_json_tells_how_each_run_was_made(capsys):
    main(["score", str(archive("gsm8k_n1")), "--format", "json"])
    found = json.loads(capsys.readouterr().out)["settings"]
    assert {key: each["temperature"] for key, each in found.items()} == {
        "alpha-7b-chat / gsm8k": 0.7,
        "beta-14b-chat / gsm8k": 0.7,
    }
