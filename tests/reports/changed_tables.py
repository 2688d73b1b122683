"""Tables of known outcomes in many spellings, some of them with what must be noticed in them.

Each is made of its random generator alone: models, datasets, questions and samples, laid out long,
wide, in lists or as counts, in one of the formats.
"""

import csv
import io
import json
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.parquet as pq

READERS = (
    *("csv-long", "csv-wide", "csv-counts", "jsonl-long", "jsonl-lists", "json-long"),
    *("parquet-long", "parquet-wide", "parquet-counts", "parquet-lists"),
)
ROLES = {
    "model": ("model", "model_name", "model_id", "llm", "checkpoint", "engine", "agent", "Model"),
    "dataset": ("dataset", "benchmark", "task", "dataset_name", "eval_name", "suite"),
    "question": ("question_id", "id", "qid", "problem_id", "task_id", "idx", "题目", "question"),
    "sample": ("sample", "trial", "attempt", "sample_idx", "run", "epoch", "repeat", "样本"),
    "correct": ("correct", "is_correct", "passed", "verdict", "正确", "result", "success", "acc"),
}
USUAL = 3
"""So many names of a role are tried as often as all the others together."""
VERDICTS = (
    *((1, 0), (True, False), ("yes", "no"), ("pass", "fail"), ("correct", "incorrect")),
    *(("1", "0"), ("True", "False"), ("正确", "错误"), ("对", "错"), ("是", "否"), (1.0, 0.0)),
    *(("PASS", "FAIL"), ("right", "wrong"), ("success", "failure"), ("solved", "unsolved")),
)
QUESTIONS = ("{}", "q{}", "{:03}", "gsm8k_test_{}", "math/{}", "问题{}", "is it {}, or?", "1.{}")
MODELS = (
    ("alpha", "beta"),
    ("7", "70"),
    ("通义-7B", "Qwen/Qwen2"),
    ("m@1", "m@2"),
    ("a b", "a  b"),
)
EXTRAS = {
    "comment": lambda row, rng: rng.choice(["", "fine", 'says "no"', "a, b", "two\nlines"]),
    "row": lambda row, rng: None,
    "tokens_out": lambda row, rng: rng.randint(1, 900),
    "latency_s": lambda row, rng: round(rng.random(), 3),
    "subject": lambda row, rng: f"s{sum(map(ord, row['question'])) % 3}",
    "uuid": lambda row, rng: f"{rng.getrandbits(64):016x}",
    "nothing": lambda row, rng: None,
    "constant": lambda row, rng: "v1",
    "prompt": lambda row, rng: f"Question {row['question']}: how much?",
    "response": lambda row, rng: f"It is {rng.randint(0, 9)}.",
    "extracted": lambda row, rng: str(rng.randint(0, 9)),
    "date": lambda row, rng: "2026-03-01",
    "seed": lambda row, rng: row["sample"] + 40,
}
"""Columns that nobody needs, with what they hold."""


