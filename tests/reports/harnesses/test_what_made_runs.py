"""Two runs of any tool that differ in what made them are never joined, and it is said in what."""

from functools import cache
from pathlib import PurePosixPath
from zipfile import ZipFile

import pytest

from metrics import MetricError
from reports import combine, differing_settings, load
from tests.reports.harnesses.truths import DATA
from tests.reports.mutations import zipped

HELM = "helm/benchmark_output/runs/s1/sums-num_outputs=4,model=mock_alpha"
EEE = "every_eval_ever/v0.3.0_inspect/data/think_set/llamacpp/example-lab_alpha-7b"
EVAL = '"model_args": {}'
URL = '"base_url"'
HF = '"pretrained": "m", "x"'
DIFFERENCES = {
    "lm_eval": (
        ("lm_eval/seeds/alpha-7b-chat", "*2026-11-20T08-33-25*"),
        {"filter": "strict-match"},
        [
            (URL, HF, '"revision": "v2", ' + HF, "revision"),
            (URL, HF, '"load_in_4bit": true, ' + HF, "quantisation"),
            (URL, HF, '"peft": "org/lora", ' + HF, "adapter"),
            (URL, HF, HF.replace("m", "n"), "model_id"),
            ('"temperature": 0.7', '"temperature": 0.7', '"temperature": 0.2', "temperature"),
            (
                '"dataset_path": "json"',
                '"dataset_path": "a"',
                '"dataset_path": "b"',
                "dataset_path",
            ),
            (
                '"system_instruction_sha": null',
                '"system_instruction_sha": "a"',
                '"system_instruction_sha": "b"',
                "system_instruction_sha",
            ),
        ],
    ),
    "inspect": (
        ("inspect/logs", "*survey-mcq*.json"),
        None,
        [
            (EVAL, '"model_args": {"revision": 1}', '"model_args": {"revision": 2}', "revision"),
            (EVAL, '"model_args": {"dtype": "a"}', '"model_args": {"dtype": "b"}', "dtype"),
            (EVAL, '"model_args": {"adapter": 1}', '"model_args": {"adapter": 2}', "adapter"),
            (
                EVAL,
                '"model_roles": {"grader": {"model": "a"}}',
                '"model_roles": {"grader": {"model": "b"}}',
                "judge",
            ),
            (
                '"model_generate_config": {',
                '"model_generate_config": {"top_p": 0.5, ',
                '"model_generate_config": {"top_p": 0.6, ',
                "top_p",
            ),
            (
                '"params_passed": {}',
                '"params_passed": {}',
                '"params_passed": {"a": 1}',
                "prompt_version",
            ),
        ],
    ),
    "evalscope": (
        ("evalscope/outputs/20261120_083614", "*"),
        None,
        [
            (
                "model_args: {}",
                "model_args: {revision: a}",
                "model_args: {revision: b}",
                "revision",
            ),
            ("temperature: 0.7", "temperature: 0.7", "temperature: 0.1", "temperature"),
            ("few_shot_num: 0", "few_shot_num: 0", "few_shot_num: 4", "shots"),
            (
                "prompt_template: '",
                "prompt_template: '",
                "prompt_template: 'Now ",
                "prompt_version",
            ),
            ("models: []", "models: a", "models: b", "judge"),
            (
                "dataset_revision: null",
                "dataset_revision: a",
                "dataset_revision: b",
                "dataset_version",
            ),
        ],
    ),
    "lighteval": (
        ("lighteval", "*"),
        None,
        [
            (
                '"model_config": {',
                '"model_config": {"revision": 1, ',
                '"model_config": {"revision": 2, ',
                "revision",
            ),
            (
                '"model_config": {',
                '"model_config": {"dtype": "a", ',
                '"model_config": {"dtype": "b", ',
                "dtype",
            ),
            ('"temperature": 0', '"temperature": 0.1', '"temperature": 0.2', "temperature"),
            (
                '"hash_full_prompts": "ef',
                '"hash_full_prompts": "ef',
                '"hash_full_prompts": "ff',
                "prompt_version",
            ),
            (
                '"hash_examples": "6b',
                '"hash_examples": "6b',
                '"hash_examples": "7b',
                "dataset_version",
            ),
        ],
    ),
    "helm": (
        (HELM, "*"),
        {"correct": "exact_match"},
        [
            ('"temperature": 0.7', '"temperature": 0.7', '"temperature": 0.1', "temperature"),
            ('"instructions": ""', '"instructions": ""', '"instructions": "x"', "prompt_version"),
            (
                '"args": {}\n  },\n  "adapter',
                '"args": {"a": 1}\n  },\n  "adapter',
                '"args": {"a": 2}\n  },\n  "adapter',
                "dataset_args",
            ),
        ],
    ),
    "tau2": (
        ("tau2/alpha_mock_4trials", "*"),
        None,
        [
            ('"temperature": 0.7', '"temperature": 0.7', '"temperature": 0.1', "temperature"),
            ('"llm": "user-sim-1"', '"llm": "user-sim-1"', '"llm": "user-sim-2"', "user_model"),
            ("# Mock Domain Policy", "# Mock Domain Policy", "# Domain Policy", "prompt_version"),
        ],
    ),
    "bigcode": (
        ("bigcode", "[!t]*"),
        None,
        [
            ("\n}", ', "config": {"revision": "a"}}', ', "config": {"revision": "b"}}', "revision"),
            ("\n}", ', "config": {"a": 1}}', ', "config": {"load_in_8bit": true}}', "quantisation"),
            ("\n}", ', "config": {"top_k": 1}}', ', "config": {"top_k": 2}}', "top_k"),
        ],
    ),
    "every_eval_ever": (
        (EEE, "39eb*"),
        None,
        [
            ('"temperature": 0.7', '"temperature": 0.7', '"temperature": 0.1', "temperature"),
            (
                '"generation_args": {',
                '"generation_args": {"revision": "a", ',
                '"generation_args": {"revision": "b", ',
                "revision",
            ),
            ("generate", "generate", "think", "prompt_version"),
            (
                '"metric_config": {',
                '"metric_config": {"llm_scoring": {"judges": [{"model_info": {"id": "a"}}]}, ',
                '"metric_config": {"llm_scoring": {"judges": [{"model_info": {"id": "b"}}]}, ',
                "judge",
            ),
            (
                '"dataset_name": "think_set"',
                '"dataset_name": "a"',
                '"dataset_name": "b"',
                "dataset_path",
            ),
        ],
    ),
    "AISBench": (
        ("aisbench/gsm8k_n1.zip", ""),
        None,
        [
            ("temperature=0.7", "temperature=0.7", "temperature=0.2", "temperature"),
            ("trust_remote_code=False", "peft_path='a'", "peft_path='b'", "adapter"),
            ("trust_remote_code=False", "revision='a'", "revision='b'", "revision"),
            ("Gsm8kEvaluator", "Gsm8kEvaluator", "MATHEvaluator", "evaluator"),
            ("path='ais_bench/datasets/gsm8k'", "path='a'", "path='b'", "dataset_path"),
            ("gsm8k,50861a", "gsm8k,50861a", "gsm8k,50861b", "prompt_version"),
        ],
    ),
    "OpenCompass": (
        ("opencompass/n4.zip", ""),
        None,
        [("17ff96", "17ff96", "17ff97", "prompt_version")],
    ),
    "evalplus": (
        ("evalplus", "alpha_samples_eval*"),
        None,
        [('"hash": "b', '"hash": "b', '"hash": "c', "dataset_version")],
    ),
    "lmms_eval": (
        ("lmms_eval/gpt-4.1", "*"),
        None,
        [
            ('"temperature": 0.7', '"temperature": 0.7', '"temperature": 0.2', "temperature"),
            ('"max_new_tokens": 64', '"max_new_tokens": 64', '"max_new_tokens": 9', "max_tokens"),
            (
                "model=gpt-4.1,",
                "model=gpt-4.1,revision=a,",
                "model=gpt-4.1,revision=b,",
                "revision",
            ),
            ('"sums": 0', '"sums": 0', '"sums": 5', "shots"),
            (
                '"dataset_path": "json"',
                '"dataset_path": "a"',
                '"dataset_path": "b"',
                "dataset_path",
            ),
        ],
    ),
    "verifiers": (
        ("verifiers/v0.4.0", "*"),
        None,
        [
            ('"temperature": 0.7', '"temperature": 0.7', '"temperature": 0.1', "temperature"),
            (
                '"system_prompt": null',
                '"system_prompt": "a"',
                '"system_prompt": "b"',
                "prompt_version",
            ),
        ],
    ),
    "promptfoo": (
        ("promptfoo", "sums.json"),
        None,
        [
            ('"temperature": 0.7', '"temperature": 0.7', '"temperature": 0.1', "temperature"),
            ('"max_tokens": 64', '"revision": "a"', '"revision": "b"', "revision"),
            ('"promptId": "1', '"promptId": "1', '"promptId": "2', "prompt_version"),
        ],
    ),
    "deepeval": (
        ("deepeval", "test_run*"),
        None,
        [
            ('"temperature": "0.7"', '"temperature": "0.7"', '"temperature": "1"', "temperature"),
            ('"threshold": 1.0', '"threshold": 1.0', '"threshold": 0.9', "evaluator.threshold"),
        ],
    ),
    "nemo_skills": (
        ("nemo_skills/alpha-7b", "*rs*"),
        None,
        [('"id"', '"id"', '"judgement": "Judgement: No", "id"', "evaluator")],
    ),
    "LiveCodeBench": (
        ("livecodebench/output", "*"),
        None,
        [("codegeneration_5_0.2", "codegeneration_5_0.2", "codegeneration_5_0.8", "temperature")],
    ),
}
EACH = [
    pytest.param(
        *found, *difference, id=f"{tool}-{difference[-1]}", marks=[pytest.mark.wide] * (number > 1)
    )
    for tool, (*found, differences) in DIFFERENCES.items()
    for number, difference in enumerate(differences)
]


