"""The action of docs/ci runs every gate that is asked for, and fails with the first that fails."""

import os
import shlex
import subprocess
import zipfile
from pathlib import Path

import pytest
import yaml

from kofn.command import main

CI = Path(__file__).parents[1] / "docs" / "ci"
STAND_IN = """\
#!/bin/sh
for word in "$@"; do printf '%s\\n' "$word" >>"$LOG"; done
echo >>"$LOG"
echo "what $1 found"
case " $FAILS " in *" $1:"*) exit "$(echo " $FAILS " | sed "s/.* $1:\\([0-9]\\) .*/\\1/")";; esac
"""
GATES = {
    "FAIL_UNDER": "avg@n=0.7",
    "BASELINE": "old.zip",
    "REQUIRE": "required.csv",
    "EXPECT": "expected.csv",
    "FAIL_DOUBTFUL": "2%",
}


def run(folder: Path, **settings: str) -> tuple[int, list[list[str]], str]:
    """Run the script with a stand-in for kofn; return its status, what it ran, and the summary."""
    (folder / "kofn").write_text(STAND_IN)
    (folder / "kofn").chmod(0o755)
    told = {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "LOG": str(folder / "log"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "REPORT": "my outputs",
        **settings,
    }
    ended = subprocess.run([CI / "gate.sh"], env=told, cwd=folder, check=False)
    ran = [each.splitlines() for each in (folder / "log").read_text().split("\n\n") if each]
    summary = folder / "summary.md"
    return ended.returncode, ran, summary.read_text() if summary.exists() else ""


def test_every_gate_that_is_asked_for_runs(tmp_path: Path) -> None:
    status, ran, summary = run(tmp_path, **GATES)
    assert status == 0
    assert [each[0] for each in ran] == [
        "report",
        "scorecard",
        "compare",
        "questions",
        "trust",
        "trust",
    ]
    assert all("my outputs" in each for each in ran)
    assert summary.count("what ") == len(GATES)


def test_no_gate_runs_that_is_not_asked_for(tmp_path: Path) -> None:
    assert run(tmp_path)[:2] == (
        0,
        [["report", "my outputs", "--format", "html", "-o", "kofn-report.html", "--force"]],
    )


@pytest.mark.parametrize(
    ("fails", "status"),
    [("compare:1", 1), ("report:2", 2), ("scorecard:2 compare:1", 2), ("compare:1 questions:3", 1)],
)
def test_the_first_failure_counts_and_the_others_run(
    tmp_path: Path, fails: str, status: int
) -> None:
    ended, ran, _ = run(tmp_path, FAILS=fails, **GATES)
    assert ended == status
    assert len(ran) == 1 + len(GATES)


def test_kofn_takes_what_the_script_gives_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "question_id,correct,reference,prediction,extracted"
    rows += "".join(
        f"\n{q},{int(q % 3 > 0)},B,The answer is {'B' if q % 3 else 'C'}.,{'B' if q % 3 else 'C'}"
        for q in range(60)
    )
    (tmp_path / "my outputs").mkdir()
    (tmp_path / "my outputs" / "table.csv").write_text(rows)
    with zipfile.ZipFile(tmp_path / "old.zip", "w") as archive:
        archive.writestr("table.csv", rows)
    (tmp_path / "required.csv").write_text("question_id,least\n1,1\n")
    (tmp_path / "expected.csv").write_text("dataset,metric,value\ntable,avg@n,66.7%\n")
    _, ran, _ = run(tmp_path, **GATES)
    monkeypatch.chdir(tmp_path)
    assert [main(each) for each in ran] == [0, 1, 0, 0, 0, 0]
    assert "66.7%" in (tmp_path / "kofn-report.html").read_text()
    said = capsys.readouterr().out
    assert said.count("**failed**") == 1


def test_the_action_hands_over_every_input(tmp_path: Path) -> None:
    action = yaml.safe_load((CI / "action.yml").read_text())
    (step,) = action["runs"]["steps"]
    assert shlex.split(step["run"]) == ["$GITHUB_ACTION_PATH/gate.sh"]
    script = (CI / "gate.sh").read_text()
    for name in action["inputs"]:
        variable = name.upper().replace("-", "_")
        assert step["env"][variable] == f"${{{{ inputs.{name} }}}}"
        assert f"${variable}" in script or f"${{{variable}" in script
    job = yaml.safe_load((CI / "workflow.yml").read_text())["jobs"]["judge"]
    (asked,) = [each["with"] for each in job["steps"] if each.get("uses", "").startswith("./")]
    assert asked.keys() <= action["inputs"].keys()
