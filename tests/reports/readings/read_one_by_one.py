"""Hold the readings against public answers that were read one by one: ids and labels are here.

The texts are others' and are not: give a folder with TIGER-AI-Lab/MMLU-Pro's `eval_results/*.zip`
(at f418b11) and GAIR-NLP/abel's `outputs/gsm8k/{7b,13b,70b}.jsonl` (at 3a24ef2) somewhere in it.

    uv run python -m tests.reports.readings.read_one_by_one FOLDER

A file `*.jsonl` of records of MMLU-Pro with `read_as`, the final answer as a reader took it (none
and several among them), is held against what is called missed or generous. A formula is that with
which a solution ends whose last sentence, the letter, is cut off.
"""

import json
import re
import sys
import zipfile
from pathlib import Path

import reports
from metrics.intervals.binomial import clopper_pearson
from reports.readings import formulas, numbers
from reports.readings.reader import Reader
from reports.readings.statements import SEVERAL

READ = Path(__file__).parents[2] / "data" / "readings" / "read_one_by_one.json"
LETTERS = "ABCDEFGHIJ"
_STATED = re.compile(
    r"^(.*?)\s*(?:Therefore, |So,? |Thus,? )?[Tt]he answer is \(?[A-J]\)?", re.DOTALL
)


def texts(folder):
    """Return the public answers by file and id."""
    found = {}
    for path in Path(folder).rglob("model_outputs_*_5shots.zip"):
        name = path.stem.removeprefix("model_outputs_").removesuffix("_5shots")
        with zipfile.ZipFile(path) as packed:
            (member,) = (each for each in packed.namelist() if each.endswith(".json"))
            for row in json.loads(packed.read(member)):
                said = row.get("generated_text") or row.get("model_outputs") or ""
                options = "\n".join(
                    f"{letter}. {text}"
                    for letter, text in zip(LETTERS, row["options"], strict=False)
                )
                found[name, row["question_id"]] = said, f"{row['question']}\n{options}"
    for path in Path(folder).rglob("*b.jsonl"):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            found[path.stem, int(row["id"])] = row["response"], ""
    return found


def taken(reader, text, prompt):
    """Return what a text states by the readings."""
    values = {each.value for each in reader.places(text, prompt)}
    if not values:
        return "none"
    return "several" if len(values) > 1 or SEVERAL in values else values.pop()


def same(kind, reader, label, got):
    """Whether a reading took what a person did."""
    if label in ("none", "several") or got in ("none", "several"):
        return label == got
    if kind == "formula":
        return reader.names(formulas.canonical(label))(got)
    return got == (numbers.canonical(label) if kind == "number" else label)


def wrongly_judged(folder):
    """Print how many of the verdicts called missed or generous are so, and of those how many are.

    A verdict is missed where it is wrong and a reader took the reference, and generous where it is
    right and a reader took another option.
    """
    for path in Path(folder).rglob("*.jsonl"):
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        rows = [row for row in rows if "read_as" in row]
        if not rows:
            continue
        for number, row in enumerate(rows):
            row |= {"question_id": number, "model": "all"}
            row["model_outputs"] = row.get("model_outputs") or row.pop("generated_text")
        file = ("model_outputs_x_5shots.json", json.dumps(rows).encode())
        (run,) = reports.load(file).runs
        found = reports.audit(run)
        called, really = set(), set()
        for number, row in enumerate(rows):
            place = run.outcomes.questions.index(str(number))
            called |= {(number, found.kinds[place, 0])}
            if run.outcomes.correct[place, 0] == 0 and row["read_as"] == row["answer"]:
                really.add((number, "missed"))
            if run.outcomes.correct[place, 0] == 1 and row["read_as"] not in (
                *("none", "several", row["answer"]),
            ):
                really.add((number, "generous"))
        called = {each for each in called if each[1] in ("missed", "generous")}
        tell(f"{path.name}, so of those called so", len(called & really), len(called))
        tell(f"{path.name}, called so of those so", len(called & really), len(really))


def tell(name, right, count):
    """Print a share with its interval."""
    low, high = clopper_pearson(right, count, 0.95)
    print(f"{name}: {right} of {count} ({low:.2f} to {high:.2f})")


def main(folder):
    """Print how many readings are as a person's, set by set."""
    wrongly_judged(folder)
    held = texts(folder)
    for name, labels in json.loads(READ.read_text()).items():
        kind = {"n": "number", "f": "formula"}.get(name[0], "option")
        reader, right = Reader(kind, LETTERS), 0
        for model, question, label in labels:
            text, prompt = held[model, question]
            if kind == "formula":
                text = _STATED.search(text)[1]
            right += same(kind, reader, label, taken(reader, text, prompt))
        tell(name, right, len(labels))


if __name__ == "__main__":
    main(sys.argv[1])