@cache
def files_of(place):
    """Return the files of a tool that are changed."""
    within, pattern = place
    held = DATA / within
    if held.is_file():
        with ZipFile(held) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    return {
        path.relative_to(DATA).as_posix(): path.read_bytes()
        for path in sorted(held.rglob("*"))
        if path.is_file() and PurePosixPath(path.relative_to(held)).match(pattern)
    }


@cache
def run_as_it_is(place, **told):
    """Load files as they are once for all tests."""
    return load(("run.zip", zipped(files_of(place))), columns=told).runs[0]


def first_run(place, told, old, new):
    """Load files with a text in their names and contents put in another's place."""
    if old == new:
        return run_as_it_is(place, **(told or {}))
    files = files_of(place)
    changed = {
        name.replace(old, new): data
        if name.endswith((".parquet", "_samples.jsonl", "logs.json"))
        else data.replace(old.encode(), new.encode())
        for name, data in files.items()
    }
    assert changed != files, "the text to change is not there"
    return load(("run.zip", zipped(changed)), columns=told).runs[0]


@pytest.mark.parametrize(("place", "told", "old", "one", "other", "name"), EACH)
def test_runs_that_differ_in_what_made_them_are_named_and_never_joined(
    place, told, old, one, other, name
):
    a, b = (first_run(place, told, old, new) for new in (one, other))
    assert name in [each.name for each in differing_settings(a, b) if each.is_stated]
    with pytest.raises(MetricError, match=rf"They differ in (?:.*, )?{name} \("):
        combine([a, b])


@pytest.mark.parametrize(
    ("place", "told", "old", "one", "other"),
    [
        (*DIFFERENCES["lm_eval"][:2], '"random_seed": 1', '"random_seed": 1', '"random_seed": 2'),
        (*DIFFERENCES["lm_eval"][:2], "127.0.0.1:8811", "127.0.0.1:8811", "10.0.0.7:80"),
        (*DIFFERENCES["AISBench"][:2], "'localhost'", "'localhost'", "'alice'"),
    ],
    ids=["seed", "endpoint", "host"],
)
def test_seed_and_host_keep_no_runs_apart(place, told, old, one, other):
    a, b = (first_run(place, told, old, new) for new in (one, other))
    assert {each.name for each in differing_settings(a, b)} & {"seed", "endpoint"}
    with pytest.raises(MetricError, match="one is a copy"):
        combine([a, b])
