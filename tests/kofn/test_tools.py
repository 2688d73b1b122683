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
