"""What pages show stays as somebody has looked at it: words aside, all of it and where it stands.

``uv run python -m tests.pages.test_shown`` writes it anew; ``git diff`` shows what has changed.
"""

import json
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch
from weakref import WeakValueDictionary

import pytest
from google.protobuf.json_format import MessageToDict
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1.element_tree import (
    Block,
    Element,
    ElementTree,
    parse_tree_from_messages,
)
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from pages.shared.loading.opening import uploaded_source
from pages.shared.memory.server_cache import READINGS
from reports import tables
from tests.kofn import test_golden_files
from tests.kofn.test_printed import FILES, PRINTED, ROOT, drawn, given, kept, thinned
from tests.pages.elsewhere import ADDRESS
from tests.pages.visiting import OPEN, PAGES, REPORTS, go, settled, visit

WORDS = re.compile(r"[^ -~%↑↓−]+|(?<=\"help\": \")/.*?(?=\")")
"""Sentences, which are Chinese here and translated better any day, and places of files."""
CHANGING = re.compile(r"2,000 MB|engine.* \d\d\\\\:\d\d")
"""What is said of how much is kept on the disk, and of when a table was read."""
CLOSED = (
    *("replicas", "gap-makers", "every-n", "early", "best-of-n", "short-answers", "plan"),
    *("samples", "label", "judges", "shape", "ended", "references"),
)
"""Parts that other tests open where they need them."""
RUN = "step-2 / maths"
VIEWS: dict[str, list[dict[str, str | list[str]]]] = {
    page: [
        {},
        {"run": RUN, "target": "benchmark", "level": "0.8", "missing": "omit"},
        {"segment": "topic=odd", "target": "benchmark", "level": "0.8", "missing": "omit"},
        *more,
    ]
    for page, more in {
        "pages/results/overview/page.py": [
            {"form": "table", "metric": "pass@k", "k": "2"},
            {"form": "metrics", "detail": RUN},
            {
                "form": "table",
                "metrics": ["geom@k", "geo-spectrum@k", "g-pass@k", "bayes@n", "max@k", "avg@n"],
                "rewards": "0,1",
                "sort": "avg@n",
                "target": "benchmark",
                "posterior": "1,2",
            },
            {"data": "sample", "form": "table", "k": "4"},
        ],
        "pages/results/compare/page.py": [
            *(
                {"dataset": "maths", "picture": picture, "by": "topic"}
                for picture in ("ranks", "base", "k", "metrics", "datasets", "segments", "pairs")
            ),
            {"dataset": "maths", "picture": "k", "k": "1", "other": RUN, "metric": "pass@k"},
            {"data": "checkpoints", "picture": "base", "against": "previous"},
            {"data": "outcomes", "picture": "k", "metric": "pass@k"},
        ],
        "pages/results/choose_n/page.py": [
            {"verifier": "no", "basis": "samples", "segment": "topic=odd"},
            {"signal": "reward", "soft": "yes", "answers": "voted", "value": "100"},
            {"verifier": "no", "stop": "confidence", "confidence": ".9", "cap": "4", "total": "9"},
            {"basis": "tokens", "token-price": "1,2", "currency": "EUR", "budget": "1"},
            {"basis": "typed", "tokens": "10,20", "token-price": "1,2", "quality": ".99"},
            {"verifier": "no", "picked-by": "reward", "dataset": "maths", "stop": "windows"},
            {"data": "candidates", "signal": "reward-v2", "judge": "judge", "nested": "yes"},
            {"data": "outcomes", "basis": "seconds", "second-price": ".1", "reach": ".9"},
        ],
        "pages/results/trade_offs/page.py": [
            {"x": "tokens", "y": "pass@k", "dataset": "logic"},
            {"x": "samples", "y": "maj@k", "per": "1000", "detail": "step-3"},
            {"data": "outcomes", "x": "seconds"},
        ],
        "pages/behaviour/saturation/page.py": [
            {"metric": "maj@k", "scale": "linear", "up-to": "32"},
            {"run": RUN, "k": "2", "band": RUN},
            {"data": "outcomes"},
        ],
        "pages/behaviour/consistency/page.py": [
            {"colour": "dataset", "region": "yes", "by": "topic", "dataset": "maths"},
            {"detail": RUN, "dataset": "maths", "x": "pass@k", "y": "maj@k", "margin": ".2"},
            {"data": "sample"},
        ],
        "pages/behaviour/guidance/page.py": [
            {"detail": RUN, "dataset": "maths"},
            {"high": ".4", "low": ".2", "k": "3", "reliability-cons": ".1", "balanced-avg": ".2"},
            {"data": "sample"},
        ],
        "pages/behaviour/soft_vs_hard/page.py": [
            {"threshold": "0.7", "dataset": "maths"},
            {"rule": "reach", "run": RUN},
            {"data": "sample"},
        ],
        "pages/data/reports/page.py": [
            {"data": "sample"},
            {"data": "candidates"},
            {"data": "open.csv"},
            {"data": "path=/data/lost.csv"},
        ],
        "pages/data/trust/page.py": [
            {"dataset": "maths", "detail": RUN, "expected": "45%", "expected-n": "5"},
            {"detail": RUN, "expected": "10%", "margin": ".01", "expected-run": "step-3 / maths"},
            {"data": "checkpoints", "detail": "cedar-14b-ckpt-2500 / everyday maths"},
            {"data": "candidates", "judge": "judge", "threshold": ".6"},
        ],
        "pages/data/questions/page.py": [
            {"a": RUN, "filter": "flaky", "sort": "right", "open": "1"},
            {"a": RUN, "b": "step-1 / maths", "filter": "a-beats-b", "down": "yes"},
            {"a": RUN, "right": "0,.5", "signal": "reward", "filter": "picked-wrong"},
            {"data": "checkpoints", "open": "everyday-159", "search": "a", "maths": "yes"},
            {"data": "sample", "filter": "confidently-wrong", "a": "sequoia-72b-chat / gsm8k"},
            {"data": "sample", "a": "sequoia-72b-chat / textvqa", "open": "2"},
            {"data": "failed", "filter": "failed", "open": "7"},
        ],
    }.items()
}
"""Settings of links to each page, and which data it shows in place of the rich report."""
COUNTED = f"path={ADDRESS}"
KINDS = ("uneven", COUNTED, "answering", "scored", "failed")
"""What pages show with the settings that nobody has changed."""
ASKED = (
    *("body", "label", "options", "default", "value", "help", "placeholder", "disabled", "icon"),
    *(
        "min",
        "max",
        "step",
        "type",
        "page",
        "queryString",
        "expanded",
        "open",
        "data",
        "hideAnchor",
    ),
    *("maxSelections", "selectionMode", "maxChars", "acceptNewOptions", "content", "format"),
    *("alignment", "type_config", "width", "pinned", "hidden", "y_min", "y_max", "color"),
    *("min_value", "max_value", "max_chars"),
)

