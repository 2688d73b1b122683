"""What may be given as an expected number, and what is refused."""

import json

import pytest

from kofn.card import Card
from kofn.choices.view import View
from kofn.trust.doubts import AskedMetric
from kofn.trust.expectations import WantedNumbers, check_all
from kofn.trust.expected_numbers import expect, read_expectations, read_stated, unmatched
from metrics import MetricError, Outcomes
from reports import LoadError, Run


@pytest.mark.parametrize(
    ("text", "dataset", "metric", "k", "n", "value"),
    [
        ("59.74%", "", "avg@n", None, None, 0.5974),
        ("gsm8k:avg@n=59.74%", "gsm8k", "avg@n", None, None, 0.5974),
        ("gsm8k:accuracy=.6", "gsm8k", "avg@n", None, None, 0.6),
        ("aime:avg@16=0.431", "aime", "avg@n", None, 16, 0.431),
        ("aime:cons@16=43.1%", "aime", "maj@k", 16, None, 0.431),
        ("airline:pass^4=.2", "airline", "pass^k", 4, None, 0.2),
        ("a:b:pass@8=.2", "a:b", "pass@k", 8, None, 0.2),
    ],
)
def test_a_number_is_typed_with_what_is_known_of_it(text, dataset, metric, k, n, value):
    found = read_stated(text)
    assert (found.dataset, found.metric, found.k, found.n) == (dataset, metric, k, n)
    assert found.stated.value == pytest.approx(value)


@pytest.mark.parametrize("text", ["", "gsm8k:avg@n", "gsm8k:luck@n=5%", "gsm8k:pass@4=much"])
def test_what_is_no_number_or_no_metric_is_refused(text):
    with pytest.raises(MetricError):
        read_stated(text)


ROW = {
    "dataset": "aime",
    "model": "7B",
    "metric": "avg@n",
    "value": "43.10%",
    "n": "64",
    "questions": "30",
    "source": "table 2",
    "max_out_len": "32768",
    "temperature": "0.6",
}


def test_csv_yaml_and_json_hold_the_same():
    csv = ",".join(ROW) + "\n" + ",".join(ROW.values()) + "\n"
    listed = "\n".join(f"  {name}: {value}" for name, value in ROW.items())
    nested = {**{k: ROW[k] for k in list(ROW)[:7]}, "settings": {"max_tokens": 32768}}
    nested["settings"]["temperature"] = 0.6
    files = {
        "e.csv": csv,
        "e.yaml": "-" + listed[1:],
        "e.yml": "expected:\n-" + listed[1:],
        "e.json": json.dumps({"expected": [nested]}),
    }
    found = {name: read_expectations(name, text.encode()) for name, text in files.items()}
    assert len(set(map(repr, found.values()))) == 1
    (row,) = found["e.csv"]
    assert (row.n, row.questions, row.model, row.source) == (64, 30, "7B", "table 2")
    assert dict(row.settings) == {"temperature": 0.6, "max_tokens": 32768}
    assert row.stated.rounding == pytest.approx(0.00005)  # the last digit counts, if it is 0


def test_a_table_of_samples_is_a_report_and_hostile_files_are_none():
    assert read_expectations("r.csv", b"question_id,correct,value\n1,1,0.5\n") is None
    assert read_expectations("r.json", b'{"accuracy": 50}') is None
    assert read_expectations("r.json", b"[" * 100_000) is None
    bomb = "a: &a [x]\nb: &b [*a,*a]\nc: [*b,*b]\nvalue: 5%"
    assert read_expectations("r.yaml", bomb.encode()) is None
    assert read_expectations("r.yaml", b"- !!python/object/apply:os.system [ls]\n") is None
    assert read_expectations("r.txt", b"value\n5%\n") is None
    with pytest.raises(LoadError, match="row 2"):
        read_expectations("r.csv", b"value,n\n5%,4\n5%,few\n")
    with pytest.raises(LoadError, match="expected numbers"):
        read_expectations("r.csv", b"value\n" + b"5%\n" * 1001)


def test_what_is_expected_of_no_run_is_said():
    runs = {"7B / aime": Run("7B", "aime", Outcomes([[1]]))}
    none = [expect({"dataset": "gsm8k", "value": "5%"}), expect({"model": "8B", "value": "5%"})]
    (first, second) = map(str, unmatched([*none, expect({"value": "5%"})], runs))
    assert "on gsm8k" in first
    assert "8B" in second
    assert "7B / aime" in first
    here, others = ({f"{at}B / {of}": Run(f"{at}B", of, None) for at in range(7)} for of in "ab")
    cards = [Card(key, run, View(), AskedMetric("avg@n", None)) for key, run in here.items()]
    with pytest.raises(MetricError) as raised:
        check_all(cards, WantedNumbers((), others), View(), None)
    assert str(raised.value) == (
        "No run here is of a dataset of those expected: 0B / b, 1B / b, 2B / b, 3B / b, 4B / b, …; "
        "there are: 0B / a, 1B / a, 2B / a, 3B / a, 4B / a, …."
    )