@dataclass(frozen=True)
class Case:
    """What a table holds; a run that no column names is called nothing."""

    truth: dict
    changes: tuple[str, ...]
    usual: frozenset[str] = frozenset()
    texts: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Layout:
    """How outcomes are spelled: the columns by their roles, and the words for right and wrong."""

    shape: str
    columns: dict
    words: tuple

    def lines(self, rows):
        if self.shape == "long":
            return [
                {column: row[role] for role, column in self.columns.items() if role != "correct"}
                | {self.columns["correct"]: self.words[not row["right"]]}
                for row in rows
            ]
        groups = {}
        for row in rows:
            key = tuple((self.columns[role], row[role]) for role in self.keys)
            groups.setdefault(key, []).append(row)
        return [dict(key) | self.together(samples) for key, samples in groups.items()]

    @property
    def keys(self):
        return [role for role in ("model", "dataset", "question") if role in self.columns]

    def together(self, rows):
        column = self.columns["correct"]
        said = [self.words[not row["right"]] for row in rows]
        if self.shape == "wide":
            return {f"{column}_{row['sample']}": word for row, word in zip(rows, said, strict=True)}
        if self.shape == "lists":
            return {column: said}
        return {"n": len(rows), "c": sum(row["right"] for row in rows)}

    def truth(self, lines):
        """How many samples of each question are right and wrong, by model and dataset."""
        truth = {}
        for line in lines:
            key = tuple(str(line.get(self.columns.get(role), "")) for role in ("model", "dataset"))
            run = truth.setdefault(key, {})
            right, wrong = run.get(line[self.columns["question"]], (0, 0))
            rights, wrongs = self.counted(line)
            run[line[self.columns["question"]]] = right + rights, wrong + wrongs
        return truth

    def counted(self, line):
        if self.shape == "counts":
            return line["c"], line["n"] - line["c"]
        said = [
            word
            for name, held in line.items()
            if name.startswith(self.columns["correct"])
            for word in (held if isinstance(held, list) else [held])
        ]
        return said.count(self.words[0]), said.count(self.words[1])


def outcomes(rng):
    """Samples of some models on some datasets."""
    models = rng.choice(MODELS)[: rng.choice([1, 2, 2])]
    datasets = ("gsm8k", "aime")[: rng.choice([1, 1, 2])]
    count, n = rng.randint(2, 9), rng.choice([1, 2, 3, 4, 5, 8])
    name, first = rng.choice(QUESTIONS), rng.choice([0, 1])
    rows = []
    for model in models:
        for dataset in datasets:
            level = rng.random()
            for question in range(count):
                chance = level + rng.uniform(-0.4, 0.4)
                rows += [
                    {
                        "model": model,
                        "dataset": dataset,
                        "question": name.format(question),
                        "sample": first + sample,
                        "right": rng.random() < chance,
                    }
                    for sample in range(n)
                ]
    return rows


def named(role, rng):
    names = ROLES[role]
    return rng.choice(names[:USUAL] if rng.random() < 0.5 else names)


def layout(rng, shape, rows):
    """Name every role that is needed to tell samples apart, and perhaps one that is not."""
    several = {role: len({row[role] for row in rows}) > 1 for role in ("model", "dataset")}
    columns = {role: named(role, rng) for role in several if several[role] or rng.random() < 0.3}
    columns["question"] = named("question", rng)
    if shape == "long" and rng.random() < 0.6:
        columns["sample"] = named("sample", rng)
    columns["correct"] = named("correct", rng)
    words = rng.choice(VERDICTS[:USUAL] if rng.random() < 0.4 else VERDICTS)
    return Layout(shape, columns, words)


def with_extras(lines, rows, rng):
    for extra in rng.sample(sorted(EXTRAS), rng.choice([0, 0, 1, 3])):
        lines = [
            line | {extra: EXTRAS[extra](row, rng)} for line, row in zip(lines, rows, strict=True)
        ]
    return lines


def in_other_order(lines, rng):
    columns = list(lines[0])
    rng.shuffle(columns)
    return [{column: line[column] for column in columns} for line in lines]


def dropped(lines, rng, layout):
    """Some rows are missing; each run has one question left that others have too."""
    column = layout.columns["question"]
    kept = lines[0][column]
    return [line for line in lines if line[column] == kept or rng.random() >= 0.2]


def doubled(lines, rng, _layout):
    """Some rows occur twice."""
    return lines + rng.sample(lines, rng.randint(1, len(lines)))


def unjudged(lines, rng, layout):
    """Some verdicts are missing."""
    column = layout.columns["correct"]
    return [
        line | ({column: None} if column in line and rng.random() < 0.2 else {}) for line in lines
    ]


def headed(lines, rng, _layout):
    """The header stands among the rows again."""
    at = rng.randint(1, len(lines))
    return [*lines[:at], {name: name for name in lines[0]}, *lines[at:]]


