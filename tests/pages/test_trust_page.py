"""The page Trust: what it says of verdicts, which samples it lists, and where it has nothing."""

from pathlib import Path

from tests.pages.visiting import table, told, visit

PAGE = "pages/data/trust.py"
DATA = Path(__file__).parents[1] / "data" / "verdicts"


def test_it_opens_with_what_the_command_says():
    app = visit(PAGE, ("old_gpqa_n4.zip", (DATA / "old_gpqa_n4.zip").read_bytes()))
    assert not app.exception
    assert "29.7% of 320 verdicts contradict the text." in told(app)
    assert "21.9% as judged" in told(app)
    kinds, compared = (each.value for each in app.dataframe)
    assert list(kinds.columns) == ["Run", "agrees", "missed", "generous", "divided", "unsupported"]
    assert kinds["missed"].tolist() == ["28 (17.5%)", "64 (40.0%)"]
    assert compared["The difference"].tolist() == ["rests on which answers are taken"]


def test_a_table_without_texts_is_told_what_is_missing():
    app = visit(PAGE, ("t.parquet", table([[1, 0], [1, 1]])))
    assert not app.exception
    assert "No run here keeps texts" in told(app)
    assert "Load the predictions with it" in told(app)
