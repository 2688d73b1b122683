"""Tables that count right samples, or state their share, instead of listing them."""

import pytest

from reports import load
from reports.files.errors import RoleChoice
from tests.reports.tables.written_tables import only, refusal


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
    assert any("counts correct samples without their order" in str(n.what) for n in report.notes)


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


@pytest.mark.parametrize("most", [1, 3])
def test_outcomes_beside_a_number_of_samples_are_counts_or_asked_about(most):
    right = [0, 1, most, 1]
    data = "id,n,correct\n" + "".join(f"q{q},5,{c}\n" for q, c in enumerate(right))
    if most == 1:
        with pytest.raises(RoleChoice) as caught:
            load(("t.csv", data.encode()))
        assert (caught.value.column, caught.value.roles) == ("correct", ("c", "correct"))
        judged = only("t.csv", data.encode(), columns={"correct": "correct"})
        assert judged.outcomes.correct.tolist() == [[c] for c in right]
    told = {"c": "correct"} if most == 1 else {}
    run = only("t.csv", data.encode(), columns=told)
    assert run.outcomes.correct.sum(axis=1).tolist() == right
    assert run.outcomes.shape == (4, 5)


@pytest.mark.parametrize("data", [b"id,n,correct\na,2,3\nb,4,1\n", b"id,k,passed\na,8,9\nb,8,0\n"])
def test_more_than_there_are_samples_is_no_count_of_them(data):
    assert "a verdict is 0 or 1" in refusal("t.csv", data)


def test_scores_beside_a_number_of_samples_are_asked_about():
    data = b"id,n,score\na,5,.2\nb,5,.6\n"
    with pytest.raises(RoleChoice) as caught:
        load(("t.csv", data))
    assert caught.value.roles == ("rate", "score")
    run = only("t.csv", data, columns={"rate": "score"})
    assert run.outcomes.correct.sum(axis=1).tolist() == [1, 3]
    assert only("t.csv", data, columns={"score": "score"}).outcomes.shape == (2, 1)


def test_a_number_of_samples_beside_each_of_them_is_nothing_to_ask_about():
    data = b"id,n,correct\na,2,1\na,2,0\nb,2,0\nb,2,0\n"
    assert only("t.csv", data).outcomes.correct.tolist() == [[1, 0], [0, 0]]


@pytest.mark.parametrize("n", [3, 7, 16, 96])
@pytest.mark.parametrize("decimals", [2, 3])
def test_rounded_rates_stand_for_the_only_count_that_rounds_to_them(n, decimals):
    data = "id,n,pass_rate\n" + "".join(f"q{c},{n},{c / n:.{decimals}f}\n" for c in range(n + 1))
    run = only("t.csv", data.encode())
    assert (run.outcomes.correct == 1).sum(axis=1).tolist() == [*range(n + 1)]


def test_rates_that_several_counts_round_to_are_refused():
    data = "id,n,pass_rate\n" + "".join(f"q{c},300,{c / 300:.2f}\n" for c in range(300))
    assert "rates have 2 decimals" in refusal("t.csv", data.encode())
