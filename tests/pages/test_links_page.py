"""What an address carries: the data that is shown, and how it comes back."""

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from kofn.choices.sources import ReportSource
from pages.shared.loading import opening, server_paths
from reports.files.stored_uploads import Keeping
from tests.pages.visiting import OVERVIEW, REPORTS, ROOT, choose, outcomes, table, visit, words
from tests.pages.visiting import turn_to as turn

DATA = table(outcomes())
OTHER = table(outcomes(seed=1), model="beta")
USERS = ("opening", "copying", "kept_files")


@pytest.fixture(autouse=True)
def keeping(monkeypatch):
    """The uploads that are kept, of this test alone."""
    fresh = Keeping()
    keep_in(fresh, monkeypatch)
    return fresh


def keep_in(keeping, monkeypatch):
    for module in ("memory.session", *(f"loading.{name}" for name in USERS)):
        monkeypatch.setattr(f"pages.shared.{module}.KEPT", keeping)


def named(app):
    """What the address says is shown."""
    texts = app.query_params.get("data", [])
    return [ReportSource.read(text) for text in ([texts] if isinstance(texts, str) else texts)]


def follow(link, page=OVERVIEW):
    """Come as another visitor by a link, or by its query."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.query_params.update(parse_qs(urlsplit(link).query or link))
    app.run()
    return app.switch_page(str(ROOT / page)).run()


def links(app):
    """The links that are offered: with the data, if it is kept, and without."""
    return [code.value for code in app.code if "data=" in code.value]


def click(app, label):
    (button,) = (button for button in app.button if button.label == label)
    return button.click().run()


def models(app):
    app = turn(app, REPORTS)
    return app.dataframe[0].value["Model"].tolist() if app.dataframe else []


def test_the_sample_is_in_the_address_of_every_page_and_comes_back_by_it(tmp_path, monkeypatch):
    (tmp_path / "a.parquet").write_bytes(DATA)
    monkeypatch.setattr(opening, "SAMPLE", {"a.parquet": tmp_path / "a.parquet"})
    app = visit(REPORTS)
    app.button(key="kofn.sample").click().run()
    seen = models(app)
    assert [source.name for source in named(turn(app, OVERVIEW))] == [*opening.SAMPLE]
    (link,) = links(app)
    assert models(follow(link)) == seen


def test_a_report_that_is_removed_leaves_the_address():
    app = visit(REPORTS, ("a.parquet", DATA), ("b.parquet", OTHER))
    assert [source.name for source in named(app)] == ["a.parquet", "b.parquet"]
    app.button[[button.label for button in app.button].index("Remove")].click().run()
    assert [source.name for source in named(app)] == ["b.parquet"]
    click(app, "Remove")
    assert named(app) == []


def test_a_copied_link_shows_data_and_settings():
    app = visit(OVERVIEW, ("a.parquet", DATA), level="0.9")
    whole, without = links(app)
    other = follow(whole)
    assert "90% intervals" in words(other)
    assert models(other) == ["alpha"]
    key, own = named(other)[0].key, named(app)[0].key
    assert {key, own}.isdisjoint({""})
    assert key != own
    assert key not in without
    assert own not in whole + without


def test_what_a_guest_removes_stays_for_others_and_what_its_owner_removes_does_not():
    app = visit(REPORTS, ("a.parquet", DATA))
    link, _without = links(app)
    guest = follow(link, REPORTS)
    click(guest, "Remove")
    assert models(follow(link)) == ["alpha"]
    click(app, "Remove")
    assert "This link shows a\\.parquet" in words(follow(link))


@pytest.mark.parametrize("page", [OVERVIEW, REPORTS])
def test_a_link_without_the_data_asks_for_the_file_and_takes_no_other(page):
    app = visit(OVERVIEW, ("a.parquet", DATA), level="0.9")
    _whole, without = links(app)
    other = follow(without)
    if page == REPORTS:
        turn(other, REPORTS)
    asked = words(other)
    assert named(app)[0].fingerprint in asked
    assert "Upload that file to see what its sender saw" in asked
    assert not any(button.label == "Open the sample" for button in other.button)
    other.file_uploader[0].upload("a.parquet", OTHER).run()
    assert "is not the report that the link shows" in "".join(error.value for error in other.error)
    assert not other.dataframe
    other.file_uploader[0].upload("renamed.parquet", DATA).run()
    assert "This link shows" not in words(other)
    if page == REPORTS:
        turn(other, OVERVIEW)
    assert "90% intervals" in words(other)
    assert models(other) == ["alpha"]


def test_a_link_without_a_fingerprint_asks_for_a_file_by_its_name():
    app = follow("data=file%3Da.parquet")
    app.file_uploader[0].upload("b.parquet", OTHER).run()
    assert "is not the report that the link shows" in "".join(error.value for error in app.error)
    app.file_uploader[0].upload("a.parquet", DATA).run()
    assert models(app) == ["alpha"]


def test_who_leaves_a_link_leaves_its_settings(tmp_path, monkeypatch):
    (tmp_path / "b.parquet").write_bytes(OTHER)
    monkeypatch.setattr(opening, "SAMPLE", {"b.parquet": tmp_path / "b.parquet"})
    app = visit(OVERVIEW, ("a.parquet", DATA), level="0.9")
    other = follow(links(app)[1])
    click(other, "Leave the link")
    other.button(key="kofn.sample").click().run()
    assert "95% intervals" in words(other)
    assert "level" not in other.query_params


def test_a_link_that_shows_one_file_more_says_so_beside_the_other():
    app = visit(OVERVIEW, ("a.parquet", DATA), ("b.parquet", OTHER))
    link = links(app)[1]
    other = follow(link)
    other.file_uploader[0].upload("a.parquet", DATA).run()
    said = words(other)
    assert "This link shows b\\.parquet" in said
    assert "This link shows a\\.parquet" not in said
    assert len(named(other)) == 2


def test_columns_that_were_told_come_back_by_the_address():
    app = visit(REPORTS, ("t.csv", b"id,judge,rule\na,1,0\nb,1,0\n"))
    asked = follow(urlencode({"data": [source.spelled() for source in named(app)]}, doseq=True))
    assert turn(asked, REPORTS).selectbox
    choose(app, "Verdict: right or wrong", "rule")
    click(app, "Load with these columns")
    other = turn(follow(links(app)[0]), REPORTS)
    assert not other.selectbox
    assert len(other.dataframe[0].value) == 1


def test_an_upload_that_is_not_kept_is_asked_for(monkeypatch):
    keep_in(Keeping(minutes=0), monkeypatch)
    app = visit(OVERVIEW, ("a.parquet", DATA))
    (link,) = links(app)
    assert named(app)[0].key == ""
    assert "This server keeps no uploads" in words(turn(app, REPORTS))
    assert "This link shows a\\.parquet" in words(follow(link))


def test_an_upload_that_made_room_for_later_ones_is_said_on_the_page(monkeypatch):
    keep_in(Keeping(megabytes=1.5 * len(DATA) / 1e6), monkeypatch)
    app = visit(REPORTS, ("a.parquet", DATA))
    link, _without = links(app)
    assert "no longer kept" not in words(app)
    app.file_uploader[0].upload("b.parquet", OTHER).run()
    assert "a\\.parquet\\: no longer kept" in words(app)
    assert "This link shows a\\.parquet" in words(follow(link))


def test_a_path_that_was_given_loads_at_once_and_one_that_was_not_after_a_click(
    tmp_path, monkeypatch
):
    inside, outside = tmp_path / "reports", tmp_path / "elsewhere"
    for folder in (inside, outside):
        folder.mkdir()
        (folder / "a.parquet").write_bytes(DATA)
    monkeypatch.setattr(server_paths, "is_own_machine", lambda: True)
    monkeypatch.setattr("sys.argv", ["app.py", str(inside)])
    assert models(follow(f"data=path%3D{inside}/a.parquet")) == ["alpha"]
    asked = follow(f"data=path%3D{outside}/a.parquet")
    said = words(asked).replace("\\", "")
    assert f"This link opens {outside}/a.parquet on this machine" in said
    assert models(asked) == []
    click(asked, "Open")
    assert models(asked) == ["alpha"]
    monkeypatch.setattr(server_paths, "is_own_machine", lambda: False)
    refused = follow(f"data=path%3D{outside}/a.parquet")
    assert "which this server cannot open for you" in words(refused)
    assert not [button for button in refused.button if button.label == "Open"]


@pytest.mark.parametrize("spelled", ["inside/../outside", "inside/leads"])
def test_a_link_is_asked_of_by_what_it_would_open(tmp_path, monkeypatch, spelled):
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "a.parquet").write_bytes(DATA)
    (inside / "leads").symlink_to(outside)
    monkeypatch.setattr(server_paths, "is_own_machine", lambda: True)
    monkeypatch.setattr("sys.argv", ["app.py", "--reports", str(inside)])
    asked = follow(f"data=path%3D{tmp_path / spelled}/a.parquet")
    said = words(asked).replace("\\", "")
    assert f"This link opens {outside}/a.parquet on this machine" in said
    click(asked, "Open")
    assert models(asked) == ["alpha"]


def test_paths_within_the_folder_of_reports_are_spelled_by_what_is_in_it(tmp_path, monkeypatch):
    (tmp_path / "a.parquet").write_bytes(DATA)
    monkeypatch.setenv("KOFN_REPORTS", str(tmp_path))
    app = visit(REPORTS)
    app.text_input[0].set_value(str(tmp_path / "a.parquet"))
    click(app, "Load")
    assert [source.name for source in named(app)] == ["a.parquet"]
    (tmp_path / "a.parquet").write_bytes(OTHER)
    changed = turn(follow(links(app)[0]), REPORTS)
    assert models(changed) == ["beta"]
    assert "was changed since this link was made" in "".join(each.value for each in changed.error)


def test_a_link_names_all_its_sender_saw_and_not_what_was_given_at_start(tmp_path, monkeypatch):
    for name, data in (("given.parquet", DATA), ("b.parquet", OTHER)):
        (tmp_path / name).write_bytes(data)
    monkeypatch.setattr(opening, "SAMPLE", {"b.parquet": tmp_path / "b.parquet"})
    monkeypatch.setattr("sys.argv", ["app.py", str(tmp_path / "given.parquet")])
    assert models(visit(REPORTS)) == ["alpha"]
    assert models(follow("data=sample%3Db.parquet")) == ["beta"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x=y",
        "file=../../etc/passwd&key=..%2F..%2Fetc",
        "sample=../app.py",
        "path=\0",
        "path=~x",
        "path=" + "/a" * 3000,
        "key=x&file=" + "a" * 10_000,
    ],
)
def test_whatever_a_link_names_it_opens_nothing_that_it_may_not(text):
    app = follow("data=" + text.replace("&", "%26").replace("=", "%3D"), REPORTS)
    assert not app.exception
    assert not app.dataframe


def test_what_was_given_is_read_once_for_all_visitors(tmp_path, monkeypatch):
    (tmp_path / "a.parquet").write_bytes(DATA)
    monkeypatch.setattr("sys.argv", ["app.py", str(tmp_path / "a.parquet")])
    one, other = (visit(REPORTS).session_state["kofn.reports"] for _ in range(2))
    assert [*one.values()] == [*other.values()]
