"""What stands beside the samples of a table: signals, labels, positions, facts and embeddings."""

import json
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from kofn.workers.wire import pack, unpack
from metrics import Facts
from reports import LoadError, load, tables
from reports.tables import folding
from reports.tables.samples.lists import embeddings

QUESTIONS, SAMPLES = 5, 4
GOLD = {"q0": ["a", "b"], "q1": ["c"], "q2": ["a", "d", "日"], "q3": [], "q4": ["e"]}


def rows():
    """Samples in an order in which those of a question stand apart."""
    rng = np.random.default_rng(3)
    found = []
    for sample in range(SAMPLES):
        for question in range(QUESTIONS):
            name = f"q{question}"
            found.append(
                {
                    "model": "cedar",
                    "dataset": "maths",
                    "question_id": name,
                    "sample": sample,
                    "correct": int(rng.random() < 0.5),
                    "reward-v1": rng.normal(),
                    "reward-v2": rng.normal(),
                    "judge_a": bool(rng.random() < 0.5),
                    "position": (sample + question) % SAMPLES + 1,
                    "text": f"answer {question} {sample}",
                    "human": None if sample else question % 2,
                    "human_probability": 0.25,
                    "human_group": None if question > 2 else question % 2,
                    "gold_facts": GOLD[name],
                    "facts": [f for f in GOLD[name] if rng.random() < 0.5] + ["beside"] * sample,
                    "embedding": rng.normal(size=3).tolist(),
                    "judge_version": "v2",
                    "prompt_id": 7,
                    "dataset_hash": "ab12",
                }
            )
    return found


ROWS = rows()
LISTS = ("gold_facts", "facts", "embedding")


def write(path, form, table=ROWS):
    frame = pd.DataFrame(table)
    spelled = frame.assign(**{name: frame[name].map(json.dumps) for name in LISTS if name in frame})
    match form:
        case "parquet":
            pq.write_table(pa.Table.from_pylist(table), path)
        case "feather":
            pa.feather.write_feather(pa.Table.from_pylist(table), path)
        case "jsonl":
            path.write_text("\n".join(map(json.dumps, table)))
        case "csv":
            spelled.to_csv(path, index=False)
        case "tsv":  # lists as pandas writes them by itself
            frame.to_csv(path, index=False, sep="\t")
    return path


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return load(write(tmp_path_factory.mktemp("tables") / "t.parquet", "parquet")).runs[0]


def require_same(a, b):
    for name in ("columns", "question_columns"):
        given, found = getattr(a, name), getattr(b, name)
        assert [*given] == [*found]
        for column, values in given.items():
            np.testing.assert_allclose(found[column], values)
    assert dict(a.settings) == dict(b.settings)
    for name in ("question", "n", "c", "first"):
        np.testing.assert_array_equal(getattr(a.facts, name), getattr(b.facts, name))
    assert tuple(a.facts.names) == tuple(b.facts.names)


def test_every_number_is_where_it_was(run):
    assert [*run.columns] == [
        *("position", "human", "human_probability", "reward-v1", "reward-v2", "judge_a"),
    ]
    cells = {(row["question_id"], row["sample"]): row for row in ROWS}
    for name, values in run.columns.items():
        wanted = [
            [cells[question, sample][name] for sample in range(SAMPLES)]
            for question in run.outcomes.questions
        ]
        np.testing.assert_array_equal(values, np.array(wanted, dtype=float))
    np.testing.assert_array_equal(run.question_columns["human_group"], [0, 1, 0, np.nan, np.nan])
    assert dict(run.settings) == {"judge_version": "v2", "prompt_id": 7, "dataset_hash": "ab12"}


def test_distances_are_those_of_all_pairs(run):
    for question, distance in zip(
        run.outcomes.questions, run.question_columns["embedding_distance"], strict=True
    ):
        vectors = [np.array(r["embedding"]) for r in ROWS if r["question_id"] == question]
        pairs = [
            1 - a @ b / np.linalg.norm(a) / np.linalg.norm(b) for a, b in combinations(vectors, 2)
        ]
        assert distance == pytest.approx(np.mean(pairs))


def test_facts_are_counted_and_found_by_position(run):
    facts = run.facts
    told = {
        (run.outcomes.questions[question], name): (n, c, first)
        for question, name, n, c, first in zip(
            facts.question, facts.names, facts.n, facts.c, facts.first, strict=True
        )
    }
    assert set(told) == {(question, name) for question, names in GOLD.items() for name in names}
    for (question, name), (n, c, first) in told.items():
        mine = [row for row in ROWS if row["question_id"] == question]
        places = [row["position"] for row in mine if name in row["facts"]]
        assert (n, c, first) == (SAMPLES, len(places), min(places, default=0))


