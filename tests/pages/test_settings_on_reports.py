"""How the loaded runs were made stands on Reports."""

from tests.pages.visiting import REPORTS, outcomes, table, visit
from tests.reports.evaluations.aisbench_archives import archive


def test_settings_of_the_runs_are_offered_below_the_inventory():
    name = "gsm8k_n5_two_models"
    app = visit(
        REPORTS, (f"{name}.zip", archive(name).read_bytes()), ("t.parquet", table(outcomes()))
    )
    (shown,) = (each for each in app.expander if each.label == "How the runs were made")
    said = [each.value.replace("\\", "") for each in shown.markdown]
    assert said[0].startswith("Both runs state temperature 0.7, max_tokens 512, ")
    assert " n 5, " in said[0]
    assert said[1] == "1 run does not say how it was made."


def test_without_any_settings_nothing_is_offered():
    app = visit(REPORTS, ("t.parquet", table(outcomes())))
    assert not any(each.label == "How the runs were made" for each in app.expander)
