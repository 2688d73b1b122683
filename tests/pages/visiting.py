"""A page as its visitor sees and uses it: figures, words, widgets, links of the sidebar."""

import io
import json
import re
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pyarrow as pa
import pyarrow.parquet as pq
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest, app_test, local_script_runner

from kofn.choices.sources import ReportSource
from pages.shared.loading.opening import linked_source, uploaded_source
from pages.shared.memory.session import Wanted

ROOT = Path(__file__).parents[2]
PAGES = [page.relative_to(ROOT).as_posix() for page in sorted(ROOT.glob("pages/**/page.py"))]
REPORTS = "pages/data/reports/page.py"
OVERVIEW = "pages/results/overview/page.py"
SATURATION = "pages/behaviour/saturation/page.py"
OPEN = (
    *("table", "questions", "thresholds", "gap", "meaning", "advice", "targets", "one", "forecast"),
    *("datasets", "ways", "places", "costs", "series", "runs", "load", "stated", "made"),
    *("findings", "texts", "reading", "reliability"),
)
"""Parts of pages that are open here, where a test names no others."""
FOLDS = (
    *("settings", "notes", "aim", "prices", "picture", "targets", "span", "known", "picking"),
    *("link", "lines", "assumed", "notes.all", "changed", "refused"),
)
"""Folds that are open here when a page is visited first."""
READ_FIRST = 30
"""The most words of what a page opens with, whatever it is."""
CHECKING = (
    *("Checking whether equal ids", "正在核对 id 相同"),
    *("Asking which questions", "正在询问两个运行有哪些共同的题目"),
    *("is asked which questions", "正在询问两者"),
)
"""What a page says until it has nothing more to find out."""
CHOOSE_N = "pages/results/choose_n/page.py"
COMPARE = "pages/results/compare/page.py"

# A server looks through all packages for widgets once, and compiles a page once; here each click
# starts one.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
app_test.ScriptCache = local_script_runner.ScriptCache = cache(app_test.ScriptCache)
app_test.MagicMock = cache(app_test.MagicMock)


def table(correct, model="alpha", dataset="maths", **columns) -> bytes:
    """Return outcomes as a Parquet file in long form."""
    correct = np.asarray(correct)
    m, n = correct.shape
    buffer = io.BytesIO()
    long = {
        "model": [model] * (m * n),
        "dataset": [dataset] * (m * n),
        "question_id": np.repeat([f"q{i}" for i in range(m)], n),
        "sample": np.tile(np.arange(n), m),
        "correct": correct.ravel(),
    }
    pq.write_table(pa.table(long | columns), buffer)
    return buffer.getvalue()


def outcomes(m=30, n=4, seed=5):
    rng = np.random.default_rng(seed)
    return (rng.random((m, n)) < rng.beta(1, 1, size=(m, 1))).astype(np.int64)


kept = cache(uploaded_source)
"""Keep an upload for visits that share what was found of it, as long as one of them lasts."""


def visit(page: str, /, *files: tuple[str, bytes] | Wanted, **query: str | list[str]) -> AppTest:
    """Open the app, load some files and go to a page, with what is behind its first screen."""
    if page != REPORTS:
        wanted = [file if isinstance(file, Wanted) else uploaded_source(*file) for file in files]
        return _open(page, wanted, query)
    app = _open(page, [], query)
    for name, data in files:
        app.file_uploader[0].upload(name, data).run()
        see_reports(app)
    return app


def visit_sample(page: str, **query: str) -> AppTest:
    """Go to a page with the report of AISBench in the sample.

    It is read once, and what is found of it stays for who comes later: the first visitor does, too.
    """
    _first_visitor_of_sample()
    return _open(page, _sample(), query)


@cache
def _first_visitor_of_sample() -> AppTest:
    return _open(OVERVIEW, _sample(), {})


def _sample() -> list[Wanted]:
    return [linked_source(ReportSource("sample", "aisbench_report.zip"))]


def _open(page: str, wanted: list[Wanted], query: Mapping[str, str | list[str]]) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.query_params.update({"more": list(OPEN)} | query)
    app._registered_pages = registered_pages()
    app.switch_page(str(ROOT / page))
    app.session_state["kofn.wanted"] = wanted
    for name in FOLDS:
        app.session_state[f"kofn.fold.{name}"] = True
    app.run()
    if app.header:
        assert len(app.header[0].value.split()) <= READ_FIRST, app.header[0].value
    return app


def unfold(app, *names):
    """Open folds of a page, whose content is sent only then."""
    for name in names:
        app.session_state[f"kofn.fold.{name}"] = True
    return app.run()


def close(app, *names):
    """Close folds of a page."""
    for name in names:
        app.session_state[f"kofn.fold.{name}"] = False
    return app.run()


def look_closer(app, *names):
    """Open parts of a page that stand behind its first screen."""
    (row,) = (each for each in app.pills if each.label == "Look closer")
    return row.set_value([*row.value, *names]).run()


def parts(app):
    """Return the headings of the parts that can be opened, and of those that are."""
    (row,) = (each for each in app.pills if each.label == "Look closer")
    opened = {each.value for each in app.header}
    return list(row.options), [each for each in row.options if each in opened]


def see_reports(app):
    """Go back to the reports from the overview, where one stands after the first came in."""
    if app.title[0].value == "Overview":
        app.switch_page(str(ROOT / REPORTS)).run()
    return app


def visit_scores(*files: tuple[str, bytes], **query: str) -> AppTest:
    """Open all metrics of some files."""
    return visit(OVERVIEW, *files, form="metrics", **query)


@cache
def registered_pages():
    """What a run of the app tells of its pages."""
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()._registered_pages


def words(app: AppTest) -> str:
    """Return every sentence on the page."""
    told = (app.markdown, app.caption, app.error, app.warning, app.info)
    kinds = (*told, app.title, app.header)
    return "\n".join(element.value for kind in kinds for element in kind)


def opening(app) -> str:
    """Return the answer of a page: its first sentence and, in plain letters, what follows."""
    shown = [each for each in app.main if getattr(each, "type", "") in ("header", "markdown")]
    first = next(place for place, each in enumerate(shown) if each.type == "header")
    return re.sub(r"\\(.)", r"\1", " ".join(each.value for each in shown[first : first + 2]))


def figures(app) -> list[go.Figure]:
    return [go.Figure(json.loads(each.proto.spec)) for each in app.get("plotly_chart")]


def told(app) -> str:
    return re.sub(r"\\(.)", r"\1", words(app))


def choose(app, label, value):
    """Give a widget a value, by its label."""
    kinds = (app.selectbox, app.multiselect, app.number_input, app.radio, app.segmented_control)
    (widget,) = (each for kind in kinds for each in kind if each.label == label)
    return widget.set_value(value).run()


def turn_to(app, page):
    """Follow a link of the sidebar, which has no settings."""
    app.query_params.clear()
    return app.switch_page(str(ROOT / page)).run()


def settled(app):
    """Run a page until it has nothing more to find out."""
    for _ in range(200):
        if not any(each in words(app) for each in CHECKING):
            return words(app).replace("\\", "")
        time.sleep(0.2)
        app.run()
    raise AssertionError("never settles")
