"""The command says what the library says, of several runs, and how they stand side by side."""

import csv
import io
import json
import re
from contextlib import nullcontext

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kofn.choices.view import View
from kofn.choose_n.analysis import choose_runs
from kofn.choose_n.columns import CHOSEN, COLUMNS, WITH_SEQUENTIAL
from kofn.choose_n.frontier import frontiers
from kofn.choose_n.pricing import Pricing
from kofn.choose_n.words import advice
from kofn.command import main
from kofn.terminal import waiting
from kofn.writing.columns import dtypes
from metrics import MetricError, Outcomes, choose_among
from metrics.analyses.choose_n.pareto import pareto
from reports import Run

M, N = 40, 8


def verdicts(rate, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.random((M, N)) < rng.beta(rate, 1, (M, 1))).astype(int)


def run_of(model, rate, tokens, dataset="gsm8k", **rest):
    correct = verdicts(rate)
    columns = {"tokens_out": np.where(correct, tokens, 2.0 * tokens)}
    return Run(model, dataset, Outcomes(correct), columns=columns, **rest)


CHEAP, DEAR = run_of("7B", 0.5, 100), run_of("72B", 2, 300)
RUNS = {
    "7B / gsm8k": CHEAP,
    "72B / gsm8k": DEAR,
    "7B / aime": run_of("7B", 0.2, 500, "aime"),
    "bare": Run("7B", "none", None),
}
PRICES = (("", (0.1,)), ("72B", (1.0,)))
IN_SAMPLES = ("--basis", "samples", "--budget", "3")
PRICING = Pricing("tokens", token_prices=PRICES, value=0.0005)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "outcomes.parquet"
    parts = [
        {
            "model": run.model,
            "dataset": run.dataset,
            "question_id": str(question),
            "sample": sample,
            "correct": int(run.outcomes.correct[question, sample]),
            "tokens_out": float(run.columns["tokens_out"][question, sample]),
        }
        for run in (CHEAP, DEAR)
        for question in range(M)
        for sample in range(N)
    ]
    pq.write_table(pa.Table.from_pylist(parts), path)
    return str(path)


