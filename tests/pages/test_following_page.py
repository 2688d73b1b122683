"""Reports that change on disk: said, loaded again by a click, and followed."""

import json
import time
from functools import partial
from itertools import count
from math import inf

import pytest

from kofn.choices.following import Following
from pages.shared.loading import following
from reports.files.errors import LoadError
from tests.pages.visiting import ROOT, choose, told, visit

REPORTS, OVERVIEW = "pages/data/reports/page.py", "pages/results/overview/page.py"


def lines(questions, model="alpha"):
    return "".join(
        json.dumps({"model": model, "dataset": "maths", "id": f"q{i}", "sample": j, "correct": j})
        + "\n"
        for i in range(questions)
        for j in range(2)
    )


@pytest.fixture
def live(tmp_path, monkeypatch):
    """A file that a server was started with, and that looks at it whenever a page runs."""
    path = tmp_path / "live.jsonl"
    path.write_text(lines(5) + '{"mod')
    (tmp_path / "other.jsonl").write_text(lines(3, "other"))
    monkeypatch.setattr("sys.argv", ["app.py", str(path), str(tmp_path / "other.jsonl")])
    monkeypatch.setattr(following, "NOTICE", 0)
    monkeypatch.setattr("kofn.workers.watching.TIMES", 0)
    monkeypatch.setattr("pages.shared.loading.following.TIMES", 0)
    return path


def questions(app):
    """Count the questions of the runs of the first report, which stays the first."""
    report, other = app.session_state["kofn.reports"].values()
    assert [run.model for run in other.runs] == ["other"]
    return [len(run.outcomes.questions) for run in report.runs]


def followed(app):
    """Run a page until what it reads beside is there, with its time come."""
    app.session_state["kofn.follow.due"] = 0.0
    following.WATCHES._known.clear()
    app.run()
    for _ in range(200):
        if not app.session_state["kofn.under.way"]:
            break
        time.sleep(0.02)
        app.run()
    return app


def test_a_change_is_said_and_loaded_by_a_click(live):
    app = visit(REPORTS)
    assert "alpha / maths is unfinished, as of" in told(app)
    assert "has changed on disk" not in told(app)
    live.write_text(lines(8))
    app.run()
    assert "live.jsonl has changed on disk." in told(app)
    assert questions(app) == [5]
    app.button(key="kofn.again").click().run()
    assert questions(app) == [8]
    assert "changed on disk." not in told(app).replace("what has changed on disk", "")
    assert "unfinished" not in told(app)


def test_what_a_visitor_loads_again_is_not_held_against_the_link_it_came_by(live):
    app = visit(REPORTS, data=visit(REPORTS).query_params["data"])
    live.write_text(lines(8))
    app.run().button(key="kofn.again").click().run()
    assert questions(app) == [8]
    assert "was changed since this link was made" not in told(app)


def test_a_file_that_is_followed_is_loaded_by_itself_on_every_page(live):
    app = visit(REPORTS)
    choose(app, "Load again what has changed on disk", 10)
    assert app.query_params["follow"] == "10"
    live.write_text(lines(6) + lines(6, "beta")[:-30])
    app.switch_page(str(ROOT / OVERVIEW)).run()
    first = app.query_params["data"]
    assert questions(followed(app)) == [6, 6]
    assert app.query_params["follow"] == "10"
    assert app.query_params["data"] != first
    assert "2 of 3 runs are unfinished" in told(app)
    app.run()
    file, _other = app.session_state["kofn.files"].values()
    assert [*app.session_state["kofn.files"]] == [*app.session_state["kofn.reports"]]
    assert file.source.digest == next(iter(app.session_state["kofn.reports"]))[:24]


def test_a_part_of_a_page_reads_what_has_changed_and_has_the_page_show_it(live, monkeypatch):
    monkeypatch.setattr(following, "count", partial(count, 1))  # as whenever it is its time
    app = visit(REPORTS, follow="10")
    live.write_text(lines(7))
    live.with_name("other.jsonl").write_text(lines(4, "other"))
    app.session_state["kofn.follow.due"] = inf
    following.WATCHES._known.clear()
    assert app.run().dataframe[0].value["Questions"].tolist() == [7, 4]


def test_the_last_numbers_stay_where_a_file_is_gone_or_broken(live):
    app = visit(OVERVIEW, follow="10")
    live.write_bytes(b"\0\0")
    assert questions(followed(app)) == [5]
    (sentence,) = (each.value.replace("\\", "") for each in app.warning)
    assert "live.jsonl: " in sentence
    assert "The numbers are those of" in sentence
    away = live.rename(live.with_suffix(".away"))
    assert "no longer exists" in "".join(each.value for each in followed(app).warning)
    assert questions(app) == [5]
    away.write_text(lines(7))
    away.rename(live)
    assert questions(followed(app)) == [7]
    assert not app.warning
    live.rename(away)
    assert followed(app).warning
    away.rename(live)
    assert not followed(app).warning


def test_what_takes_long_is_read_once_at_a_time_and_dropped_with_its_report(live, monkeypatch):
    begun, goes_on, seconds = [], [True], []
    fragment = following.st.fragment

    def again(*function, **how):
        seconds.extend([how["run_every"]] if "run_every" in how else [])
        return fragment(*function, **how)

    monkeypatch.setattr(following.st, "fragment", again)

    def read(columns, progress, **options):
        begun.append(options["state"])
        while goes_on[0]:
            progress(0, 0)
            time.sleep(0.01)
        raise LoadError("x", following.Text("is broken"), following.Text("Mend it."))

    app = visit(OVERVIEW, follow="10")
    digest, _other = app.session_state["kofn.files"]
    files = app.session_state["kofn.files"]
    files[digest] = following.replace(files[digest], read=read)
    for more in (6, 7, 8):
        live.write_text(lines(more))
        app.session_state["kofn.follow.due"] = 0.0
        following.WATCHES._known.clear()
        app.run()
    assert len(begun) == 1
    assert seconds[-1] == following.SOON
    assert questions(app) == [5]
    goes_on[0] = False
    followed(app)
    assert "is broken" in "".join(each.value for each in app.warning)
    followed(app)
    assert len(begun) == 2  # as it was first, and as it is now: not over and over
    followed(app)
    assert len(begun) == 2
    assert seconds[-1] == 10


def test_an_upload_cannot_change_and_a_wrong_setting_is_said():
    app = visit(REPORTS, ("a.jsonl", lines(3).encode()), follow="10")
    assert not [each for each in app.selectbox if each.label.startswith("Load again")]
    chosen, (problem,) = Following.from_query({"follow": ["7"]})
    assert (chosen.every, str(problem)) == (0, "follow must be one of 10, 60, 300 s; got '7'")