def _noticed(kind, shape):
    """What can happen to such a table; nothing tells that two questions of a name are one."""
    yield from (dropped, unjudged)
    if shape == "long":
        yield doubled
    if kind == "csv":
        yield headed


def shows(change, layout):
    """Whether a table shows that it was changed; otherwise what it says is the truth."""
    if change in (dropped, doubled):
        return "sample" in layout.columns
    return change is headed


def as_csv(lines, rng):
    delimiter = rng.choice(",,,;\t|")
    ends = rng.choice(["\n", "\n", "\r\n"])
    quoting = rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    buffer = io.StringIO()
    writer = csv.DictWriter(
        buffer, list(lines[0]), delimiter=delimiter, lineterminator=ends, quoting=quoting
    )
    writer.writeheader()
    writer.writerows(lines)
    text = buffer.getvalue()
    encoding = rng.choice(["utf-8"] * 6 + ["utf-8-sig", "utf-16", "gbk"])
    return f"table.{rng.choice(['csv', 'csv', 'tsv', 'txt'])}", text, encoding


def as_jsonl(lines, rng):
    shuffled = []
    for line in lines:
        keys = list(line)
        if rng.random() < 0.3:
            rng.shuffle(keys)
        shuffled.append(
            {key: line[key] for key in keys if line[key] is not None or rng.random() < 0.5}
        )
    escaped = rng.random() < 0.5
    text = "\n".join(json.dumps(line, ensure_ascii=escaped) for line in shuffled)
    return "table.jsonl", text + rng.choice(["", "\n", "\n\n"]), "utf-8"


def as_json(lines, rng):
    return "table.json", json.dumps(lines, indent=rng.choice([None, 1])), "utf-8"


def as_parquet(lines, rng):
    table = pa.table({name: [line.get(name) for line in lines] for name in lines[0]})
    buffer = io.BytesIO()
    pq.write_table(
        table,
        buffer,
        row_group_size=rng.choice([None, 1, 3]),
        use_dictionary=rng.random() < 0.5,
        compression=rng.choice(["none", "snappy"]),
    )
    return "table.parquet", buffer.getvalue(), None


WRITERS = {"csv": as_csv, "jsonl": as_jsonl, "json": as_json, "parquet": as_parquet}


def cut(data, rng, name):
    """The end is missing, from within a row on that has more columns."""
    if not name.endswith((".csv", ".tsv", ".txt", ".jsonl")):
        return data[: rng.randrange(1, len(data))]
    lines = data.splitlines(keepends=True)
    kept = rng.randrange(min(1, len(lines) - 1), len(lines))
    return b"".join(lines[:kept]) + lines[kept][: rng.randrange(1, 4)]


def maker(reader):
    """Return what makes tables of a format and shape."""
    kind, shape = reader.split("-")

    def make(rng):
        rows = outcomes(rng)
        spelled = layout(rng, shape, rows)
        lines = spelled.lines(rows)
        changes = [*map("=".join, spelled.columns.items()), "{}/{}".format(*spelled.words)]
        if shape == "long":
            lines = with_extras(lines, rows, rng)
        if rng.random() < 0.5:
            rng.shuffle(lines)
        if rng.random() < 0.5:
            lines = in_other_order(lines, rng)
        truth = spelled.truth(lines)
        if rng.random() < 0.4:
            change = rng.choice([*_noticed(kind, shape)])
            lines = change(lines, rng, spelled)
            changes.append(change.__name__.upper())
            if not shows(change, spelled):
                truth = spelled.truth(lines)
            elif change is dropped:  # all samples of a question are missed by nobody
                left = spelled.truth(lines)
                truth = {key: {name: truth[key][name] for name in run} for key, run in left.items()}
        name, data, encoding = WRITERS[kind](lines, rng)
        if encoding:
            changes.append(encoding)
            data = data.encode(encoding, "replace")
        if rng.random() < 0.1 and encoding in (None, "utf-8"):
            data = cut(data, rng, name)
            changes.append("CUT")
        return Case(truth, (*changes, *lines[0])), (name, data)

    return make
