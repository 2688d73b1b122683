"""The command as a process of its own."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kofn.command import ENDED, main
from kofn.process import CLOSED_PIPE, INTERRUPTED, UNUSABLE
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


@pytest.mark.wide
def test_a_reader_that_stops_reading_is_no_crash(tmp_path: Path) -> None:
    table = str(write_table(tmp_path / "outcomes.parquet"))
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as closed:
        command = [sys.executable, "-m", "kofn", table]
        done = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, check=False)
    assert done.returncode == CLOSED_PIPE
    assert done.stderr == b""


@pytest.mark.wide
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="has no disk that is always full")
@pytest.mark.parametrize(
    ("shell", "reason"),
    [
        ("score {} >/dev/full", "No space left on device"),
        ("--help >/dev/full", "No space left on device"),
        ("score {} >&-", "Bad file descriptor"),
        ("score missing.csv 2>/dev/full", None),
    ],
)
def test_output_that_cannot_be_written_is_one_line_and_no_failed_gate(
    shell: str, reason: str | None, tmp_path: Path
) -> None:
    table = write_table(tmp_path / "outcomes.parquet")
    command = f"{sys.executable} -m kofn {shell.format(table)}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    told = f"error: the output cannot be written: {reason}.\n" if reason else ""
    assert (done.returncode, done.stdout, done.stderr) == (UNUSABLE, "", told)


@pytest.mark.wide
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="has no disk that is always full")
def test_what_ended_it_is_said_in_the_language_that_was_asked_for() -> None:
    command = f"{sys.executable} -m kofn --lang zh --help >/dev/full"
    done = subprocess.run(command, shell=True, capture_output=True, encoding="utf-8", check=False)
    assert done.stderr == "错误：无法写入输出：No space left on device。\n"


def test_a_fault_of_kofn_is_shown_and_is_no_failed_gate() -> None:
    code = "from kofn import command, process; command.main = lambda: 1 / 0; process.start()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == UNUSABLE
    assert done.stderr.splitlines()[-1] == "ZeroDivisionError: division by zero"


@pytest.mark.wide
@pytest.mark.parametrize(
    ("missing", "arguments", "extra"),
    [
        ("msgspec", ["t.csv"], "reports"),
        ("rich.console", ["t.csv"], "reports"),
        ("streamlit", ["serve"], "dashboard"),
    ],
)
def test_an_extra_that_is_not_installed_is_one_line(
    missing: str, arguments: list[str], extra: str, tmp_path: Path
) -> None:
    (tmp_path / "t.csv").write_text("question_id,correct\na,1\nb,0\n")
    code = (
        f"import sys; sys.modules[{missing!r}] = None; sys.argv = ['kofn', *{arguments!r}]\n"
        "from kofn.process import start; start()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (UNUSABLE, "")
    assert done.stderr == (
        f'error: The {extra} extra of kofn is needed, for {missing}: pip install "kofn[{extra}]".\n'
    )


PRESSING = """
import os, signal, sys
from kofn.process import start

def press():
    os.kill(os.getpid(), signal.SIGINT)

class Destroyed:
    def __del__(self):
        press()
        [None for _ in range(9)]  # where it is raised, and lost

class Pressing:
    def find_spec(self, name, path, target=None):
        if name == {imported!r}:
            Destroyed() if {destroyed} else press()

sys.meta_path.insert(0, Pressing())
sys.addaudithook(lambda event, given: event == "open" and given[0] == {opened!r} and press())
sys.argv = ["kofn", {table!r}]
start()
"""


@pytest.mark.wide
@pytest.mark.parametrize(
    "at", ["argparse", "numpy", "scipy.special", "pyarrow", "a destructor", ""]
)
def test_interrupted_at_any_moment_it_ends_with_one_line(at: str, tmp_path: Path) -> None:
    table = str(write_table(tmp_path / "outcomes.parquet"))
    destroyed = at == "a destructor"
    code = PRESSING.format(
        imported="pyarrow" if destroyed else at,
        destroyed=destroyed,
        opened="" if at else table,
        table=table,
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (INTERRUPTED, "")
    assert done.stderr == "kofn was interrupted.\n"


@pytest.mark.wide
def test_interrupted_while_a_text_runs_as_code_it_has_the_status_too(tmp_path: Path) -> None:
    code = """
import sys, types
command = types.ModuleType("kofn.command")
command.main = lambda: exec("import os, signal; os.kill(os.getpid(), signal.SIGINT)")
sys.modules["kofn.command"] = command
from kofn.process import start
start()
"""
    (tmp_path / "started.py").write_text(code)
    done = subprocess.run(
        [sys.executable, "-m", "started"],
        check=False,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(Path.cwd())])},
    )
    assert (done.returncode, done.stderr) == (INTERRUPTED, "kofn was interrupted.\n")


def test_what_ctrl_c_ends_in_order_has_its_own_status() -> None:
    code = """
import contextlib, signal
from kofn import command, process

def serve():
    with contextlib.suppress(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    return 0

command.main = serve
process.start()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


HOLDING = """
import sys, time
from kofn import command
from kofn.terminal.subcommand import Subcommand
from reports.files import upload_store

def hold(arguments):
    print([each.name for each in upload_store.folder().iterdir()], flush=True)
    upload_store.keep(upload_store.named("kept"), [b"kept"], 4)
    print(upload_store.named("kept").exists(), flush=True)
    time.sleep(60)

HOLD = Subcommand("", lambda parser: None, hold)
command.SUBCOMMANDS["hold"] = command.SubcommandOffer("holds", "__main__:HOLD")
sys.exit(command.main(["hold"]))
"""


@pytest.mark.wide
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
