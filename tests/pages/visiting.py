"""A page as its visitor sees and uses it: figures, words, widgets, links of the sidebar."""

import json
import re

import plotly.graph_objects as go

from tests.pages.test_pages import ROOT, words

SATURATION = "pages/decide/saturation.py"
CHOOSE_N = "pages/decide/choose_n.py"


def figures(app) -> list[go.Figure]:
    return [go.Figure(json.loads(each.proto.spec)) for each in app.get("plotly_chart")]


def told(app) -> str:
    return re.sub(r"\\(.)", r"\1", words(app))


def choose(app, label, value):
    """Give a widget a value, by its label."""
    kinds = (app.selectbox, app.number_input, app.radio, app.segmented_control)
    (widget,) = (each for kind in kinds for each in kind if each.label == label)
    return widget.set_value(value).run()


def turn_to(app, page):
    """Follow a link of the sidebar, which has no settings."""
    app.query_params.clear()
    return app.switch_page(str(ROOT / page)).run()
