"""Tables as spreadsheets and pandas leave them: sums below, blank rows, tries side by side."""

import numpy as np
import pytest

from reports import LoadError, load
from reports.files.errors import ColumnChoice
from tests.reports.tables.written_tables import only, refusal

M, N = 12, 4
RIGHT = np.array([[int((3 * q + s) % 7 < 3) for s in range(N)] for q in range(M)])
WIDE = [(f"q{q}", *RIGHT[q].tolist()) for q in range(M)]
LONG = [(f"q{q}", s, RIGHT[q, s]) for q in range(M) for s in range(N)]
COUNTS = [(f"q{q}", N, RIGHT[q].sum()) for q in range(M)]


def csv(header, rows):
    return "\n".join([header, *(",".join(map(str, row)) for row in rows), ""]).encode()


def outcomes(header, rows):
    return only("t.csv", csv(header, rows)).outcomes.correct.tolist()


@pytest.mark.parametrize(
    "names",
    [
        *("run{}_correct", "sample {}: correct", "response_{} score", "attempt_{} is correct?"),
        *("第{}次", "Try {}", "Versuch {}", "correct({})", "rep{}"),
    ],
)
def test_samples_side_by_side_are_one_question_whatever_they_are_called(names):
    header = ",".join(["id", *(names.format(s + 1) for s in range(N))])
    assert outcomes(header, WIDE) == RIGHT.tolist()


def test_samples_may_be_counted_in_words():
    assert outcomes("id,1st try,2nd try,3rd try,4th try", WIDE) == RIGHT.tolist()
    header = "id,sample_0_correct,sample_0_tokens,sample_1_correct,sample_1_tokens"
    run = only(
        "t.csv",
        csv(
            header,
            [(f"q{q}", *RIGHT[q, :2], 7, 9) for q in range(M)][:0]
            or [(f"q{q}", RIGHT[q, 0], 7, RIGHT[q, 1], 9) for q in range(M)],
        ),
    )
    assert run.outcomes.correct.tolist() == RIGHT[:, :2].tolist()
    assert run.columns["tokens_out"].tolist() == [[7, 9]] * M


@pytest.mark.parametrize(
    "header",
    ["correct_a,correct_b,correct_c,correct_d", "correct_x,correct_y,n_x,n_y", "第一次,第二次,a,b"],
)
def test_no_sample_of_several_is_offered_as_the_verdict(header):
    message = refusal("t.csv", csv(f"id,{header}", WIDE))
    assert "may each be a sample of the same question" in message
    assert "call them correct_1, correct_2, correct_3" in message


def test_pass_at_several_k_is_no_verdict_of_several_samples():
    assert "pass@1: holds a rate" in refusal("t.csv", csv("id,pass@1,pass@2,pass@3,pass@4", WIDE))


def test_what_cannot_be_an_outcome_or_is_one_already_is_not_offered():
    rows = [(f"n{q}", 3 * s + 2, RIGHT[q, s]) for q in range(M) for s in range(N)]
    with pytest.raises(ColumnChoice) as asked:
        load(("t.csv", csv("name,size,flawless", rows)))
    assert asked.value.candidates == ("flawless",)
    with pytest.raises(ColumnChoice) as asked:
        load(("t.csv", csv("name,size,correct", rows)), columns={"other": "size"})
    assert asked.value.candidates == ("name",)
    assert str(asked.value.gives["name"]) == f"12 questions x 4 samples: {RIGHT.mean():.1%}"


@pytest.mark.parametrize(
    ("header", "rows", "last"),
    [
        ("id,1,2,3,4", WIDE, ("Total", *RIGHT.sum(0))),
        ("id,1,2,3,4", WIDE, ("mean", *RIGHT.mean(0))),
        ("id,n,c", COUNTS, ("Summe", N * M, RIGHT.sum())),
        ("id,sample,correct", LONG, ("平均", "", RIGHT.mean())),
        ("question,correct", [(q, right) for q, right, *_ in WIDE], ("Average", 0)),
    ],
)
def test_a_last_row_that_sums_up_the_others_is_no_question(header, rows, last):
    message = refusal("t.csv", csv(header, [*rows, last]))
    assert f"the last row, {len(rows) + 1}, is called {last[0]}" in message
    assert load(("t.csv", csv(header, [(last[0], *rows[0][1:]), *rows[1:]]))).runs


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_rows_without_any_value_are_left_out_and_counted(ends):
    lines = csv("id;sample;correct", LONG).decode().replace(",", ";").splitlines()
    lines[5:5] = [";;"]
    report = load(("t.csv", ends.join([*lines, ";;", ";;"]).encode()))
    assert report.runs[0].outcomes.correct.tolist() == RIGHT.tolist()
    assert "3 rows without any value are left out." in {str(note.what) for note in report.notes}


@pytest.mark.parametrize(
    "header", ["id,n,sum", "id,k,num_correct", "id,attempts,passes", "id,总次数,正确次数"]
)
def test_counts_are_known_by_what_holds(header):
    assert outcomes(header, COUNTS) == (-np.sort(-RIGHT, axis=1)).tolist()


def test_what_pandas_calls_mean_and_count_is_a_rate():
    rows = [(name, c / n, n) for name, n, c in COUNTS]
    assert outcomes("id,mean,count", rows) == (-np.sort(-RIGHT, axis=1)).tolist()


@pytest.mark.parametrize("name", ["correct", "id", "verdict"])
def test_a_column_that_stands_twice_is_named(name):
    data = csv("id,sample,correct," + name, [(*row, 1) for row in LONG])
    if name == "verdict":
        data = data.replace(b"correct", b"verdict")
    with pytest.raises(LoadError, match=f"column {name}: several columns have this name"):
        load(("t.csv", data))


def test_an_empty_name_of_a_question_is_said_and_not_asked_about():
    message = refusal(
        "t.csv", csv("question,correct", [*((f"{q}?", 1) for q in range(M)), ("", 0)])
    )
    assert "column question: is empty in 1 row" in message


def test_one_question_proves_no_grouping():
    run = only("t.csv", csv("question,correct", [("Solve it.", s % 2) for s in range(9)]))
    assert (run.outcomes.shape, run.grouping) == ((1, 9), "stated")


def test_names_of_models_and_datasets_in_german():
    run = only(
        "t.csv", csv("Modell,Datensatz,id,correct", [("m", "d", f"q{i}", 1) for i in range(3)])
    )
    assert (run.model, run.dataset) == ("m", "d")


@pytest.mark.parametrize("name", ["{}_s{}", "{}/sample-{}", "{} run {}", "{}#rep{}"])
def test_ids_that_name_samples_too_are_refused(name):
    rows = [(name.format(q, s), right) for q, s, right in LONG]
    message = refusal("t.csv", csv("id,correct", rows))
    assert "12 questions x 4 samples" in message
    run = only("t.csv", csv("id,correct", rows), columns={"question_id": "id"})
    assert run.outcomes.shape == (M * N, 1)
    others = [(f"mmlu_{q}_{s}", right) for q, s, right in LONG]
    assert only("t.csv", csv("id,correct", others)).outcomes.shape == (M * N, 1)
