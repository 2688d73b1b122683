"""The command as a process of its own."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from kofn.command import ENDED, main
from kofn.terminal.running import CLOSED_PIPE
from tests.reports.tables.outcome_tables import write_table


def kofn(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kofn", *arguments],
        capture_output=True,
        text=True,
        check=False,
        **options,
    )


def test_it_runs_as_a_process_from_any_folder(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONWARNINGS": "error"}
    model = str(write_table(tmp_path / "zh.parquet", "通义千问"))
    done = kofn(Path(model).name, "--format", "table", cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert r"\u901a\u4e49\u5343\u95ee / gsm8k" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_reader_that_stops_reading_is_no_crash(tmp_path: Path) -> None:
    table = str(write_table(tmp_path / "outcomes.parquet"))
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as closed:
        command = [sys.executable, "-m", "kofn", table]
        done = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, check=False)
    assert done.returncode == CLOSED_PIPE
    assert done.stderr == b""


def test_what_few_need_is_not_imported_by_all() -> None:
    few = "{'scipy.optimize', 'scipy.sparse', 'scipy.stats'}"
    code = f"import sys, kofn.scorecard.command; print(*{few} & {{*sys.modules}})"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []


HOLDING = """
import sys, time
from kofn import command
from kofn.terminal.subcommand import Subcommand
from reports.files import spool

def hold(arguments):
    print([each.name for each in spool.folder().iterdir()], flush=True)
    spool.keep(spool.named("kept"), [b"kept"], 4)
    print(spool.named("kept").exists(), flush=True)
    time.sleep(60)

HOLD = Subcommand("", lambda parser: None, hold)
command.SUBCOMMANDS["hold"] = command.Offer("holds", "__main__:HOLD")
sys.exit(command.main(["hold"]))
"""


def test_it_starts_by_removing_what_is_left_and_ended_by_a_signal_leaves_nothing(
    tmp_path: Path,
) -> None:
    left = tmp_path / f"kofn-{'0' * 64}"
    left.mkdir()
    (left / "prompts").touch()
    left.with_suffix(".lock").touch()
    command = [sys.executable, "-c", HOLDING]
    environment = os.environ | {"KOFN_CACHE": str(tmp_path)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "[]\n"
        assert process.stdout.readline() == "True\n"
        process.terminate()
        assert process.wait(60) == ENDED + signal.SIGTERM
    assert not [*tmp_path.iterdir()]


def test_a_library_sets_no_signals(tmp_path: Path) -> None:
    table = str(write_table(tmp_path / "outcomes.parquet"))
    before = signal.getsignal(signal.SIGTERM)
    assert main([table]) == 0
    assert signal.getsignal(signal.SIGTERM) == before
