"""How Sphinx makes a site of these documents and of what the docstrings say.

``uv run sphinx-build --fail-on-warning docs site``
"""

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

from docutils.nodes import SkipNode, math
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

sys.path.insert(0, str(Path(__file__).parents[1]))

import kofn
from docs.public_names import LIBRARY, PACKAGES, ROW

project = html_title = "kofn"
copyright = "the maintainers of kofn, Apache License 2.0"
version = kofn.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc"]
myst_heading_anchors = 3
default_role = "py:obj"
nitpicky = True
nitpick_ignore_regex = [("py:obj", r"(metrics|reports|kofn)\.\w+\..+")]  # is not public: no link
smartquotes = False

autodoc_typehints = "none"
autosummary_generate = False
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
numpydoc_attributes_as_param_list = False

html_theme = "furo"
html_math_renderer = "mathml"

_OUT = re.compile(r"(?<!!)\[([^\]]+)\]\(\.\./[^)]*\)")


def setup(app: Sphinx) -> None:
    """Complete pages by what only the site has; let browsers draw formulas, without a script."""
    app.connect("source-read", _complete)
    app.add_html_math_renderer("mathml", (_draw("inline"), None), (_draw("block"), None))


def _draw(display: Literal["inline", "block"]) -> Callable[[HTML5Translator, math], None]:
    def draw(writer: HTML5Translator, formula: math) -> None:
        writer.body.append(convert(formula.astext(), display=display))
        raise SkipNode

    return draw


def _complete(_app: Sphinx, page: str, source: list[str]) -> None:
    """Write the reference; lead to it from the library; and nowhere outside of the site."""
    if page == "reference":
        source[0] += "\n".join(_reference())
    lines = (
        ROW.sub(r"| {py:obj}`~kofn.\g<package>.\g<name>` | \g<text> |", line)
        for line in source[0].split("\n")
    )
    source[0] = _OUT.sub(r"\1", "\n".join(lines))


def _reference() -> Iterator[str]:
    """Have what the docstrings say of each public name, in the order of library.md."""
    for line in LIBRARY.read_text().split("\n"):
        if row := ROW.match(line):
            described = getattr(PACKAGES[row["package"]], row["name"])
            name = f"kofn.{row['package']}.{row['name']}"
            yield from ("```{eval-rst}", *_directive(name, described, row["text"]), "```", "")
        elif line.startswith("## "):
            yield f"\n{line}\n"


def _directive(name: str, described: object, text: str) -> tuple[str, ...]:
    if inspect.isfunction(described):
        return (f".. autofunction:: {name}",)
    if inspect.isclass(described):
        kind = "exception" if issubclass(described, Exception) else "class"
        return (f".. auto{kind}:: {name}", "   :members:")
    return (f".. py:data:: {name}", "", f"   {text.replace('`', '``')}")
