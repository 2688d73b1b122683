"""Look for wrong numbers: ``python -m tests.reports.differential START STOP READER…``.

Each input is a real report or a table of known truth, changed by its reader and number alone, so
that any can be made again. What a reader may answer is the truth, a question, a refusal, or less
with a note; never a number that is wrong without one.
"""

import json
import random
import shutil
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

from reports import LoadError, load
from tests.reports import changed_reports, changed_tables
from tests.reports.changed_reports import corpus, notes, older

AISBENCH = (
    *("gsm8k_n5_two_models", "custom_mcq_n4", "gsm8k_n5_failed_requests", "gsm8k_demo_n5_nodump"),
    *("gsm8k_n1", "textvqa_n3", "math500_n8", "multi_subset_n4", "gsm8k_n3_num_prompts"),
)
OPENCOMPASS = ("n1", "n3_nodetails", "n4")
ANSWERS = ("true", "less", "wrong")


class Wrong(Exception):
    """A number that nothing excuses."""


def answer(case, source):
    """Return how an input was answered; raise `Wrong` if it should not have been so."""
    try:
        report = load(source)
    except LoadError as error:
        return type(error).__name__
    warned, told = notes(report, "warning", "problem"), notes(report)
    truth = {_key(key, case.truth): rows for key, rows in case.truth.items()}
    runs = {_key((run.model, run.dataset), case.truth): run for run in report.runs}
    answers = [_compared(runs[key], rows) for key, rows in truth.items() if key in runs]
    answers += ["less"] * (len(truth) - len(answers))
    answers += ["wrong" for key, run in runs.items() if key not in truth and run.outcomes]
    answers += ["wrong"] * (len(report.runs) > len(runs))
    worst = max(answers, key=ANSWERS.index)
    excuses = (told if worst == "less" else warned) - case.usual
    if worst != "true" and not excuses and not report.choices:
        raise Wrong(worst)
    for run in report.runs:
        texts = case.texts.get((run.model, run.dataset))
        if texts and run.has_texts and not warned - case.usual:
            _require_own_texts(run, texts)
    return worst if worst == "true" else f"{worst}, noted"


def _key(names, truth):
    """Name what there are several of: a column of one name need not be known."""
    models, datasets = ({key[i] for key in truth} for i in (0, 1))
    model, dataset = names
    return model if len(models) > 1 else "", dataset if len(datasets) > 1 else ""


def _compared(run, rows):
    if run.outcomes is None:
        return "less"
    correct, questions = run.outcomes.correct, run.outcomes.questions
    found = {
        question: ((row == 1).sum().item(), (row == 0).sum().item())
        for question, row in zip(questions, correct, strict=True)
    }
    if found.keys() == {*map(str, range(len(found)))} != rows.keys():  # numbered by row
        found, rows = (
            {str(i): row for i, row in enumerate(sorted(each.values()))} for each in (found, rows)
        )
    pairs = [(found.get(key, (0, 0)), rows.get(key, (0, 0))) for key in {*found, *rows}]
    if all(here == there for here, there in pairs):
        return "true"
    most = max(map(sum, rows.values()))
    if all(right <= rights and wrong <= most - rights for (right, wrong), (rights, _) in pairs):
        return "less"
    return "wrong"


def _require_own_texts(run, texts):
    try:
        said = run.texts(run.outcomes.questions[0]).predictions
    except LoadError:
        return
    if not {text for text in said if text is not None} <= texts:
        raise Wrong("texts of others")


def archives(cases):
    """Change a report and zip it."""

    def make(rng):
        case = changed_reports.change(rng.choice(cases), rng)
        return case, case.source

    return make


def folders(cases, place):
    """Change a report and lay it down."""

    def make(rng):
        shutil.rmtree(place, ignore_errors=True)
        case = changed_reports.change(rng.choice(cases), rng)
        for name, data in case.files.items():
            path = place / name.replace("\\", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return case, place

    return make


def older_forms(cases):
    """Put predictions in the older form first."""

    def make(rng):
        case = older(rng.choice(cases), rng)
        case = changed_reports.change(replace(case, changes=("older",)), rng)
        return case, case.source

    return make


def makers(place):
    """Return what makes the inputs of each reader from a random generator."""
    aisbench, opencompass = corpus("aisbench", *AISBENCH), corpus("opencompass", *OPENCOMPASS)
    return {
        "aisbench-zip": archives(aisbench),
        "aisbench-folder": folders(aisbench, place),
        "aisbench-older": older_forms(aisbench),
        "opencompass-zip": archives(opencompass),
        "opencompass-folder": folders(opencompass, place),
        **{reader: changed_tables.maker(reader) for reader in changed_tables.READERS},
    }


READERS = (
    *("aisbench-zip", "aisbench-folder", "aisbench-older", "opencompass-zip"),
    *("opencompass-folder", *changed_tables.READERS),
)


def wrong_answers(readers, numbers, place):
    """Return each input that was answered wrongly, and how often each answer came."""
    make = makers(place)
    found, answers = [], Counter()
    for reader in readers:
        for number in numbers:
            case, source = make[reader](random.Random(f"{reader} {number}"))
            try:
                answers[reader, answer(case, source)] += 1
            except Wrong as wrong:
                found.append((reader, number, case.changes, str(wrong)))
            except Exception as error:
                found.append((reader, number, case.changes, repr(error)))
    return found, answers


if __name__ == "__main__":
    start, stop, *readers = sys.argv[1:]
    numbers = range(int(start), int(stop))
    found, answers = wrong_answers(readers or READERS, numbers, Path("changed"))
    for line in found:
        print(json.dumps(line, ensure_ascii=False))
    for key, count in sorted(answers.items()):
        print(*key, count)
