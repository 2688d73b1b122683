"""Results of tau2-bench in both layouts, and of tau-bench."""

import json
import shutil

import numpy as np
import pytest

from reports import LoadError, load
from reports.harnesses import tau_bench
from reports.harnesses.tau_bench import transcript
from tests.reports.harnesses.truths import DATA, assert_true, truth_of

FOLDER = DATA / "tau2"
TRUTH = truth_of("tau2")
ALPHA = FOLDER / "alpha_mock_4trials/results.json"


def trials_of(place):
    content = json.loads((place / "results.json").read_text())
    apart = (place / "simulations").glob("*.json")
    return content.get("simulations") or [json.loads(path.read_text()) for path in apart]


@pytest.mark.parametrize("key", TRUTH)
def test_outcomes_costs_and_ends_are_the_true_ones(key):
    file, _, model = key.partition("::")
    truth = TRUTH[key]["mock"]
    (run,) = load((FOLDER / file).parent).runs
    assert (run.model, run.dataset) == (model, "tau2_mock")
    assert run.outcomes.questions == tuple(truth["questions"])
    assert_true(run, truth)
    ended = run.labels["finish_reason"].words().tolist()
    assert ended == truth["termination"]
    costs = np.array(truth["agent_cost"], dtype=float)
    known = costs > 0  # the file has none where history was given
    np.testing.assert_allclose(run.columns["cost"][known], costs[known])
    assert np.isnan(run.columns["cost"][~known]).all()
    assert (run.settings["seed"], run.settings["n"]) == (truth["seed"], truth["n"])
    assert run.settings["temperature"] == 0.7


def test_the_parts_of_a_reward_are_measurements():
    (run,) = load(FOLDER / "gamma_dir").runs
    parts = [values for name, values in run.columns.items() if name.startswith("reward.")]
    assert len(parts) > 1
    np.testing.assert_array_equal(np.nanprod(parts, axis=0) == 1, run.outcomes.correct == 1)


@pytest.mark.parametrize("place", [ALPHA.parent, FOLDER / "gamma_dir"])
def test_every_text_is_that_of_its_trial(place):
    (run,) = load(place).runs
    said = {(each["task_id"], each["trial"]): each["messages"] for each in trials_of(place)}
    tasks = {each["id"]: each for each in json.loads((place / "results.json").read_text())["tasks"]}
    for question in run.outcomes.questions:
        texts = run.texts(question)
        wanted = [transcript(said[question, i]) or None for i in range(run.outcomes.shape[1])]
        assert list(texts.predictions) == wanted
        scenario = tasks[question]["user_scenario"]
        assert json.loads(texts.prompt[0].text) == scenario
    first = said[run.outcomes.questions[1], 1]
    used = [each["usage"] for each in first if each["role"] == "assistant" and each["usage"]]
    assert run.columns["tokens_out"][1, 1] == sum(each["completion_tokens"] for each in used)
    assert run.columns["tokens_in"][1, 1] == sum(each["prompt_tokens"] for each in used)


def test_the_machinery_that_failed_is_a_failed_request():
    (run,) = load(ALPHA).runs
    assert run.outcomes.correct[0, 0] == -1
    assert run.labels["error"].words()[0, 0] == "mock outage"
    assert np.isnan(run.columns["latency_s"][0, 0])
    assert any("failed request" in str(note.what) for note in run.notes)


def test_the_machinery_that_failed_is_a_failed_request_whatever_reward_is_written():
    # tau2 gives such a trial reward 0 when it evaluates its conversations again
    content = json.loads(ALPHA.read_text())
    (broken,) = (
        each
        for each in content["simulations"]
        if each["termination_reason"] == "infrastructure_error"
    )
    broken["reward_info"] = {"reward": 0.0, "reward_basis": None}
    (run,) = load(("results.json", json.dumps(content).encode())).runs
    (known,) = load(ALPHA).runs
    np.testing.assert_array_equal(run.outcomes.correct, known.outcomes.correct)
    assert not any("cut off" in str(note.what) for note in run.notes)


@pytest.mark.wide
@pytest.mark.parametrize("indent", [None, 2])
def test_keys_may_come_in_any_order(tmp_path, indent):
    for place in (ALPHA.parent, FOLDER / "gamma_dir", FOLDER / "gamma_dir/simulations"):
        folder = tmp_path / place.name
        for path in place.rglob("*.json"):
            content = json.loads(path.read_text())
            if "messages" in content:
                content["messages"][0]["content"] = "long " * 20_000
            written = folder / path.relative_to(place)
            written.parent.mkdir(parents=True, exist_ok=True)
            written.write_text(json.dumps(content, sort_keys=True, indent=indent))
        (known,), (run,) = load(place).runs, load(folder).runs
        assert run.outcomes.digest == known.outcomes.digest
        assert run.settings == known.settings
        question = run.outcomes.questions[0]
        said, before = (each.texts(question).predictions for each in (run, known))
        assert [text is None for text in said] == [text is None for text in before]
        assert all("long long" in text for text in said if text and place != ALPHA.parent)