def output(capsys, *arguments):
    status = main(["choose-n", *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


# Several runs -------------------------------------------------------------------------------------


def test_the_runs_of_a_dataset_are_chosen_among_as_the_library_does():
    chosen = choose_runs(RUNS, View(level=0.9), PRICING)
    assert [one.key for one in chosen] == list(RUNS)
    prices = {"7B / gsm8k": 0.1, "72B / gsm8k": 1.0}
    expected = choose_among(
        {key: RUNS[key] for key in prices},
        cost_per_sample={
            key: RUNS[key].columns["tokens_out"] * price / 1e6 for key, price in prices.items()
        },
        value_per_solved=0.0005,
        confidence_level=0.9,
    )
    selection, _ = chosen[0].found.together
    assert (selection.run, selection.chances) == (expected.run, expected.chances)
    for one in chosen[:2]:
        found, right = one.found.choice, expected.choices[one.key]
        assert (found.n, found.interval, found.safe_n) == (right.n, right.interval, right.safe_n)
        np.testing.assert_array_equal(found.table.cost, right.table.cost)
    assert set(chosen[2].found.together[0].choices) == {"7B / aime"}
    assert "does not say which samples were right" in str(advice(chosen[3]))


def test_a_view_chooses_runs_segments_and_missing():
    outcomes = Outcomes(
        verdicts(1) - (np.arange(M * N).reshape(M, N) % 11 == 0),
        segments={"half": ["a"] * 20 + ["b"] * 20},
    )
    runs = {"x": Run("7B", "d", outcomes), "y": CHEAP}
    view = View(runs=("x",), segment=("half", "b"), missing="omit")
    (one,) = choose_runs(runs, view, Pricing())
    expected = choose_among({"x": outcomes}, segment=("half", "b"), missing="omit").choices["x"]
    np.testing.assert_array_equal(one.found.choice.table.quality, expected.table.quality)
    gone = choose_runs(runs, View(runs=("y",), segment=("half", "b")), Pricing())
    assert "no segment" in str(gone[0].reason)


def test_rows_have_every_n_and_a_reason_where_there_is_none():
    chosen = choose_runs(RUNS, View(), PRICING)
    found = CHOSEN.rows(chosen)
    assert [row["n"] for row in found] == [*range(1, N + 1)] * 3 + [None]
    assert found[-1]["reason"]
    assert found[-1]["quality"] is None
    table = WITH_SEQUENTIAL.frame(chosen)
    assert {name: str(kind) for name, kind in table.dtypes.items()} == dtypes(COLUMNS)
    safe = table[table["safe"].fillna(False)]
    assert safe["n"].tolist() == [
        one.found.choice.safe_n for one in chosen[:3] if one.found.choice.safe_n
    ]
    taken = table[table["chosen"].fillna(False)]
    assert taken["run"].tolist() == [
        run for run in dict.fromkeys(one.found.together[0].run for one in chosen[:3]) if run
    ]
    json.dumps(found, allow_nan=False)


# Side by side -------------------------------------------------------------------------------------


def beaten(cost, quality):
    """Whether each offer is beaten, pair by pair."""
    pairs = list(zip(cost, quality, strict=True))
    return [
        any(c <= cost and q >= quality and (c, q) != (cost, quality) for c, q in pairs)
        for cost, quality in pairs
    ]


@pytest.mark.parametrize("seed", range(30))
def test_the_frontier_is_what_no_pair_beats(seed):
    rng = np.random.default_rng(seed)
    cost, quality = rng.integers(1, 9, 25) / 2, rng.integers(0, 9, 25) / 8
    assert pareto(cost, quality).tolist() == [not each for each in beaten(cost, quality)]


def test_a_frontier_of_unequal_lengths_or_nothing_is_refused():
    with pytest.raises(MetricError):
        pareto([1, 2], [1])
    with pytest.raises(MetricError):
        pareto([], [])


def test_runs_meet_on_the_frontier_of_their_dataset_only():
    found = frontiers(choose_runs(RUNS, View(), PRICING))
    assert list(found) == ["gsm8k", "aime"]
    offers = found["gsm8k"]
    assert len(offers) == 2 * N
    assert [o.cost for o in offers] == sorted(o.cost for o in offers)
    expected = beaten([o.cost for o in offers], [o.quality for o in offers])
    assert [o.best for o in offers] == [not each for each in expected]
    assert sum(o.chosen for o in offers) <= 2
    assert all(o.low <= o.quality <= o.high for o in offers)
    cheap = [o for o in offers if o.key == "7B / gsm8k"]
    assert cheap[0].best, "nothing costs less than the first sample of the cheap model"


# The command --------------------------------------------------------------------------------------


def test_a_table_on_the_terminal(table, capsys):
    prices = ("--token-price", "0.1", "--token-price", "72B=1", "--currency", "USD")
    status, out, err = output(capsys, table, *prices, "--value", "0.0005")
    assert (status, err) == (0, "")
    assert re.match(r"Use 7B at n = \d+ if answers can be checked: ", out)
    assert "7B / gsm8k: Up to n = " in out
    assert "A million tokens cost 1 in and 1 USD out; tokens of the answer as measured" in out
    of_each = ("n", "solved", "samples", "cost", "marginal cost", "cost of a solved one")
    of_runs = (
        "run",
        "n",
        "solves",
        "cost of a question, USD",
        "cost of all, USD",
        "marginal cost",
        "note",
    )
    for heads in (of_each, of_runs):
        assert re.search(rf"^  {' +'.join(heads)}$", out, re.M)
    assert re.search(r"^  7B / gsm8k .* take this$", out, re.M)
    assert re.search(r"^  72B / gsm8k .* not worth its price$", out, re.M)
    assert "Best for its cost: 7B at n = 1" in out
    assert len(re.findall(r"^  \d+ \* ", out, re.MULTILINE)) == 1
    assert "72B / gsm8k: Not even one sample is sure to be worth its price" in out


def test_costs_that_count_samples_are_told_once_and_alike(table, capsys):
    out = output(capsys, table, "--basis", "samples")[1]
    assert re.search(r"^  n +solved +samples +marginal cost +cost of a solved one$", out, re.M)
    cells = re.findall(r"^  (?:\d+ ?\*?) +[\d.]+% \(.*\)((?: +[\d,.]+|  +N/A)+)$", out, re.M)
    assert len(cells) > 8
    assert all(re.fullmatch(r"[\d,]+\.\d\d|N/A", cell) for row in cells for cell in row.split())
    assert " 1 samples" not in out


def test_tables_of_votes_stop_by_odd_n(table, capsys):
    out = output(capsys, table, "--verifier", "no")[1]
    stops = re.findall(r"^  (\d+)(?: \*)? +[\d.]+%", out, re.M)
    assert stops == ["1", "3", "5", "7"] * 2


def test_json_csv_and_markdown_have_the_same_numbers(table, capsys):
    document = json.loads(output(capsys, table, *IN_SAMPLES, "--format", "json")[1])
    assert document["pricing"]["budget"] == 3
    first = document["choices"][0]
    together = document["datasets"]["gsm8k"]
    assert document["answer"] == together["answer"]
    assert (together["rule"], together["limit"], together["target"]) == ("budget", 3, None)
    assert sum(together["chance_of_best"].values()) == pytest.approx(1)
    assert together["expected_loss"].keys() == together["chance_of_best"].keys()
    assert together["run"] in together["chance_of_best"]
    assert together["n"] in {each["safe_n"] for each in document["choices"]}
    assert first["rule"] == "budget"
    assert first["interval"][0] <= first["safe_n"] <= first["interval"][1]
    assert document["frontiers"]["gsm8k"][-1]["run"] == "7B / gsm8k"
    lines = list(
        csv.DictReader(io.StringIO(output(capsys, table, *IN_SAMPLES, "--format", "csv")[1]))
    )
    assert [float(line["quality"]) for line in lines] == [
        row["quality"] for row in document["table"]
    ]
    marked = output(capsys, table, *IN_SAMPLES, "--format", "md")[1]
    assert f"| {first['safe_n']} | " in marked
    assert marked.startswith("Use 7")
    assert marked.count("\n") == 8


def test_without_a_verifier_votes_are_chosen(table, capsys):
    out = output(capsys, table, "--verifier", "no")[1]
    assert re.match(r"Use 72B at n = \d+ if answers vote: ", out)
    assert "of maj@" in out
    assert "pass@n is out of reach" in out


def test_what_cannot_be_chosen_exits_with_a_sentence(table, capsys):
    status, out, err = output(capsys, table, "--basis", "seconds")
    assert status == 2
    assert "The file has no times of the samples." in out
    assert "No run has an n to choose" in err
    status, _, err = output(capsys, table, "--value", "-1")
    assert status == 2
    assert "value must be from" in err
    status, _, err = output(capsys, table, "--run", "nobody")
    assert status == 2
    assert "No run is called nobody" in err
    with pytest.raises(SystemExit):
        main(["choose-n", table, "--format", "xml"])


def test_tokens_that_are_counted_in_texts_are_waited_for(tmp_path, capsys, monkeypatch):
    waited = []
    monkeypatch.setattr(waiting, "show_progress", lambda it: nullcontext(waited.append(str(it))))
    path = tmp_path / "texts.csv"
    rows = "".join(f"\nq{q},{s},{(q + s) % 2},I think of {s}." for q in range(4) for s in range(4))
    path.write_text(f"question_id,sample,correct,prediction{rows}")
    assert output(capsys, str(path), "--basis", "tokens")[0] == 2
    without = len(waited)
    assert output(capsys, str(path), "--basis", "lengths")[0] == 0
    assert {*waited[without:]} - {*waited[:without]} == {f"Counting tokens of {path}"}


def test_names_cannot_steer_a_terminal(tmp_path, capsys):
    path = tmp_path / "hostile.parquet"
    part = {
        "model": "evil\x1b[2J",
        "dataset": "=cmd()",
        "question_id": "1",
        "sample": 0,
        "correct": 1,
    }
    pq.write_table(pa.Table.from_pylist([part, {**part, "sample": 1}]), path)
    for form in ("table", "json", "csv", "md"):
        status, out, err = output(capsys, str(path), "--format", form)
        assert status == 0
        assert "\x1b" not in out + err


def test_the_n_to_use_is_the_one_that_is_marked_at_the_frontier():
    cards = choose_runs({"7B / gsm8k": CHEAP, "72B / gsm8k": DEAR}, View(), Pricing(quality=0.3))
    safe = {card.key: card.found.choice.safe_n for card in cards}
    assert any(card.found.choice.n != card.found.choice.safe_n for card in cards)
    (found,) = frontiers(cards).values()
    assert {offer.key: offer.n for offer in found if offer.chosen} == safe


def test_the_answer_is_of_the_dataset_that_is_named(tmp_path, capsys):
    parts = [
        {
            "model": "7B",
            "dataset": name,
            "question_id": f"{q}",
            "sample": s,
            "correct": q % 2 | s % 2,
        }
        for name, n in (("aime", 2), ("gsm8k", 4))
        for q in range(30)
        for s in range(n)
    ]
    path = str(tmp_path / "two.parquet")
    pq.write_table(pa.Table.from_pylist(parts), path)
    whole = output(capsys, path)[1]
    assert whole.startswith("Use 7B at n = 2 if answers can be checked: 95.8% (")
    assert ") on average over 2 datasets, for 1.25 samples a question." in " ".join(whole.split())
    out = output(capsys, path, "--dataset", "aime")[1]
    assert out.startswith("aime: Use 7B at n = ")
    assert "\ngsm8k: Use 7B at n = " in out
    document = json.loads(output(capsys, path, "--dataset", "aime", "--format", "json")[1])
    assert document["answer"] == "aime: " + document["datasets"]["aime"]["answer"]
    status, _, err = output(capsys, path, "--dataset", "maths")
    assert (status, "No dataset is called maths." in err) == (2, True)