@pytest.mark.parametrize("form", ["feather", "jsonl", "csv", "tsv"])
def test_every_format_says_the_same(form, run, tmp_path):
    require_same(run, load(write(tmp_path / f"t.{form}", form)).runs[0])


@pytest.mark.parametrize("suffix", tables.SUFFIXES)
def test_what_kofn_writes_it_reads_again(suffix, run, tmp_path):
    path = tmp_path / f"t{suffix}"
    bare = replace(run, model="other", question_columns={}, facts=None)
    tables.write([bare, run], path)
    other, same = load(path).runs
    require_same(run, same)
    assert not other.question_columns
    assert other.facts is None


def test_it_crosses_to_the_server(run):
    require_same(run, unpack(pack(run)))


def test_a_frame_has_it(run):
    frame = run.to_frame()
    assert {*run.columns, *run.question_columns} <= {*frame}
    assert frame["human_group"].notna().sum() == 3 * SAMPLES


def test_a_row_a_question_says_the_same(run, tmp_path):
    listed = []
    for question in GOLD:
        mine = sorted((r for r in ROWS if r["question_id"] == question), key=lambda r: r["sample"])
        names = ("correct", "reward-v1", "position", "human", "facts", "embedding")
        listed.append(
            {
                "question_id": question,
                **{name: [row[name] for row in mine] for name in names},
                "human_group": mine[0]["human_group"],
                "gold_facts": GOLD[question],
            }
        )
    wide = [
        {
            "question_id": row["question_id"],
            "human_group": row["human_group"],
            "gold_facts": row["gold_facts"],
            **{
                f"{name}_{sample}": value
                for name in ("correct", "reward-v1", "position", "human", "facts", "embedding")
                for sample, value in enumerate(row[name])
            },
        }
        for row in listed
    ]
    for name, given in {"lists": listed, "wide": wide}.items():
        path = tmp_path / f"{name}.parquet"
        pq.write_table(pa.Table.from_pylist(given), path)
        (found,) = load(path).runs
        signal = "reward-v1" if name == "lists" else "reward_v1"
        np.testing.assert_array_equal(found.columns[signal], run.columns["reward-v1"])
        np.testing.assert_array_equal(found.columns["human"], run.columns["human"])
        for column, values in run.question_columns.items():
            np.testing.assert_allclose(found.question_columns[column], values)
        np.testing.assert_array_equal(found.facts.c, run.facts.c)
        np.testing.assert_array_equal(found.facts.first, run.facts.first)


def test_words_of_persons_and_judges_are_verdicts(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("question_id,correct,judge_b,human\nq,1,yes,\nq,0,no,wrong\nr,1,yes,right\n")
    (run,) = load(path).runs
    np.testing.assert_array_equal(run.columns["judge_b"], [[1, 0], [1, np.nan]])
    np.testing.assert_array_equal(run.columns["human"], [[np.nan, 0], [1, np.nan]])


def test_a_reward_is_a_signal_whether_or_not_it_is_a_share(tmp_path):
    for reward, soft in ((0.5, True), (7.5, False)):
        path = tmp_path / "t.csv"
        path.write_text(f"question_id,correct,reward\nq,1,{reward}\nq,0,0.1\n")
        (run,) = load(path).runs
        assert run.columns["reward"].tolist() == [[reward, 0.1]]
        assert (run.outcomes.scores is not None) is soft


def changed(name, values):
    return [row | {name: value} for row, value in zip(ROWS, values, strict=True)]


def notes(path):
    report = load(path)
    return report.runs[0], " ".join(
        str(note.what) for note in (*report.notes, *report.runs[0].notes)
    )


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("human", [3, *[None] * 19], "human is left out: row 1 holds 3"),
        ("human_probability", [2.0] * 20, "human_probability is left out"),
        ("human_group", [0, 1] * 10, "human_group differs between the samples of 5 questions"),
        ("gold_facts", [["a"], ["b"]] * 10, "5 questions have several lists of gold_facts"),
    ],
)
def test_what_cannot_be_is_said(name, values, said, tmp_path):
    run, told = notes(write(tmp_path / "t.jsonl", "jsonl", changed(name, values)))
    assert said in told
    assert name not in run.columns
    assert np.isnan(run.question_columns.get(name, np.nan)).all()