def test_rewards_given_without_a_look_are_noted():
    (run,) = load(FOLDER / "alpha_maxsteps").runs
    assert [note.count for note in run.notes if "cut off" in str(note.what)] == [4]


def test_an_index_without_its_conversations_still_has_outcomes():
    (run,) = load(FOLDER / "gamma_dir/results.json").runs
    assert_true(run, TRUTH["gamma_dir/results.json::gamma-agent"]["mock"])
    assert [note.count for note in run.notes if "index only" in str(note.what)] == [9]
    assert set(run.texts("update_task_1").predictions) == {None}


def test_conversations_alone_have_their_outcomes_and_say_what_they_lack(tmp_path):
    shutil.copytree(FOLDER / "gamma_dir/simulations", tmp_path / "simulations")
    (run,) = load(tmp_path).runs
    truth = TRUTH["gamma_dir/results.json::gamma-agent"]["mock"]
    assert_true(run, truth)
    assert (run.model, run.dataset) == ("unknown model", "tau2")
    assert any(
        "The results.json of these conversations is missing" in str(note.what) for note in run.notes
    )
    (whole,) = load(FOLDER / "gamma_dir").runs
    question = run.outcomes.questions[0]
    assert run.texts(question).predictions == whole.texts(question).predictions
    (one,) = load(next((tmp_path / "simulations").iterdir())).runs
    assert one.outcomes.shape == (1, 1)


OLDER = [
    # after sierra-research/tau-bench, commit 5e7f9382a330: tau_bench/types.py EnvRunResult, and
    # tau_bench/run.py lines 74 to 94 (what is written) and 188 to 190 (what counts as a success)
    {"task_id": task, "reward": reward, "info": info, "traj": traj, "trial": trial}
    for trial, rows in enumerate(
        [
            [(0, 1.0, None), (1, 0.0, None)],
            [(1, 1.0, None), (0, 0.0, "context window exceeded")],
            [(0, 0.9999999, None), (1, 0.0, None)],
        ]
    )
    for task, reward, error in rows
    for info, traj in [
        (
            {"error": error, "traceback": "Traceback"},
            [],
        )
        if error
        else (
            {
                "task": {"instruction": f"You want {task}.", "actions": [{"name": "book"}]},
                "user_cost": 0.01,
            },
            [
                {"role": "system", "content": "# Retail agent policy\n\nAs a retail agent ..."},
                {"role": "user", "content": f"I want {task}, for the {trial}th time."},
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [{"function": {"name": "book", "arguments": '{"id": 1}'}}],
                },
            ],
        )
    ]
]


def test_lists_of_tau_bench_are_read_too():
    name = "tool-calling-gpt-4o-mini-0.7_range_0--1_user-gpt-4o-llm_0612073827.json"
    (run,) = load((name, json.dumps(OLDER, indent=2).encode())).runs
    assert (run.model, run.dataset) == ("gpt-4o-mini", "tau_retail")
    assert run.outcomes.correct.tolist() == [[1, -1, 1], [0, 1, 0]]
    told = {"temperature": 0.7, "agent": "tool-calling", "user_model": "gpt-4o", "user": "llm"}
    assert told.items() <= run.settings.items()
    texts = run.texts("1")
    assert texts.prompt[0].text == "You want 1."
    assert "for the 1th time" in texts.predictions[1]
    assert 'book({"id": 1})' in texts.predictions[1]
    assert run.labels["error"].words()[0, 1] == "context window exceeded"
    assert run.texts("0").predictions[1] is None


def test_a_file_too_long_to_be_read_at_once_says_how_to_cut_it(monkeypatch):
    monkeypatch.setattr(tau_bench, "MAX_WHOLE", 1000)
    with pytest.raises(LoadError, match="convert-results --to dir"):
        load(ALPHA)


def test_what_is_broken_is_one_clear_sentence():
    whole = ALPHA.read_bytes()
    with pytest.raises(LoadError, match="ends in the middle of a value"):
        load(("results.json", whole[:-2000]))
    content = json.loads(whole)
    content["simulations"][3]["trial"] = content["simulations"][9]["trial"]
    content["simulations"][3]["task_id"] = content["simulations"][9]["task_id"]
    with pytest.raises(LoadError, match="the same sample more than once"):
        load(("results.json", json.dumps(content).encode()))
    content["simulations"][3]["trial"] = None
    with pytest.raises(LoadError, match="not of the type that the tool writes"):
        load(("results.json", json.dumps(content).encode()))