LAYOUT = {"flexContainer", "column", "widthConfig", "heightConfig", "textAlignmentConfig"}
USUAL = (
    {"useStretch": True},
    {"useContent": True},
    {"alignment": "LEFT"},
    {
        "gapConfig": {"gapSize": "SMALL"},
        "direction": "VERTICAL",
        "justify": "JUSTIFY_START",
        "align": "ALIGN_START",
    },
)
"""Widths, heights and ways to stand that most have."""


def laid_out(message: Any) -> dict[str, Any]:
    """Return how a message of Streamlit's lays out what it adds."""
    found = MessageToDict(message)
    return {key: found[key] for key in sorted(LAYOUT & found.keys()) if found[key] not in USUAL}


def with_layout(messages: list[ForwardMsg]) -> ElementTree:
    """Return what messages make of a page, each element with how it is laid out."""
    page = parse_tree_from_messages(messages)
    for message in messages:
        if message.delta.HasField("new_element"):
            node: Any = page
            for place in message.metadata.delta_path:
                node = getattr(node, "children", {}).get(place)
            if node is not None:
                node.layout = laid_out(message.delta.new_element)
    return page


def asked(found: Any) -> Any:
    if isinstance(found, list):
        return [asked(each) for each in found]
    if isinstance(found, dict):
        return {key: asked(each) for key, each in found.items() if key in ASKED}
    return found


