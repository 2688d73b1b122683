"""``kofn soft-hard``: every format, and why there is nothing to print."""

import json

import pytest

from kofn.command import main
from metrics import soft_hard
from tests.kofn.indexed import HOSTILE
from tests.kofn.soft_vs_hard.soft_runs import LEVELS, scores, table


@pytest.mark.wide
@pytest.mark.parametrize("form", ["table", "md", "csv", "json"])
def test_the_command_prints_every_format(form, tmp_path, capsys):
    path = tmp_path / "a.parquet"
    path.write_bytes(table(scores(), model=HOSTILE))
    assert main(["soft-hard", str(path), "--format", form, "--threshold", "0.3"]) == 0
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "pass@3" in printed
    if form == "json":
        document = json.loads(printed)
        assert document["mark"] == {"threshold": 0.3, "rule": None}
        truth = soft_hard(scores(), threshold=0.3)
        (details,) = document["runs"]
        assert [level["adds"] for level in details["levels"]] == truth.levels.credit.tolist()
        assert details["sweep"]["threshold"] == LEVELS.tolist()
        assert document["numbers"][2]["value"] == truth.gap.value


def test_the_command_says_why_there_is_nothing(tmp_path, capsys):
    path = tmp_path / "a.csv"
    path.write_text("model,dataset,question_id,sample,correct\nm,d,a,0,1\nm,d,a,1,0\n")
    assert main(["soft-hard", str(path)]) == 2
    printed = capsys.readouterr()
    assert "identical by construction" in printed.out
    assert "No run has soft scores" in printed.err
    assert main(["soft-hard", str(path), "--threshold", "7"]) == 2
    assert "threshold must be from 0 to 1" in capsys.readouterr().err
