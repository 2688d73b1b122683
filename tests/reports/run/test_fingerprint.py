"""How runs were made: what every reader says of it, and where two runs differ."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics import Outcomes
from reports import Run, differing_settings, load, tables
from reports.run.differing import shared_settings
from reports.run.fingerprint import LONGEST, MOST
from reports.tables import folding
from tests.reports.evaluations.aisbench_archives import DATA, loaded
from tests.reports.mutations import zipped

SAMPLED = {"temperature": 0.7, "max_tokens": 512, "tool": "AISBench", "ignore_eos": False}


def settings(path):
    return [dict(run.settings) for run in load(path).runs]


def report(*configs, models=("alpha",)):
    """Return a report of one question whose configurations are these, the oldest first."""
    files = {
        f"run/configs/20261120_08000{number}_1.py": config for number, config in enumerate(configs)
    }
    verdicts = (
        '{"accuracy": 100.0, "details": [{"pred": ["A"], "answer": ["A"], "correct": [true]}]}'
    )
    return load(
        (
            "report.zip",
            zipped(files | {f"run/results/{model}/quiz.json": verdicts for model in models}),
        )
    )


def told(model="", dataset="", mode="all"):
    return (
        f"cli_args = dict(mode={mode!r})\n"
        f"models = [dict(abbr='alpha', {model})]\n"
        f"datasets = [dict(abbr='quiz', {dataset})]\n"
    )


@pytest.mark.wide
@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("gsm8k_n1", {"n": 1, "prompt_version": "50861a", "evaluator": "Gsm8kEvaluator"}),
        ("gsm8k_n3_num_prompts", {"n": 3, "range": "[:12]", "stop": '["Question"]'}),
        (
            "evaluators/lcb_n4",
            {
                "n": 4,
                "dataset_version": "v4_v5",
                "prompt_version": "464b38",
                "evaluator.timeout": 6,
            },
        ),
        ("evaluators/triviaqa_n4", {"shots": 5, "split": "dev"}),
        ("evaluators/judge_n4", {"judge": "judge-72b", "judge.temperature": 0.01}),
        ("evaluators/refcoco_n4_failed", {"evaluator.iou_threshold": 0.5, "split": "val"}),
        ("gsm8k_n5_failed_then_eval_only", {"n": 5, "postprocessor": "gsm8k_postprocess"}),
    ],
)
def test_settings_of_a_real_report_are_those_of_its_configuration(name, known):
    found = settings(DATA / f"{name}.zip")[0]
    assert found.items() >= (SAMPLED | known).items()


def test_how_much_of_a_dataset_is_asked_is_called_alike_whichever_tool_tells_it():
    found = settings(DATA.parent / "inspect" / "logs")[0]
    assert found["range"] == 8
    assert "limit" not in found


def test_the_summary_of_opencompass_tells_the_version_of_the_prompt():
    for found in settings(DATA.parent / "opencompass" / "n4.zip"):
        assert found == {"prompt_version": "17ff96", "tool": "OpenCompass"}


def test_a_configuration_of_opencompass_tells_what_a_model_and_its_dataset_are_told():
    (run,) = report(
        told(
            "path='org/alpha', max_out_len=2048, top_p=0.95, generation_kwargs=dict("
            "do_sample=True, top_k=-1, seed=7), extra_body={'chat': dict(thinking=True)}",
            "path='sets/quiz', infer_cfg=dict(inferencer=dict(max_out_len=512)), "
            "eval_cfg=dict(evaluator=dict(type='opencompass.evaluator.GenericLLMEvaluator', "
            "judge_cfg=dict(path='judge-7b', temperature=0)))",
        )
    ).runs
    assert dict(run.settings) == {
        **{"top_p": 0.95, "top_k": -1, "max_tokens": 512, "seed": 7, "n": 1},
        **{"dataset_path": "sets/quiz", "evaluator": "GenericLLMEvaluator", "judge": "judge-7b"},
        **{"tool": "OpenCompass", "do_sample": True, "chat.thinking": True},
        **{"model_id": "org/alpha", "judge.temperature": 0},
    }
    assert run.evaluator == "GenericLLMEvaluator"


def test_no_secret_becomes_a_setting_and_nothing_is_called():
    model = (
        "key='a', api_key='b', generation_kwargs=dict(temperature=exit(1), openai_api_key='c', "
        "extra_headers=dict(Authorization='Bearer d'), token='e', max_tokens=10)"
    )
    (run,) = report(told(model, "path=''")).runs
    assert dict(run.settings) == {"max_tokens": 10, "n": 1, "tool": "AISBench"}


def test_samples_are_of_the_configuration_under_which_they_were_drawn():
    """Evaluating again under a changed configuration draws no sample anew."""
    drawn = told(
        "generation_kwargs=dict(temperature=0.2)", "eval_cfg=dict(evaluator=dict(type='A'))"
    )
    again = told(
        "generation_kwargs=dict(temperature=1.0)", "eval_cfg=dict(evaluator=dict(type='B'))", "eval"
    )
    (run,) = report(drawn, again).runs
    assert (run.settings["temperature"], run.settings["evaluator"]) == (0.2, "B")
    assert not any("changed" in str(note.what) for note in run.notes)


def test_what_was_changed_between_parts_of_a_run_is_no_setting_of_it():
    parts = (told(f"generation_kwargs=dict(temperature={t}, top_p=0.9)") for t in (0.2, 1.0))
    (run,) = report(*parts).runs
    assert dict(run.settings) == {"top_p": 0.9, "n": 1, "tool": "AISBench"}
    (said,) = (str(note.what) for note in run.notes if "changed" in str(note.what))
    assert said.startswith("temperature changed between the parts of this run")


def test_an_earlier_configuration_that_cannot_be_read_hides_what_was_changed_only():
    found = report("models = [", told("generation_kwargs=dict(temperature=0.2)"))
    assert found.runs[0].settings["temperature"] == 0.2
    (note,) = found.notes
    assert str(note.what).startswith("It cannot be read, so kofn does not know")


def long_table(path, **columns):
    questions, n = 3, 2
    size = questions * n
    every = {
        "question_id": np.tile(np.repeat(["a", "b", "c"], n), 2),
        "sample": np.tile(np.arange(n), 2 * questions),
        "correct": np.tile([0, 1, 1], 2 * n),
        "model": np.repeat(["x", "y"], size),
        **{name: pa.array(np.resize(values, 2 * size)) for name, values in columns.items()},
    }
    pq.write_table(pa.table(every), path)
    return path


@pytest.mark.parametrize("rows", [1, folding.ROWS], ids=["folded", "ordinary"])
def test_a_column_named_so_is_a_setting_of_a_run_in_which_it_is_constant(
    tmp_path, monkeypatch, rows
):
    monkeypatch.setattr(folding, "ROWS", rows)
    path = long_table(
        tmp_path / "t.parquet",
        temp=np.repeat([0.2, 0.8], 6),
        prompt_version=["1.10"],
        seed=[1, 2],
        latency=[0.5],
        steps=pa.array([*[100] * 6, *[None] * 6]),
    )
    assert settings(path) == [
        {"temperature": 0.2, "prompt_version": "1.10", "steps": 100},
        {"temperature": 0.8, "prompt_version": "1.10"},
    ]


def test_a_column_told_to_be_a_setting_is_one(tmp_path):
    path = long_table(tmp_path / "t.parquet", warmth=np.repeat([0.5, 1.5], 6))
    found = load(path, columns={"setting": ("warmth",), "other": ("model",)}).runs
    assert [(run.model, dict(run.settings)) for run in found] == [
        ("t, warmth=0.5", {"warmth": 0.5}),
        ("t, warmth=1.5", {"warmth": 1.5}),
    ]


@pytest.mark.wide
@pytest.mark.parametrize("suffix", tables.SUFFIXES)
def test_a_converted_report_keeps_its_settings(tmp_path, suffix):
    runs = loaded(DATA / "evaluators" / "refcoco_n4_failed.zip").runs
    tables.write(runs, tmp_path / f"t{suffix}")
    for before, after in zip(runs, load(tmp_path / f"t{suffix}").runs, strict=True):
        assert dict(after.settings) == dict(before.settings)
        assert after.evaluator == before.evaluator == "BBoxIoUEvaluator"


def test_a_table_that_was_written_before_settings_were_still_loads(tmp_path):
    path = tmp_path / "t.csv"
    tables.write(load(DATA / "gsm8k_n1.zip").runs, path)
    frame = pd.read_csv(path, dtype={"question_id": str}).drop(columns="settings")
    frame.to_csv(path, index=False)
    assert settings(path) == [{}, {}]


def run(**given):
    return Run("7B", "gsm8k", None, settings=given)


def test_settings_are_plain_bounded_and_cannot_be_changed():
    odd = run(a=None, b=float("inf"), c=object(), d=[1, "x"], e=10**30, f="\ud800", g="z" * 999)
    assert dict(odd.settings) == {
        **{"d": '[1, "x"]', "f": "\\ud800"},
        "g": odd.settings["g"],
    }
    assert len(odd.settings["g"]) == LONGEST
    assert len(run(**{f"s{i}": i for i in range(2 * MOST)}).settings) == MOST
    with pytest.raises(TypeError):
        odd.settings["d"] = 1


def test_runs_differ_where_both_state_something_else_and_maybe_where_one_is_silent():
    found = differing_settings(
        run(n=4, seed=1, do_sample=True, stop="a"), run(do_sample=1, temperature=0, n=4, seed=2)
    )
    assert [(each.name, each.a, each.b, each.is_stated) for each in found] == [
        ("do_sample", True, 1, True),
        ("seed", 1, 2, True),
        ("temperature", None, 0, False),
        ("stop", "a", None, False),
    ]
    assert differing_settings(run(n=4), run(n=4.0)) == ()
    assert shared_settings([]) == shared_settings([run(n=1), run()]) == {}


def test_a_run_that_was_not_sampled_is_greedy_whatever_its_temperature():
    told = {"do_sample": False, "temperature": 0.7}
    assert Run("m", "d", Outcomes([[0, 1]]), settings=told).is_greedy
    assert not Run("m", "d", Outcomes([[0, 1]]), settings={"do_sample": True}).is_greedy
