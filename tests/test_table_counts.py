"""Tables that count right samples, or state their share, instead of listing them."""

import pytest

from reports import load
from tests.written_tables import only, refusal


@pytest.mark.parametrize(
    "data",
    [
        b"id,n,c\na,4,2\nb,3,0\n",
        b"id,n,pass_rate\na,4,.5\nb,3,0\n",
        b"id,num_samples,correctness_count,accuracy\na,4,2,.5\nb,3,0,0\n",
    ],
)
def test_counts_stand_for_samples_in_no_order(data):
    report = load(("t.csv", data))
    assert report.runs[0].outcomes.correct.tolist() == [[1, 1, 0, 0], [0, 0, 0, -2]]
    assert "counts correct samples without their order" in str(report.notes[0].what)


def test_a_count_may_be_named_with_its_number_of_samples():
    assert only("t.csv", b"id,sampled_correct_count_3\na,2\n").outcomes.correct.tolist() == [
        [1, 1, 0]
    ]


@pytest.mark.parametrize("rate", ["solve_rate", "llama8b_solve_rate", "pass_rate", "pass@1"])
def test_a_rate_alone_is_refused_with_the_reason(rate):
    message = refusal("t.csv", f"id,{rate}\na,.5\n".encode())
    assert f"column {rate}: holds a rate, but no column says of how many samples" in message


def test_an_accuracy_beside_a_number_of_samples_is_a_rate():
    text = b"question_id,n,accuracy\na,4,0.5\nb,4,1.0\nc,4,0.25\n"
    (run,) = load(("rates.csv", text)).runs
    assert run.outcomes.tally().c.tolist() == [1, 2, 4]
    each = b"question_id,n,sample,accuracy\na,2,0,1\na,2,1,0\n"
    (run,) = load(("samples.csv", each)).runs
    assert run.outcomes.correct.tolist() == [[1, 0]]