def shown(element: Element) -> Iterator[str]:
    """Yield what an element of a page shows, in a line or several."""
    if element.type == "plotly_chart":
        yield from drawn(go.Figure(json.loads(element.proto.spec)))
        return
    if element.type in ("dataframe", "table"):
        table = element.value
        columns = json.loads(getattr(element.proto, "columns", "") or "{}")
        rows = [[str(each)[:80] for each in row] for row in table.itertuples(index=False)]
        for each in ([*map(str, table)], *kept(rows), [*map(asked, columns.values())]):
            yield json.dumps(each, ensure_ascii=False)
        return
    proto = element.proto
    told = asked(MessageToDict(proto)) if hasattr(proto, "DESCRIPTOR") else {}
    yield json.dumps(thinned(told), ensure_ascii=False)


def all_shown(block: Block) -> Iterator[str]:
    """Yield what stands in a block, each thing with its kind."""
    for each in block.children.values():
        if isinstance(each, Block):
            held = asked(next(iter(MessageToDict(each.proto).values()), {})) if each.proto else {}
            labelled = held if isinstance(held, dict) and held.get("label") else {}
            if told := labelled | (laid_out(each.proto) if each.proto else {}):
                yield f"{each.type} {json.dumps(told, ensure_ascii=False)}"
            yield from all_shown(each)
        elif each.type != "empty":
            for line in shown(each):
                if CHANGING.search(line):
                    continue
                yield WORDS.sub("…", f"{each.type} {line}")
            if layout := getattr(each, "layout", {}):
                yield f"{each.type} {json.dumps(layout)}"


@cache
def written(kind: str) -> tuple[str, bytes]:
    """Return a file of a report."""
    if kind == "open.csv":
        return kind, b"id,judge,rule\na,1,0\nb,1,1\n"
    if kind in FILES:
        path = ROOT / FILES[kind]
        return path.name, path.read_bytes()
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{kind}.parquet"
        tables.write(given(kind).runs, path)
        return path.name, path.read_bytes()


def seen(page: str) -> str:
    lines = []
    counted = test_golden_files.given.__wrapped__("counted")
    upload = cache(uploaded_source)
    for view in [*VIEWS[page], *({"data": kind} for kind in KINDS)]:
        settings = dict(view)
        kind = str(settings.pop("data", "rich"))
        if kind.startswith("path="):
            files, settings = [], {"data": kind}
        else:
            files = [written(kind) if page == REPORTS else upload(*written(kind))]
        with (
            patch(f"{LocalScriptRunner.__module__}.parse_tree_from_messages", with_layout),
            patch("reports.engines.read", lambda address, **options: counted),
            patch.object(READINGS, "_known", WeakValueDictionary()),
            patch.dict(os.environ, {"KOFN_REPORTS": ADDRESS}),
        ):
            for _ in range(2 if kind == COUNTED else 1):  # the first to come has all be asked
                app = visit(page, *files, lang="zh", more=[*OPEN, *CLOSED], **settings)
                settled(app)
        assert not app.exception
        lines += [f"# {view}", *all_shown(app.main), ""]
    lines += all_shown(app.sidebar)
    return "\n".join(lines)


def file_of(page: str) -> Path:
    return PRINTED / "pages" / f"{Path(page).parent.name}.txt"


def test_every_page_is_looked_at():
    assert sorted(VIEWS) == PAGES


@pytest.mark.wide
@pytest.mark.parametrize("page", VIEWS)
def test_a_page_shows_what_it_showed(page):
    assert seen(page).splitlines() == file_of(page).read_text().splitlines()


if __name__ == "__main__":
    with patch("sys.argv", ["app.py"]), patch("kofn.workers.calls._here", True):
        for page in VIEWS:
            file_of(page).write_text(seen(page))
