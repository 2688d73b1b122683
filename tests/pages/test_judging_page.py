"""A table without verdicts on the page Reports: examples, rules, and a run judged by kofn."""

from tests.pages.visiting import REPORTS, told, visit
from tests.reports.tables.test_judged_tables import LETTERS, written


def test_a_rule_is_chosen_after_examples():
    app = visit(REPORTS, written(LETTERS))
    assert "states no verdicts" in told(app)
    (examples,) = (each.value for each in app.dataframe)
    assert examples.shape == (4, 4)
    assert examples["The last option stated is the reference"].tolist().count("✓") == 1
    (rule,) = (each for each in app.radio if each.key.endswith(".rule"))
    (button,) = (each for each in app.button if each.key and each.key.endswith(".judge"))
    assert button.disabled
    rule.set_value("letter").run()
    (button,) = (each for each in app.button if each.key and each.key.endswith(".judge"))
    button.click().run()
    assert not app.exception
    assert "kofn judged it, as you chose" in told(app)
    (report,) = app.session_state["kofn.reports"].values()
    assert report.runs[0].outcomes.correct.ravel().tolist() == [1, 0, 0, 0]
