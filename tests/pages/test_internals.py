"""What kofn changes or asks of the inside of Streamlit is still there, and does what it is for."""

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit import config, file_util, net_util
from streamlit.elements.lib.column_types import ColumnConfig
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.web.server.starlette import starlette_websocket

from pages.shared import internals
from tests.pages.visiting import OVERVIEW, REPORTS, ROOT, visit, visit_sample

INSIDE = ("runtime", "web", "proto", "elements", "net_util", "delta_generator", "commands")
FILE = UploadedFileRec("1", "a.csv", "text/csv", b"x")


class Sessions:
    """Who is known to a server, and what it is told."""

    def __init__(self, *known):
        self.known, self.told = known, []

    def get_session_info(self, session):
        return session if session in self.known else None


@pytest.fixture
def runtime(monkeypatch):
    """A server that does nothing by itself."""
    uploads = MemoryUploadedFileManager("/upload")
    made = SimpleNamespace(uploaded_file_mgr=uploads, _session_mgr=Sessions("here"))
    monkeypatch.setattr(Runtime, "_instance", made)
    return made


def imports(path: Path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)


def test_one_module_alone_knows_the_inside_of_streamlit():
    users = {
        path.relative_to(ROOT).as_posix()
        for path in [ROOT / "app.py", *ROOT.glob("pages/**/*.py")]
        for name in imports(path)
        if name.startswith(tuple(f"streamlit.{part}" for part in INSIDE))
    }
    assert users == {"pages/shared/internals.py"}


def test_the_version_is_the_one_that_was_tried():
    assert '"streamlit~=1.67.0"' in (ROOT / "pyproject.toml").read_text()
    assert st.__version__.startswith("1.67.")


def test_a_folder_of_pages_is_not_taken_for_navigation(monkeypatch):
    for told, taken in ((lambda: None, True), (internals.use_navigation_alone, False)):
        monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
        told()
        PagesManager(str(ROOT / "app.py"))
        assert PagesManager.uses_pages_directory is taken


def test_a_rule_of_ours_alone_says_which_connections_are_let_in(monkeypatch):
    asked = []
    monkeypatch.setattr(net_util, "get_external_ip", lambda: asked.append("outside"))
    name = "_is_origin_allowed"
    monkeypatch.setattr(starlette_websocket, name, getattr(starlette_websocket, name))
    assert not starlette_websocket._is_origin_allowed("http://another.example", "localhost")
    assert asked == ["outside"]
    internals.leave_hosts_to(lambda hosts, origins: asked.append((hosts, origins)) or "refused")
    assert not starlette_websocket._is_origin_allowed("http://another.example", "localhost")
    assert not starlette_websocket._is_origin_allowed(None, None)
    assert asked[1:] == [(["localhost"], ["http://another.example"]), ([""], [])]
    internals.leave_hosts_to(lambda hosts, origins: "")
    assert starlette_websocket._is_origin_allowed("http://another.example", "localhost")


def test_visitors_who_left_are_kept_where_kofn_says(runtime):
    manager = runtime._session_mgr = WebsocketSessionManager(None, None, None, None)
    internals.keep_absent(SimpleNamespace(get=lambda session: f"{session} left"))
    assert manager.get_session_info("who") == "who left"


def test_an_upload_is_kept_for_a_known_visitor_alone(runtime):
    internals.refuse_late_uploads()
    for session in ("here", "gone"):
        runtime.uploaded_file_mgr.add_file(session, FILE)
    assert runtime.uploaded_file_mgr.get_files("here", ["1"]) == [FILE]
    assert runtime.uploaded_file_mgr.get_files("gone", ["1"]) == []


def test_letting_go_serves_nobody_and_then_goes_on(runtime, monkeypatch):
    told, later = [], []
    runtime.connect_session = lambda client, user: told.append(type(client).__name__) or "nobody"
    runtime.handle_backmsg = lambda session, message: told.append((session, message.app_heartbeat))
    runtime.close_session = lambda session: told.append(("closed", session))
    loop = SimpleNamespace(call_later=lambda seconds, do: later.append((seconds, do)))
    monkeypatch.setattr(internals.asyncio, "get_running_loop", lambda: loop)
    internals.let_go(lambda: told.append("then"))
    ((seconds, leave),) = later
    assert (seconds, told) == (internals.SERVED, ["_Nobody", ("nobody", True)])
    leave()
    assert told[2:] == [("closed", "nobody"), "then"]
    for name in ("connect_session", "handle_backmsg", "close_session"):
        assert callable(getattr(Runtime, name))


