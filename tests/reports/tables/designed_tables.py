"""Tables as people have them, of known outcomes: 27 ways to write ids, 14 of verdicts, 7 layouts.

Each is made of its seed alone. It says whether it is unambiguous: whether one reading of its
columns alone fits, by names and words that say what they are or by a design that cannot be chance.
"""

import csv
import io
import json
import random
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq


def _text(question):
    return f"What is {question} plus {question * 7 % 11}?"


IDS = {
    "question_id": "q{:03}".format,
    "Question ID": "gsm8k/{}".format,
    "qid": int,
    "problem_id": "1.{}".format,
    "task_id": "HumanEval/{}".format,
    "doc_id": int,
    "instance_id": "django__django-{}".format,
    "题号": int,
    "id": int,
    "idx": int,
    "index": int,
    "uuid": "{:032x}".format,
    "": "q{}".format,
    "uid": "q{:03}".format,
    "item_id": int,
    "prompt_id": "p{}".format,
    "example_id": "{:08x}".format,
    "test_case": "case {}".format,
    "prompt_hash": "{:016x}".format,
    "aufgabe": "A{}".format,
    "题目": "第{}题".format,
    "question": _text,
    "problem": _text,
    "问题": "{}加一等于几？".format,
    "prompt": _text,
    "name": "n{}".format,
    "stimulus": "s{}".format,
}
"""By the name of the column, from the number of a question."""
OPEN_IDS = ("name", "stimulus", "index", "")
"""Names that say next to nothing: a design has to say it, or the user."""

VERDICTS = (
    *(("correct", "1", "0"), ("correct", "True", "False"), ("is_correct", "yes", "no")),
    *(("passed", "PASS", "FAIL"), ("correct", "WAHR", "FALSCH"), ("是否正确", "是", "否")),
    *(("Is Correct?", "✓", "✗"), ("correct", "VRAI", "FAUX"), ("verdict", "right", "wrong")),
    *(("result", "pass", "fail"), ("score", "1.0", "0.0"), ("ok?", "Y", "N")),
    *(("correct", "C", "I"), ("judged", "good", "bad")),
)
RIGHT = {right for _, right, _ in VERDICTS}
OPEN_VERDICTS = ("C", "good")
LONG_ONLY = ("verdict", "result", "ok?", "judged")
"""Names of verdicts that numbered columns and lists do not have."""
LAYOUTS = ("long", "unnumbered", "wide", "brackets", "lists", "counts", "blocks")
EXTRAS = {
    "row": lambda q, s, n, rng: n,
    "request": lambda q, s, n, rng: f"{rng.getrandbits(64):016x}",
    "tokens": lambda q, s, n, rng: rng.randint(1, 900),
    "latency_s": lambda q, s, n, rng: round(rng.random(), 3),
    "topic": lambda q, s, n, rng: "uvw"[q % 3],
    "subject": lambda q, s, n, rng: "xy"[q % 2],
    "finish": lambda q, s, n, rng: rng.choice(["stop", "stop", "stop", "length"]),
    "reward": lambda q, s, n, rng: round(rng.random(), 3),
    "error": lambda q, s, n, rng: rng.choice(["", "NaN", "none"]),
    "response": lambda q, s, n, rng: f"It is {rng.randint(0, 99)}.",
    "answer": lambda q, s, n, rng: q * 3,
    "comment": lambda q, s, n, rng: rng.choice(["", "fine", "a; b"]),
    "version": lambda q, s, n, rng: "v1",
    "empty": lambda q, s, n, rng: "",
    "k": lambda q, s, n, rng: 5,
    "batch": lambda q, s, n, rng: n // 10,
    "worker_id": lambda q, s, n, rng: rng.randint(1, 4),
    "timestamp": lambda q, s, n, rng: 1_700_000_000 + 7 * n,
    "flag": lambda q, s, n, rng: rng.randint(0, 1),
}
"""Columns that nobody needs, by question, sample and row."""
OF_QUESTIONS = ("topic", "subject", "answer", "version", "empty", "comment")
ROW_NAMES = ("index", "Unnamed: 0", "uuid", "row_number", "id")


