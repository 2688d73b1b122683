"""Labels by a person on the page Reports: calibration sets, and lists that find their run."""

from reports.column_mapping import CALIBRATION, TABLE
from tests.pages.visiting import REPORTS, look_closer, outcomes, table, told, turn_to, visit
from tests.reports.tables.test_tables_of_labels import JUDGED

LIST = "question_id,sample,why,human,human_probability\nq{},0,at random,1,0.1\n"


def labelled(app):
    reports, refused = app.session_state["kofn.labelled"][1]
    return [run for report in reports for run in report.runs], refused


def test_labels_are_taken_for_what_they_are():
    app = visit(REPORTS, ("run.parquet", table(outcomes())), ("judged.csv", JUDGED.encode()))
    (box,) = (each for each in app.checkbox if "calibration set" in each.label)
    box.check().run()
    next(each for each in app.button if each.label == "Load with these columns").click().run()
    assert not app.exception
    assert len(labelled(app)[0]) == 1
    (calibration,) = [c for r in app.session_state["kofn.reports"].values() for c in r.calibrations]
    assert calibration.columns["judge"].shape == (4, 2)
    assert f"column.{TABLE}={CALIBRATION}" in "".join(app.query_params["data"])
    assert any("4 questions" in each.value for each in app.markdown)
    assert any(
        "calibration set of a judge, with 5 human labels" in each.value for each in app.caption
    )

    app.file_uploader[0].upload("odd.csv", LIST.format(99).encode()).run()
    assert any("has no question q99" in each.value for each in app.error)
    app.file_uploader[0].upload("list.csv", LIST.format(7).encode()).run()
    (run,), _ = labelled(app)
    assert run.columns["human"][7, 0] == 1


def test_of_two_judges_that_people_checked_one_is_chosen():
    lines = JUDGED.splitlines()
    two = "\n".join([f"{lines[0]},other", *(f"{line},0.5" for line in lines[1:])])
    app = visit(REPORTS, ("run.parquet", table(outcomes())), ("judged.csv", two.encode()))
    (box,) = (each for each in app.checkbox if "calibration set" in each.label)
    box.check().run()
    next(each for each in app.button if each.label == "Load with these columns").click().run()
    app = look_closer(turn_to(app, "pages/data/trust/page.py"), "judges")
    assert not app.exception
    assert "Choose a judge: judged.csv has numbers of judge, other." in told(app)


def test_a_table_with_labels_may_be_a_calibration_set_instead():
    right = outcomes()
    app = visit(REPORTS, ("t.parquet", table(right, human=right.ravel(), judge=right.ravel())))
    (toggle,) = (each for each in app.toggle if each.label == "Calibration set")
    assert len(labelled(app)[0]) == 1
    toggle.set_value(True).run()
    assert not app.exception
    assert not labelled(app)[0]
    (toggle,) = (each for each in app.toggle if each.label == "Calibration set")
    assert toggle.value
    toggle.set_value(False).run()
    assert len(labelled(app)[0]) == 1
