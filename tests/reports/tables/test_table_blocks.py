"""A column that splits a table into blocks which repeat its questions is asked about."""

import numpy as np
import pyarrow as pa
import pytest

from reports import load
from reports.files.errors import LoadError, RoleChoice
from reports.tables import folding
from tests.reports.tables.written_tables import delimited, feathered, lines, only, parquet

QUESTIONS, SAMPLES = 12, 4
RIGHT = {"x": 0.25, "y": 0.75}
"""The mean of each block, by construction: one sample of four right, or three."""

csv = delimited(",")
WRITTEN = {"t.csv": csv, "t.jsonl": lines, "t.parquet": parquet, "t.feather": feathered}


def long(**columns):
    """Write two blocks of each question: rows by block, question and sample."""
    block, question, sample = np.indices((2, QUESTIONS, SAMPLES)).reshape(3, -1)
    correct = (sample < np.where(block == 0, 1, 3)).astype(int)
    about = {"block": block, "question": question, "sample": sample}
    made = {name: make(**about) for name, make in columns.items()}
    return pa.table({"question_id": [f"q{q}" for q in question], "correct": correct, **made})


def called(*names):
    return lambda block, **_: [names[b] for b in block]


def numbered(sample, **_):
    return sample


def means(report):
    return {
        (run.model, run.dataset): (run.outcomes.shape, float(run.outcomes.correct.mean()))
        for run in report.runs
    }


def asked(name, data, **options):
    with pytest.raises(RoleChoice) as caught:
        load((name, data), **options)
    return caught.value


NAMES = (
    *("model_id", "llm", "checkpoint", "engine", "agent", "benchmark", "task", "prompt_version"),
    *("variant", "flavour", "type", "run"),
)


@pytest.mark.wide
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("with_samples", "shuffled"), [(False, True), (True, False)])
def test_what_repeats_every_question_is_asked_about(name, with_samples, shuffled):
    table = long(**{name: called("x", "y")}, **({"sample": numbered} if with_samples else {}))
    if shuffled:
        table = table.take(np.random.default_rng(0).permutation(len(table)))
    choice = asked("t.csv", csv(table))
    assert choice.column == name
    assert {*choice.roles} == {"model", "dataset", "setting", "other"}
    assert "2 blocks that may each repeat the questions" in str(choice)


@pytest.mark.wide
@pytest.mark.parametrize("name", NAMES[3:5])
@pytest.mark.parametrize("with_samples", [False, True])
def test_what_repeats_every_question_is_what_it_is_said_to_be(name, with_samples):
    table = long(**{name: called("x", "y")}, **({"sample": numbered} if with_samples else {}))
    apart = {"model": ("{}", "t"), "dataset": ("t", "{}"), "setting": (f"t, {name}={{}}", "t")}
    for role, (model, dataset) in apart.items():
        report = load(("t.csv", csv(table)), columns={role: name})
        assert means(report) == {
            (model.format(v), dataset.format(v)): ((QUESTIONS, SAMPLES), mean)
            for v, mean in RIGHT.items()
        }
    report = load(("t.csv", csv(table)), columns={"other": name})
    assert means(report) == {("t", "t"): ((QUESTIONS, 2 * SAMPLES), 0.5)}


@pytest.mark.parametrize("name", WRITTEN)
def test_every_format_asks(name):
    table = long(temperature=called(0.0, 0.7), sample=numbered)
    write = WRITTEN[name]
    assert asked(name, write(table)).roles[0] == "setting"
    report = load((name, write(table)), columns={"setting": "temperature"})
    assert sorted(mean for _, mean in means(report).values()) == [0.25, 0.75]


@pytest.mark.parametrize(
    "table",
    [
        pa.table({"id": [*"ab"] * 2, "llm": [*"xxyy"], "r1": [1, 0, 0, 0], "r2": [1, 1, 0, 1]}),
        pa.table({"question": [*"ab"] * 2, "llm": [*"xxyy"], "r1": [1, 0] * 2, "r2": [1, 1] * 2}),
        pa.table({"id": [*"ab"] * 2, "llm": [*"xxyy"], "correct": [[1, 0]] * 4}),
        pa.table({"id": [*"ab"] * 2, "llm": [*"xxyy"], "n": [4] * 4, "c": [1, 2, 3, 4]}),
    ],
)
def test_tables_of_every_shape_ask(table):
    choice = asked("t.parquet", parquet(table))
    assert (choice.column, choice.roles) == ("llm", ("model", "dataset", "setting"))
    report = load(("t.parquet", parquet(table)), columns={"model": "llm"})
    assert [(run.model, len(run.outcomes.questions)) for run in report.runs] == [("x", 2), ("y", 2)]


