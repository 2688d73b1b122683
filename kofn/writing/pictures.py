"""Figures as SVG and PDF, by Kaleido and a Chromium.

Both, and what draws, are imported for a picture alone.
"""

from __future__ import annotations

import shutil
import subprocess
from importlib.util import find_spec
from typing import TYPE_CHECKING

from metrics.data.words import MetricError, Text, reader
from reports.extras import installing

if TYPE_CHECKING:
    import plotly.graph_objects as go

SUFFIXES = (".svg", ".pdf")
"""How the names of files end that hold a picture."""
COLUMN, COLUMNS = 3.3, 6.9
"""How many inches wide a column of a paper is, and two with what is between them."""
NO_KALEIDO = Text(
    "A picture needs Kaleido, which is not installed. {installing}",
    installing=installing("pictures"),
)
NO_BROWSER = Text(
    "A picture needs Chromium or Chrome, and none was found; install one (apt-get install "
    "chromium), or set BROWSER_PATH to it."
)
NO_FONT = Text(
    "This machine has no font with Chinese letters, so the picture has boxes in their place; "
    "install one (apt-get install fonts-noto-cjk)."
)


def missing_font() -> Text | None:
    """Return what is missing for letters of the reader's language; None where nothing is."""
    found = shutil.which("fc-list")
    if reader() is None or found is None:
        return None
    fonts = subprocess.run([found, ":lang=zh"], capture_output=True, check=False).stdout
    return None if fonts.strip() else NO_FONT


def why_no_pictures() -> Text | None:
    """Return what is missing for pictures; None where nothing is known to be."""
    return None if find_spec("kaleido") else NO_KALEIDO


def picture(figure: go.Figure, suffix: str, *, wide: bool) -> bytes:
    """Return a figure as a file of a picture, for a paper; nothing is asked of the network.

    suffix: Of `SUFFIXES`.
    Raises MetricError if there is no browser to draw it.
    """
    import kaleido
    from choreographer.errors import BrowserFailedError, ChromeNotFoundError

    from charts.paper import SCALE, for_paper

    made = for_paper(figure, COLUMNS if wide else COLUMN)
    asked = {
        "format": suffix.removeprefix("."),
        "width": made.layout.width,
        "height": made.layout.height,
        "scale": SCALE,
    }
    try:
        drawn: bytes = kaleido.calc_fig_sync(made, asked, kopts={"mathjax": False})
    except ChromeNotFoundError as error:
        raise MetricError(NO_BROWSER) from error
    except BrowserFailedError as error:
        why = str(error).strip().splitlines()[0]
        raise MetricError(
            Text("The browser that draws pictures did not start: {why}", why=why)
        ) from error
    return drawn
