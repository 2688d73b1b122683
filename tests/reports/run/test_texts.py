"""Texts of questions: those of the prediction files, in the order of the truth, and of details.

What is expected is read here from the prediction files with the standard library alone: the lines
of an id in their order are its samples.
"""

import io
import json
import re
import zipfile
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from metrics.data.outcomes import FAILED
from reports import load
from tests.reports.evaluations.aisbench_archives import loaded
from tests.reports.evaluations.quizzes import packed

DATA = Path(__file__).parents[2] / "data"
AISBENCH = sorted((DATA / "aisbench").glob("*.zip"))
OPENCOMPASS = sorted((DATA / "opencompass").glob("*.zip"))


VALUE = re.compile(r"\[(.*), '.*'\]")
"""A formula as its evaluator spells it: its value and how it was written."""


@cache
def texts_of(path, place):
    """Read the texts of a run of a report once, question by question."""
    run = loaded(path).runs[place]
    return [run.texts(question) for question in run.outcomes.questions]


@cache
def members(path):
    with zipfile.ZipFile(path) as files:
        return {info.filename: files.read(info) for info in files.infolist() if not info.is_dir()}


def truth(path):
    return json.loads(path.with_suffix(".json").read_text())


def written(path, model, dataset):
    """The records of each id in the order of the prediction file."""
    (name,) = (name for name in members(path) if f"predictions/{model}/{dataset}.jsonl" in name)
    found = defaultdict(list)
    for line in members(path)[name].splitlines():
        record = json.loads(line)
        found[record["id"]].append(record)
    return found


def prompt_of(record):
    """The texts of a prompt, one after the other."""
    prompt = record["origin_prompt"]
    if isinstance(prompt, str):
        return [prompt]
    parts = [part for message in prompt for part in [message["prompt"]]]
    flat = [piece for part in parts for piece in (part if isinstance(part, list) else [part])]
    return [piece.get("text", "") if isinstance(piece, dict) else piece for piece in flat]


@pytest.mark.parametrize("path", AISBENCH, ids=lambda path: path.stem)
def test_samples_have_the_texts_of_their_prediction_lines(path):
    for place, run in enumerate(loaded(path).runs):
        lines = written(path, run.model, run.dataset)
        n = run.outcomes.shape[1]
        assert run.has_texts
        for row, texts in enumerate(texts_of(path, place)):
            question = run.outcomes.questions[row]
            records = lines[int(question)]
            said = [record["prediction"] for record in records]
            assert texts.question == question
            assert texts.predictions == (*said, *[None] * (n - len(said)))
            assert (run.outcomes.correct[row, len(said) :] == FAILED).all()
            if records:
                assert [turn.text for turn in texts.prompt] == prompt_of(records[0])
                gold = records[0].get("gold")
                assert texts.reference == gold or isinstance(gold, list)


@pytest.mark.wide
@pytest.mark.parametrize("path", AISBENCH, ids=lambda path: path.stem)
def test_verdicts_and_texts_are_of_the_same_sample(path):
    """What the tool's own evaluator said of a text holds wherever the text is the same."""
    for place, run in enumerate(loaded(path).runs):
        entry = truth(path)[run.model][run.dataset]
        for row, texts in enumerate(texts_of(path, place)):
            verdicts = defaultdict(set)
            for text, right in zip(texts.predictions, run.outcomes.correct[row], strict=True):
                if right >= 0:
                    verdicts[text].add(int(right))
            assert all(len(found) == 1 for found in verdicts.values())
        assert entry["num_questions"] == len(run.outcomes.questions)


@pytest.mark.parametrize("path", OPENCOMPASS, ids=lambda path: path.stem)
def test_numbered_predictions_run_replica_by_replica(path):
    for run in loaded(path).runs:
        parts = sorted(name for name in members(path) if f"predictions/{run.model}/" in name)
        records = [record for name in parts for record in json.loads(members(path)[name]).values()]
        d, n = run.outcomes.shape
        assert len(records) == d * n
        for q, question in enumerate(run.outcomes.questions):
            texts = run.texts(question)
            mine = [records[r * d + q] for r in range(n)]
            assert texts.predictions == tuple(record["prediction"] for record in mine)
            assert texts.reference == mine[0]["gold"]
            assert [turn.text for turn in texts.prompt] == prompt_of(mine[0])


@pytest.mark.wide
@pytest.mark.parametrize("path", [*AISBENCH, *OPENCOMPASS], ids=lambda path: path.stem)
def test_answers_are_what_the_results_extracted(path):
    """Labels of codes are those of the flat list of the details, in whatever order it stands."""
    for place, run in enumerate(loaded(path).runs):
        (name,) = (n for n in members(path) if f"results/{run.model}/{run.dataset}.json" in n)
        details = json.loads(members(path)[name]).get("details")
        answers = [answer for texts in texts_of(path, place) for answer in texts.answers]
        assert len(run.answer_labels) == len(set(run.answer_labels)) == run.answers.max() + 1
        if isinstance(details, list) and "textvqa" not in run.dataset:
            flat = [a for entry in details for a in entry.get("parsed", entry["pred"])]
            kept = [VALUE.sub(r"\1", a) for a in flat if a not in ("NULL", "[]", "")]
            failed = (run.outcomes.correct == FAILED).sum()
            assert sorted(filter(None, answers)) == sorted(kept) or failed


def forms(path, tmp_path):
    """A report as zip, folder, that within another, upload and open file."""
    with zipfile.ZipFile(path) as files:
        files.extractall(tmp_path / path.stem)
    data = path.read_bytes()
    return [path, tmp_path / path.stem, tmp_path, (path.name, data), io.BytesIO(data)]


@pytest.mark.wide
@pytest.mark.parametrize("path", [*AISBENCH[::4], *OPENCOMPASS[:1]], ids=lambda path: path.stem)
def test_it_does_not_matter_what_a_report_is_packed_in(path, tmp_path):
    first, *others = (
        [
            (run.outcomes.digest, *map(run.texts, run.outcomes.questions[::9]))
            for run in load(form).runs
        ]
        for form in forms(path, tmp_path)
    )
    assert all(other == first for other in others)


def without(path, part):
    """A report without its predictions or results."""
    return {name: data for name, data in members(path).items() if f"/{part}/" not in name}


HOLDING = {"custom_mcq_n1", "custom_mcq_n4", "gsm8k_n1", "multi_subset_n4", "textvqa_n3"}


@pytest.mark.wide
@pytest.mark.parametrize("path", AISBENCH, ids=lambda path: path.stem)
def test_details_give_the_texts_that_they_hold(path):
    """Unscrambled or question by question, they are those of the prediction lines."""
    whole = {
        (run.model, run.dataset): (run, texts_of(path, place))
        for place, run in enumerate(loaded(path).runs)
    }
    held = 0
    for run in load(("report.zip", packed(without(path, "predictions")))).runs:
        if run.outcomes is None:
            continue
        like, known = whole[run.model, run.dataset]
        if run.outcomes.shape != like.outcomes.shape:
            continue
        for question, others in zip(run.outcomes.questions, known, strict=True):
            texts = run.texts(question)
            assert texts.answers == others.answers or None in others.predictions
            for mine, theirs in zip(texts.predictions, others.predictions, strict=True):
                assert mine is None or theirs is None or mine.strip() == theirs.strip()
                held += mine is not None
            if texts.prompt:
                assert texts.prompt == others.prompt
            assert texts.reference in others.reference or texts.reference.startswith("[")
    assert bool(held) is (path.stem in HOLDING)