def test_hostile_vectors_are_left_out(tmp_path):
    """Ragged, empty, endless and without a direction: the rest is as it was."""
    given = [row["embedding"] for row in ROWS]
    given[0::QUESTIONS] = [[1.0, 0.0], [0.0, 1.0], [3.0] * 5000, []]
    given[1::QUESTIONS] = [[0.0, 0.0, 0.0], [float("nan")] * 3, None, [1e308, 1e308, 1e308]]
    run, told = notes(write(tmp_path / "t.parquet", "parquet", changed("embedding", given)))
    distance = run.question_columns["embedding_distance"]
    assert np.isnan(distance[:2]).all()
    assert np.isfinite(distance[2:]).all()
    assert "values of embedding are not lists of numbers, or differ in length" in told
    path = tmp_path / "t.csv"
    path.write_text('question_id,correct,embedding,facts,gold_facts\nq,1,"[[[",x,"[1, 2"\nq,0,,,\n')
    run, told = notes(path)
    assert np.isnan(run.question_columns["embedding_distance"]).all()
    assert run.facts is None
    assert "1 value of embedding" in told
    assert "1 value of gold_facts is not a list" in told


def test_sums_of_vectors_keep_to_their_room(tmp_path, monkeypatch):
    """Rows of a question that stand together need no room; scattered ones give up with a note."""
    monkeypatch.setattr(embeddings, "ROOM", 64)
    monkeypatch.setattr(embeddings, "_VALUES", 6)
    path = write(tmp_path / "t.parquet", "parquet")
    run, told = notes(path)
    assert "embedding_distance" not in run.question_columns
    assert "Sort the table by question" in told
    together = sorted(ROWS, key=lambda row: row["question_id"])
    run, told = notes(write(tmp_path / "t.parquet", "parquet", together))
    assert np.isfinite(run.question_columns["embedding_distance"]).all()


def test_too_many_facts_are_refused_in_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr("reports.tables.samples.lists.covering.MOST", 2)
    run, told = notes(write(tmp_path / "t.jsonl", "jsonl"))
    assert run.facts is None
    assert "too many facts" in told


def test_half_of_what_facts_need_is_said(tmp_path):
    for name in ("facts", "gold_facts"):
        table = [{key: value for key, value in row.items() if key != name} for row in ROWS]
        run, told = notes(write(tmp_path / "t.jsonl", "jsonl", table))
        assert run.facts is None
        assert "needs both facts" in told


def test_lists_that_mean_nothing_are_said(tmp_path):
    table = changed("log_probabilities", [[0.1, 0.2]] * 20)
    _, told = notes(write(tmp_path / "t.jsonl", "jsonl", table))
    assert "log_probabilities hold lists and are left out" in told


@pytest.mark.wide
def test_a_large_table_keeps_what_stands_beside_its_verdicts(run, tmp_path, monkeypatch):
    monkeypatch.setattr(folding, "ROWS", 1)
    path = write(tmp_path / "t.parquet", "parquet")
    require_same(run, load(path).runs[0])
    monkeypatch.setattr("reports.tables.formats.parquet.MAX_VALUES", 1)
    folded, told = notes(path)
    assert not folded.columns
    assert all(name in told for name in ("reward-v1", "human_group", "facts", "embedding"))


def test_facts_that_cannot_be_are_refused_in_what_kofn_wrote(run, tmp_path):
    odd = replace(run, facts=Facts(np.array([0]), np.array([4]), np.array([1]), None, ("x",)))
    path = tmp_path / "t.jsonl"
    tables.write([odd], path)
    path.write_text(path.read_text().replace(r"[\"x\", 4, 1, null]", r"[\"x\", 4, 9, null]"))
    with pytest.raises(LoadError, match="changed since"):
        load(path)


def test_nothing_in_a_list_is_no_fact_and_ids_may_be_numbers(tmp_path):
    path = tmp_path / "t.jsonl"
    lines = [[7, None, 8.0], [7], ["8", None, None]]
    path.write_text(
        "\n".join(
            json.dumps({"question_id": "q", "correct": 1, "gold_ids": [7, None, 8], "facts": each})
            for each in lines
        )
    )
    facts = load(path).runs[0].facts
    assert (facts.names, facts.n.tolist(), facts.c.tolist()) == (("7", "8"), [3, 3], [2, 2])
