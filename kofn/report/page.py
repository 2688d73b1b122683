"""A report as one self-contained web page that opens without a network."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from plotly.offline import get_plotlyjs

from kofn.report.bound import Bound
from kofn.report.chapters import Chapter
from kofn.report.words import WORDS, table_name

_DIGITS = 8
"""Significant digits of a number that is drawn."""
_MILLIONTH = 1e-6
"""Of what an axis shows, which is no pixel."""
_PACKED = 8
"""A list of as many numbers is packed."""
_HEIGHT = 450


def html_of(bound: Bound) -> str:
    """Write a report as HTML: its figures are live, and every table stands there without scripts.

    All texts are escaped; the page may load nothing, whatever a name in it says.
    """
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined
    )
    shown = [_chapter_fields(chapter) for chapter in bound.chapters]
    made = bound.made.document()
    return environment.get_template("page.html").render(
        title=bound.title,
        name_of=table_name,
        words={name: str(text) for name, text in WORDS.items()},
        chapters=shown,
        quoted=bound.quoted,
        notes=bound.notes,
        methods=bound.methods,
        references=bound.references,
        runs=bound.runs,
        made=made,
        settings=[{name: _spelled(value) for name, value in made["settings"].items()}],
        inputs=made["inputs"],
        address=bound.address,
        plotly=Markup(get_plotlyjs()) if any(each["figure"] for each in shown) else "",
    )


def _chapter_fields(chapter: Chapter) -> Mapping[str, Any]:
    figure = chapter.figure
    return {
        "key": chapter.key,
        "title": chapter.title,
        "answer": chapter.answer,
        "covers": chapter.covers,
        "tables": chapter.tables,
        "figure": "" if figure is None else Markup(_within_script(figure_json(figure))),
        "height": _HEIGHT if figure is None else figure.layout.height or _HEIGHT,
    }


def figure_json(figure: go.Figure) -> str:
    """Return a figure without its template, its numbers rounded and long arrays of them packed.

    Examples
    --------
    >>> figure_json(go.Figure(go.Scatter(y=[1 / 3, 2], name="7B")))
    '{"data":[{"name":"7B","y":[0.33333333,2],"type":"scatter"}],"layout":{}}'
    """
    plain = figure.to_plotly_json()
    layout = {name: value for name, value in plain["layout"].items() if name != "template"}
    small = _small({"data": plain["data"], "layout": layout})
    return json.dumps(small, separators=(",", ":"), allow_nan=False)


def _small(value: Any) -> Any:
    if isinstance(value, dict) and value.get("dtype") == "f8" and "shape" not in value:
        return _packed(np.frombuffer(b64decode(value["bdata"]), "<f8"))
    if isinstance(value, dict):
        return {name: _small(each) for name, each in value.items()}
    if isinstance(value, np.ndarray):
        return _small(value.tolist())
    if isinstance(value, list | tuple):
        if len(value) >= _PACKED and all(type(each) in (int, float) for each in value):
            return _packed(np.asarray(value, np.float64))
        return [_small(each) for each in value]
    if isinstance(value, float):
        return _rounded(value)
    return value.item() if isinstance(value, np.generic) else value


def _packed(numbers: np.ndarray[Any, Any]) -> Any:
    """Pack an array as Plotly does; what single precision cannot tell apart stays a list."""
    if numbers.ndim != 1 or len(numbers) < _PACKED or not _fits(numbers):
        return [_small(each) for each in numbers.tolist()]
    data = b64encode(numbers.astype("<f4").tobytes()).decode()
    return {"dtype": "f4", "bdata": data}


def _fits(numbers: np.ndarray[Any, Any]) -> bool:
    """Return whether single precision moves no number by a millionth of their range."""
    finite = numbers[np.isfinite(numbers)].astype(np.float64)
    if not finite.size:
        return True
    moved = np.abs(finite.astype(np.float32) - finite).max()
    return bool(moved <= _MILLIONTH * (np.ptp(finite) or abs(finite[0])))


def _rounded(value: float) -> float | None:
    if not np.isfinite(value):
        return None
    return float(f"{value:.{_DIGITS}g}")


def _within_script(text: str) -> str:
    """Keep a text from ending the script that it stands in."""
    return text.replace("<", r"\u003c")


def _spelled(value: Any) -> str:
    if value in (None, []):
        return "–"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