def test_the_bytes_of_an_upload_are_freed(monkeypatch):
    uploads = MemoryUploadedFileManager("/upload")
    uploads.add_file("here", FILE)
    context = SimpleNamespace(uploaded_file_mgr=uploads, session_id="here")
    monkeypatch.setattr(internals, "get_script_run_ctx", lambda: context)
    internals.free(SimpleNamespace(file_id="1"))
    assert uploads.get_files("here", ["1"]) == []


def test_no_settings_are_read_of_the_folder_one_stands_in(tmp_path, monkeypatch):
    name = "get_project_streamlit_file_path"
    monkeypatch.setattr(file_util, name, getattr(file_util, name))  # as it was, in the end
    monkeypatch.chdir(tmp_path)
    files = ("config.toml", "secrets.toml")
    assert [str(tmp_path) in str(config.get_config_files(each)) for each in files] == [True, True]
    internals.use_own_settings()
    assert [str(tmp_path) in str(config.get_config_files(each)) for each in files] == [False, False]


def test_settings_are_read_of_the_environment(monkeypatch):
    monkeypatch.setenv("STREAMLIT_SERVER_MAX_UPLOAD_SIZE", "77")
    monkeypatch.setenv("STREAMLIT_SERVER_ALLOWED_HOSTS", "kofn.example *.team.example")
    monkeypatch.setenv("STREAMLIT_SERVER_COOKIE_SECRET", "not told")
    assert internals.settings_of_environment() == {
        "server.maxUploadSize": 77,
        "server.allowedHosts": ("kofn.example", "*.team.example"),
    }
    monkeypatch.setenv("STREAMLIT_SERVER_MAX_UPLOAD_SIZE", "many")
    with pytest.raises(ValueError, match="'many' is not a valid integer"):
        internals.settings_of_environment()


@pytest.mark.parametrize("headless", [True, False])
def test_the_browser_opens_where_there_is_a_screen(headless, monkeypatch):
    opened, settings = [], {"server.headless": headless, "browser.serverAddress": "localhost"}
    option = config.get_option
    monkeypatch.setattr(
        config, "get_option", lambda name: settings[name] if name in settings else option(name)
    )
    monkeypatch.setattr(internals.cli_util, "open_browser", opened.append)
    internals.open_browser()
    assert len(opened) == (not headless)
    assert all(url.startswith("http://localhost:") for url in opened)


@pytest.mark.parametrize("name", internals.SCRIPTS)
def test_streamlits_scripts_are_those_that_are_changed(name):
    (script,) = [
        path
        for path in Path(st.__file__).parent.glob("static/**/*.js")
        if path.name.startswith(name) and internals.is_changed(f"/kofn/static/js/{path.name}")
    ]
    path, before = f"/static/js/{script.name}", script.read_bytes()
    after = internals.draw_once(path, before)
    assert len(after) > len(before)
    assert internals.draw_once(path, after) == after
    assert all(new in after for _, new in internals.SCRIPTS[name])
    other = internals.SCRIPTS[name][0][0] * 2
    assert internals.draw_once(path, other) == other, "another version is left as it is"


@pytest.mark.parametrize(
    "path", ["/", "/_stcore/health", "/index.abc.js", "/static/js/index.esm.abc.js"]
)
def test_nothing_else_is_changed(path):
    assert not internals.is_changed(path)
    assert internals.draw_once(path, b"as it is") == b"as it is"


def test_each_page_has_a_hash_of_its_own():
    assert internals.page_hash() == ""
    hashes = [visit(page).session_state["kofn.visit"][0] for page in (REPORTS, OVERVIEW)]
    assert all(hashes)
    assert hashes[0] != hashes[1]


def test_columns_of_a_table_are_described_by_a_type_that_is_there():
    assert st.column_config.TextColumn("x").keys() <= ColumnConfig.__annotations__.keys()


def test_a_browser_that_never_drew_a_page_is_told_again_what_its_widgets_hold():
    """Else it would show the least level, 50 %, and choose it with its next click."""
    app = visit_sample(OVERVIEW, level="0.9")
    (level,) = (each for each in app.number_input if "Confidence level" in each.label)
    assert (level.value, level.proto.default) == (90, 50)
    app._run(WidgetStates())
    (level,) = (each for each in app.number_input if "Confidence level" in each.label)
    assert level.proto.set_value
    assert level.proto.value == 90
    app.run()
    (level,) = (each for each in app.number_input if "Confidence level" in each.label)
    assert not level.proto.set_value, "what it has told itself it is not told"
    assert level.value == 90
