"""``kofn tools`` lists every reader, and the document of formats holds the same table."""

import json
from pathlib import Path

from kofn.command import main
from reports.loading import TOOLS

FORMATS = (Path(__file__).parents[2] / "docs/formats.md").read_text()


def test_every_tool_is_told_in_every_format(capsys):
    for layout in ("table", "json", "csv", "md"):
        assert main(["tools", "--format", layout]) == 0
        printed = capsys.readouterr().out
        assert all(tool.name in printed for tool in TOOLS)
        if layout == "md":
            assert printed in FORMATS
        if layout == "json":
            assert [each["tool"] for each in json.loads(printed)["tools"]] == [
                tool.name for tool in TOOLS
            ]


def test_all_that_is_known_of_each_tool_is_asked_for(capsys):
    assert main(["tools", "--all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    printed = " ".join(" ".join(lines).split())
    assert all(" ".join(str(tool.checked).split()) in printed for tool in TOOLS)
    assert {line.split("  ")[0] for line in map(str.strip, lines) if "  " in line} >= {
        "newest",
        "reads",
        "checked",
        "advice",
    }
    assert not any(line.split() == ["name", "value"] for line in lines)
