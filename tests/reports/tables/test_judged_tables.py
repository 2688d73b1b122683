"""Tables with texts and references and no verdicts: what is asked, and what each rule gives."""

import json

import pytest

from kofn.command import main
from metrics.data.outcomes import ABSENT
from reports import LoadError, load
from reports.files.errors import RuleChoice

LETTERS = [("The answer is B.", "B"), ("I choose (C)", "C"), ("Answer: A", "D"), ("B or C", "B")]
NUMBERS = [("So $1,042.00 in all.", "#### 1042"), ("The answer is 7.", "8"), ("None.", "3")]


def written(pairs, **more):
    rows = (
        {"question_id": f"q{i}", "response": text, "answer": right, **more}
        for i, (text, right) in enumerate(pairs)
    )
    return "t.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode()


def test_it_is_asked_with_what_each_rule_gives_and_ten_examples():
    with pytest.raises(RuleChoice) as asked:
        load(written(LETTERS * 5))
    choice = asked.value
    assert choice.options == ("exact", "letter")
    assert "--judge-by exact (0.0% of the first 20 right); --judge-by letter (25.0%" in str(choice)
    assert [example.verdicts for example in choice.rules.examples[:2]] == [
        (False, True),
        (False, False),
    ]
    many = [(f"The answer is {i}.", str(i % 7)) for i in range(40)]
    with pytest.raises(RuleChoice) as asked:
        load(written(many))
    assert len(asked.value.rules.examples) == 10
    assert asked.value.options == ("exact", "number", "formula")
    assert asked.value.answered({}, "number") == {"judge": "number"}


def test_a_rule_judges_and_says_so():
    (run,) = load(written(LETTERS), judge="letter").runs
    assert run.outcomes.correct.ravel().tolist() == [1, 0, 0, 0]
    assert str(run.rule) == "letter stated last in response"
    assert run.texts("q2").answers == ("A",)
    assert run.texts("q1").predictions == ("I choose (C)",)
    report = load(written(LETTERS), judge="letter")
    said = [str(note.what) for note in (*report.notes, *report.runs[0].notes)]
    assert any("kofn judged it, as you chose" in each for each in said)
    assert any(each.startswith("2 texts state no letter, or several at once") for each in said)


@pytest.mark.parametrize(
    ("rule", "pairs", "right"),
    [
        ("number", NUMBERS, [1, 0, 0]),
        ("exact", [(" C ", "C"), ("18.0", "18"), ("(C)", "C"), ("free text", "C")], [1, 1, 0, 0]),
        ("formula", [(r"\boxed{\frac{1}{2}}", r"\frac12"), ("So $x^2$.", "x^3")], [1, 0]),
        ("number", [("The answer is 5.", "5"), ("5.", "many")], [1, ABSENT]),
        (
            "number",
            [("The answer is 5. The answer is 7.", "7"), ("Answer: 7.\nAnswer: 5", "7")],
            [1, 0],
        ),
    ],
)
def test_each_rule(rule, pairs, right):
    (run,) = load(written(pairs), judge=rule).runs
    held = dict(zip(run.outcomes.questions, run.outcomes.correct.ravel().tolist(), strict=True))
    assert [held.get(f"q{i}", ABSENT) for i in range(len(pairs))] == right


def test_a_text_that_was_not_written_is_wrong_and_one_without_reference_is_not_judged():
    pairs = [("The answer is B.", "B"), (None, "B"), ("The answer is B.", None)]
    (run,) = load(written(pairs), judge="letter").runs
    assert run.outcomes.correct.ravel().tolist() == [1, 0, ABSENT]


def test_what_cannot_be_judged_is_refused():
    with pytest.raises(LoadError, match="states verdicts already"):
        load(written(LETTERS, correct=1), judge="letter")
    with pytest.raises(LoadError, match="no texts beside references"):
        load(("t.csv", b"question_id,response\na,B\n"), judge="letter")
    with pytest.raises(LoadError, match="never holds a number to judge by"):
        load(written(LETTERS), judge="number")
    with pytest.raises(LoadError, match="cannot be judged by vibes"):
        load(written(LETTERS), judge="vibes")


def test_the_command_says_the_rules_and_takes_one(tmp_path, capsys):
    name, data = written(LETTERS)
    path = tmp_path / name
    path.write_bytes(data)
    assert main([str(path)]) == 2
    assert "--judge-by letter (25.0% of the first 4 right)" in capsys.readouterr().err
    assert main([str(path), "--judge-by", "letter", "--metric", "avg@n"]) == 0
    printed = capsys.readouterr()
    assert "25.0%" in printed.out
    assert "kofn judged it, as you chose" in printed.err
    assert main(["trust", str(path), "--judge-by", "letter"]) == 0
    assert "no second opinion" in capsys.readouterr().out