def test_ids_that_begin_anew_in_each_part_are_asked_about_though_the_parts_differ_in_length():
    parts = [(part, q) for part, count in (("u", 5), ("v", 9), ("w", 2)) for q in range(count)]
    rows = [{"id": q, "subject": part, "correct": 1} for part, q in parts]
    data = csv(pa.Table.from_pylist(rows))
    assert asked("t.csv", data).column == "subject"
    report = load(("t.csv", data), columns={"dataset": "subject"})
    assert [run.outcomes.shape for run in report.runs] == [(5, 1), (9, 1), (2, 1)]


def test_samples_numbered_anew_are_asked_about_though_many_are_missing():
    rng = np.random.default_rng(1)
    table = long(flavour=called("x", "y"), sample=numbered)
    table = table.take(np.flatnonzero(rng.random(len(table)) < 0.7))
    assert asked("t.csv", csv(table)).column == "flavour"


def test_two_columns_that_split_are_asked_about_one_after_the_other():
    def flavour(sample, **_):
        return [*map("ab".__getitem__, sample % 2)]

    table = long(temperature=called(0.0, 0.7), flavour=flavour)
    first = asked("t.csv", csv(table))
    told = first.answered({}, "setting")
    second = asked("t.csv", csv(table), columns=told)
    assert {first.column, second.column} == {"temperature", "flavour"}
    report = load(("t.csv", csv(table)), columns=second.answered(told, "setting"))
    assert {run.model: run.outcomes.shape for run in report.runs} == {
        f"t, temperature={t}, flavour={f}": (QUESTIONS, SAMPLES // 2)
        for t in ("0", "0.7")
        for f in "ab"
    }


def test_a_second_name_of_each_model_is_nothing_to_ask_about():
    table = long(model=called("x", "y"), model_path=called("/x", "/y"))
    assert [*means(load(("t.csv", csv(table))))] == [("x", "t"), ("y", "t")]


def test_a_model_that_is_named_throughout_is_the_model_of_the_run():
    table = long(model=called("x", "y"), benchmark=called("maths", "maths"))
    assert [*means(load(("t.csv", csv(table))))] == [("x", "maths"), ("y", "maths")]


@pytest.mark.wide
@pytest.mark.parametrize("n", [2, 3, 8])
@pytest.mark.parametrize("seed", range(4))
def test_what_comes_of_the_samples_is_nothing_to_ask_about(n, seed):
    rng = np.random.default_rng(seed)
    rows, m = 40 * n, 40
    table = pa.table(
        {
            "question_id": np.repeat(np.arange(m), n),
            "correct": rng.integers(0, 2, rows),
            "finish": np.where(rng.random(rows) < 0.05, "length", "stop"),
            "letter": rng.choice([*"ABCD"], rows),
            "turns": rng.integers(1, 4, rows),
            "flag": rng.random(rows) < 0.5,
            "topic": np.repeat(rng.choice([*"uvw"], m), n),
            "seed_used": np.tile(np.arange(n) + 1000, m),
            "sample": np.tile(np.arange(n), m),
        }
    )
    assert only("t.csv", csv(table)).outcomes.shape == (m, n)


def test_a_column_that_counts_the_rows_of_a_question_is_taken_to_number_the_samples():
    table = long(durchgang=lambda block, sample, **_: 1 + sample + SAMPLES * block)
    report = load(("t.csv", csv(table)))
    assert report.runs[0].outcomes.shape == (QUESTIONS, 2 * SAMPLES)
    assert "durchgang seems to number the samples" in " ".join(str(n.what) for n in report.notes)


@pytest.mark.parametrize("name", ["engine", "flavour"])
@pytest.mark.parametrize("anew", [False, True])
def test_a_folded_table_asks_the_same(name, anew, tmp_path, monkeypatch):
    def samples(block, sample, **_):
        return sample if anew else sample + SAMPLES * block

    path = tmp_path / "t.parquet"
    path.write_bytes(parquet(long(**{name: called("x", "y")}, sample=samples)))
    with pytest.raises(RoleChoice) as ordinary:
        load(path)
    monkeypatch.setattr(folding, "ROWS", 1)
    with pytest.raises(RoleChoice) as folded:
        load(path)
    assert str(folded.value) == str(ordinary.value)
    assert sorted(mean for _, mean in means(load(path, columns={"model": name})).values()) == [
        0.25,
        0.75,
    ]


def test_a_folded_table_is_named_the_same(tmp_path, monkeypatch):
    path = tmp_path / "t.parquet"
    path.write_bytes(
        parquet(long(llm=called("z", "z"), sample=lambda block, sample, **_: 9 * block + sample))
    )
    ordinary = load(path)
    monkeypatch.setattr(folding, "ROWS", 1)
    monkeypatch.setattr(
        "reports.tables.formats.parquet.gather", lambda *_: pytest.fail("not folded")
    )
    assert means(load(path)) == means(ordinary)
    assert load(path).runs[0].model == "z"


@pytest.mark.parametrize("rows", [1, 10**9])
def test_missing_samples_are_counted(rows, tmp_path, monkeypatch):
    monkeypatch.setattr(folding, "ROWS", rows)
    cells = [(q, s) for q in range(5) for s in range(4) if (q, s) not in {(0, 1), (3, 0), (3, 3)}]
    ids, samples = zip(*cells, strict=True)
    table = {"id": ids, "sample": samples, "correct": [s == 0 for s in samples]}
    path = tmp_path / "t.parquet"
    path.write_bytes(parquet({name: list(values) for name, values in table.items()}))
    (run,) = load(path).runs
    assert (run.outcomes.correct >= 0).sum(axis=1).tolist() == [3, 4, 4, 2, 4]
    assert (run.outcomes.correct == 1).sum(axis=1).tolist() == [1, 1, 1, 0, 1]
    (note,) = run.notes
    assert (note.count, note.severity) == (3, "warning")
    assert "3 samples are missing: questions have 2 to 4 of 4." in str(note.what)


@pytest.mark.parametrize("numbered_anew", [False, True])
def test_where_samples_are_uneven_any_words_that_differ_are_asked_about(numbered_anew):
    rng = np.random.default_rng(0)
    samples = {"sample": numbered, "turn_": lambda sample, **_: sample} if numbered_anew else {}
    table = long(colour=called("x", "y"), **samples)
    lost = (rng.random(len(table)) < 0.4) & (np.array(table["colour"].to_pylist()) == "y")
    table = table.take(rng.permutation(np.flatnonzero(~lost)))
    assert asked("t.csv", csv(table)).column == "colour"


def test_runs_that_are_numbered_are_samples_and_runs_with_names_are_not():
    rows = [(q, run, (q + run) % 2) for q in range(6) for run in range(3)]
    for spelled in ("run_{}", "run {}", "{}", "sample-{}"):
        data = "id,run,correct\n" + "".join(f"{q},{spelled.format(s)},{c}\n" for q, s, c in rows)
        assert only("t.csv", data.encode()).outcomes.shape == (6, 3)
    data = "id,run,correct\n" + "".join(f"{q},qwen{s},{c}\n" for q, s, c in rows)
    assert asked("t.csv", data.encode()).column == "run"


@pytest.mark.parametrize("models", [1, 10])
def test_numbers_that_stand_twice_in_a_question_are_asked_about(models):
    """A run of several samples is no sample, of however many models on questions of their own."""
    every = [(m, q, i) for m in range(models) for q in range(6) for i in range(4)]
    rows = [
        {"model": f"m{m}", "id": f"{m}.{q}", "run": i % 2, "correct": i // 2} for m, q, i in every
    ]
    assert asked("t.csv", csv(pa.Table.from_pylist(rows))).column == "run"
    copies = pa.Table.from_pylist([{**row, "correct": 1} for row in rows])
    with pytest.raises(LoadError, match="remove duplicate rows"):
        load(("t.csv", csv(copies)))