@dataclass(frozen=True)
class Designed:
    """A table and its truth.

    Attributes
    ----------
    name, data
        The file.
    truth : list
        Of each run, sorted, the (right, wrong) samples of its questions, sorted.
    unambiguous : bool
    about : str
        How it was made.
    """

    name: str
    data: bytes
    truth: list
    unambiguous: bool
    about: str


def designed(seed):
    rng = random.Random(seed)
    column, spell = rng.choice([*IDS.items()])
    verdict, right, wrong = rng.choice(VERDICTS)
    layout = rng.choice(LAYOUTS)
    samples = rng.randint(2, 6)
    numbers = rng.sample(range(1, 400), rng.randint(6, 30))
    cells = {
        (block, q): [rng.random() < (0.3 if block == "a" else 0.6) for _ in range(samples)]
        for block in (["a", "b"] if layout == "blocks" else [""])
        for q in numbers
    }
    truth = {}
    for (block, _), held in cells.items():
        truth.setdefault(block, []).append((sum(held), samples - sum(held)))
    rows = [
        {column: spell(q), **({"policy": block} if block else {}), **cell, ".": (q, s)}
        for (block, q), held in cells.items()
        for s, cell in enumerate(_cells(layout, verdict, [right if h else wrong for h in held]))
    ]
    if rng.random() < 0.5:
        rng.shuffle(rows)
    alone = layout in ("long", "unnumbered", "blocks")
    extras = [
        name for name in rng.sample([*EXTRAS], rng.randint(0, 4)) if alone or name in OF_QUESTIONS
    ]
    numbered = rng.choice([*ROW_NAMES, *([None] * 9)])
    for n, row in enumerate(rows):
        q, s = row.pop(".")
        row |= {name: EXTRAS[name](q, s, n, rng) for name in extras}
        if numbered and numbered != column:
            row[numbered] = f"{rng.getrandbits(64):016x}" if numbered == "uuid" else n
    names = [*rows[0]]
    rng.shuffle(names)
    names.sort(key=lambda name: name != "")  # what pandas leaves unnamed comes first
    form = "jsonl" if layout == "lists" else rng.choice(["csv", "csv", "parquet", "jsonl"])
    form = form if column else "csv"
    unambiguous = (
        layout != "blocks"
        and (layout == "counts" or right not in OPEN_VERDICTS)
        and (layout not in ("lists", "wide", "brackets") or verdict not in LONG_ONLY)
        and (layout == "long" or column not in OPEN_IDS)
        and not (layout == "counts" and all(sum(held) <= 1 for held in cells.values()))
        and not (verdict == "score" and "reward" in extras)
        and not (layout == "unnumbered" and "batch" in extras)  # which parts the rows
    )
    return Designed(
        f"t.{form}",
        _written(form, [{name: row[name] for name in names} for row in rows]),
        sorted(map(sorted, truth.values())),
        unambiguous,
        f"{seed}: {column!r} {verdict} {right} {layout} {form} {numbered} {extras}",
    )


def _cells(layout, verdict, words):
    """Lay the samples of a question out, in one row or several."""
    right = [word in RIGHT for word in words]
    if layout == "counts":
        return [{"attempts": len(words), "passed": sum(right)}]
    if layout == "lists":
        return [{verdict: [*map(int, right)]}]
    if layout in ("wide", "brackets"):
        form = "{}_{}" if layout == "wide" else "{}[{}]"
        return [{form.format(verdict, s): word for s, word in enumerate(words)}]
    if layout == "unnumbered":
        return [{verdict: word} for word in words]
    return [{"sample": s, verdict: word} for s, word in enumerate(words)]


def _written(form, table):
    if form == "jsonl":
        return "\n".join(json.dumps(row, ensure_ascii=False) for row in table).encode()
    if form == "parquet":
        buffer = io.BytesIO()
        pq.write_table(pa.Table.from_pylist(table), buffer)
        return buffer.getvalue()
    text = io.StringIO()
    writer = csv.DictWriter(text, [*table[0]])
    writer.writeheader()
    writer.writerows(table)
    return text.getvalue().encode()
