"""How the loaded runs were made stands on Reports."""

from tests.pages.visiting import REPORTS, outcomes, parts, table, visit
from tests.reports.evaluations.aisbench_archives import archive


def test_settings_of_the_runs_are_offered_below_the_inventory():
    name = "gsm8k_n5_two_models"
    app = visit(
        REPORTS, (f"{name}.zip", archive(name).read_bytes()), ("t.parquet", table(outcomes()))
    )
    assert "How the runs were made" in parts(app)[1]
    said = [each.value.replace("\\", "") for each in app.markdown]
    shared = next(each for each in said if each.startswith("Both runs state temperature 0.7, "))
    assert " n 5, " in shared
    assert said[said.index(shared) + 1] == "1 run does not say how it was made."


def test_without_any_settings_nothing_is_offered():
    app = visit(REPORTS, ("t.parquet", table(outcomes())))
    assert "How the runs were made" not in parts(app)[0]
