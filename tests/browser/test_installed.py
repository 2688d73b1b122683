"""kofn as others have it: its wheel in a bare environment, in a folder that is in the way."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlencode
from zipfile import ZipFile

import pytest
from playwright.sync_api import expect

from kofn.checkout import BESIDE
from kofn.choices.runs import index_runs
from kofn.command import main
from kofn.writing.estimates import percent
from metrics import estimate
from reports import load
from tests.browser.driving import ROOT, START, WITNESS, await_health, free_port, settle
from tests.install.wheels import build, install
from tests.kofn.listings import LISTINGS
from tests.test_documents import CHECKPOINTS, DOCUMENTS, KOFN, TABLE

pytestmark = pytest.mark.browser


SAMPLE = ROOT / "sample_data/aisbench_report.zip"
OF_THEIR_OWN = {"series": "checkpoints.csv", "budgets": "answers.csv", "plan": "answers.csv"}
"""Files of the subcommands that need more than the sample holds, checkpoints or tokens, or less."""
DOCUMENTED = [
    words[1:]
    for words in KOFN
    if words[1] != "serve" and (words[1] not in LISTINGS or {"-o", "--format"} & {*words})
]
"""Commands of the documents that do more than print what `LISTINGS` print."""
SETTINGS = """
[browser]
gatherUsageStats = true
[server]
address = "0.0.0.0"
port = 1
[theme]
base = "https://kofn.example/theme.toml"
"""
COMMANDS = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from kofn.command import main

for words in json.load(sys.stdin):
    texts = [io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2)]
    with redirect_stdout(texts[0]), redirect_stderr(texts[1]):
        status = main(words)
    for each in texts:
        each.flush()
    print(json.dumps([*(each.buffer.getvalue().decode() for each in texts), status]))
"""
"""Runs commands one after the other, without the start of a process for each."""
TYPED = """
from kofn import metrics, reports
from kofn.metrics import pass_at_k

reveal_type(metrics.estimate([[0, 1]], "pass@k", 1))
reveal_type(reports.load("a.zip").runs[0].outcomes)
reveal_type(pass_at_k([[0, 1]], 1))
"""
EXAMPLES = """
import doctest, importlib, pkgutil
from kofn import metrics, reports

EXTRAS = ("kofn.reports.rescoring.formulas", "kofn.reports.files.remote_storage.s3")  # [math], [s3]
for package in (metrics, reports):
    for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if each.name not in EXTRAS:
            doctest.testmod(importlib.import_module(each.name))
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """The programs of a bare environment that has kofn and what it needs."""
    wheel = build(ROOT, tmp_path_factory.mktemp("wheel"))
    return install(wheel, tmp_path_factory.mktemp("bare"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with code and settings of its own, and with what the documents name."""
    folder = tmp_path_factory.mktemp("hostile")
    for name in (*BESIDE, "numpy"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("raise SystemExit('not of kofn')")
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit/config.toml").write_text(SETTINGS)
    for name in ("report.zip", "aisbench.zip"):
        shutil.copy(SAMPLE, folder / name)
    (folder / "more.csv").write_text("question_id,correct\na,1\nb,0\n")
    (folder / "checkpoints.csv").write_text(CHECKPOINTS)
    (folder / "answers.csv").write_text(TABLE)
    with ZipFile(SAMPLE) as archive:
        archive.extractall(folder / "outputs/default/20260914_154200")
    (folder / "sample_data").symlink_to(SAMPLE.parent)
    return folder


@pytest.fixture(scope="module")
def run(programs, folder, tmp_path_factory):
    """Run a program of the environment in that folder."""

    def ran(program, *arguments, given=None):
        return subprocess.run(
            [programs / program, *arguments],
            cwd=folder,
            env=bare(tmp_path_factory.mktemp("run")),
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )

    return ran


@pytest.fixture(scope="module")
def done(run, folder):
    """What commands print, by their words, and their status."""
    every = [*DOCUMENTED, *(words_of(name, folder) for name in LISTINGS)]
    ran = run("python", "-P", "-c", COMMANDS, given=json.dumps(every))
    assert (ran.stderr, ran.returncode) == ("", 0)
    return {
        tuple(words): tuple(json.loads(line))
        for words, line in zip(every, ran.stdout.splitlines(), strict=True)
    }


def words_of(name, folder):
    return name, str(folder / OF_THEIR_OWN[name] if name in OF_THEIR_OWN else SAMPLE)


@pytest.fixture
def server(programs, folder, tmp_path, request):
    """`kofn serve`, with what it imports and whom it asks written down."""
    port = free_port()
    told, imports = tmp_path / "told", tmp_path / "imports"
    told.touch()
    (tmp_path / "sitecustomize.py").write_text(WITNESS.format(told=str(told)))
    watched = {"PYTHONPATH": str(tmp_path), "PYTHONPROFILEIMPORTTIME": "1"}
    command = [programs / "kofn", "serve", "--port", str(port), *getattr(request, "param", ())]
    with imports.open("w") as errors:
        process = subprocess.Popen(command, cwd=folder, env=bare(tmp_path) | watched, stderr=errors)
    address = f"http://localhost:{port}"
    try:
        await_health(process, address)
        yield SimpleNamespace(
            address=address, port=port, process=process, told=told, imports=imports
        )
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def address(server):
    return server.address


def bare(kept: Path) -> dict[str, str]:
    """Return an environment without what concerns Python, kofn or a screen."""
    ours = ("PYTHON", "VIRTUAL_ENV", "KOFN", "STREAMLIT", "DISPLAY", "WAYLAND_DISPLAY")
    kept_names = {name: each for name, each in os.environ.items() if not name.startswith(ours)}
    return kept_names | {"KOFN_CACHE": str(kept / "kept")}


def listening(port: int) -> set[str]:
    """Return the addresses, as the system writes them, at which somebody listens on a port."""
    rows = [
        line.split()
        for table in ("tcp", "tcp6")
        for line in Path("/proc/net", table).read_text().splitlines()[1:]
    ]
    places = (row[1].split(":") for row in rows if row[3] == "0A")
    return {host for host, at in places if int(at, 16) == port}


def test_the_dashboard_shows_the_sample_on_this_machine_alone_and_tells_nobody(page, server):
    key, run = next(iter(index_runs([load(SAMPLE)]).items()))
    page.goto(f"{server.address}/scorecard?{urlencode({'run': key})}")
    page.get_by_role("button", name="Open the sample").click()
    forest = page.get_by_role("figure", name="Forest plot of 1 estimate")
    value = str(percent(estimate(run, "avg@n").value))
    expect(forest).to_have_accessible_name(re.compile(rf"\b{re.escape(value)}"))
    links = page.get_by_test_id("stSidebarNavLink")
    assert links.count() >= 8
    for number in range(links.count()):
        links.nth(number).click()
        settle(page)
        expect(page.get_by_test_id("stException")).to_have_count(0)
    assert listening(server.port) == {"0100007F"}
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(START) == 0
    assert server.told.read_text() == ""
    imported = set(re.findall(r"\| +(\S+)$", server.imports.read_text(), re.MULTILINE))
    assert {"kofn.metrics", "kofn.workers.job"} <= imported
    assert any(name.startswith("kofn.pages.") for name in imported)
    assert not {name.partition(".")[0] for name in imported} & set(BESIDE)


@pytest.mark.parametrize("server", [["more.csv", "report.zip"]], indirect=True)
def test_the_dashboard_opens_with_what_it_is_given(page, server):
    page.goto(server.address)
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    page.goto(f"{server.address}/reports")
    page.get_by_role("button", name="Load more, or remove").click()
    for name in ("more.csv", "report.zip"):
        expect(page.get_by_text(name, exact=True).first).to_be_attached()


@pytest.mark.parametrize("name", LISTINGS)
def test_a_subcommand_prints_what_it_prints_here(name, done, folder, capsys):
    words = words_of(name, folder)
    status = main(words)
    assert done[words] == (*capsys.readouterr(), status)
    assert status == 0


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["score", "--fail-under", "avg@n=0.01"], 0),
        (["score", "--fail-under", "avg@n=0.99"], 1),
        (["compare", "--margin", "0"], 2),
        (["compare", "--margin", "0.01", "--strict", "--run", "a", "--run", "b"], 3),
    ],
    ids=str,
)
def test_a_gate_ends_with_its_status(words, status, run, tmp_path):
    rows = [
        f"{model},{question},{int(question % 10 < good)}"
        for model, good in {"a": 7, "b": 7, "c": 3}.items()
        for question in range(60)
    ]
    (tmp_path / "t.csv").write_text("\n".join(["model,question_id,correct", *rows]))
    name, *flags = words
    assert run("kofn", name, str(tmp_path / "t.csv"), *flags).returncode == status


def test_it_runs_as_a_module_too(run):
    assert run("python", "-P", "-m", "kofn").stdout == run("kofn").stdout
    assert run("kofn", "nothing.zip").returncode == 2


@pytest.mark.parametrize("words", DOCUMENTED, ids=" ".join)
def test_a_command_of_the_documents_does_what_it_says(words, done):
    printed, errors, status = done[words]
    assert status == 0, errors
    assert printed or "-o" in words


def test_examples_in_docstrings_hold(run):
    done = run("python", "-P", "-c", EXAMPLES)
    assert (done.stdout, done.returncode) == ("", 0)


def test_examples_of_the_documents_hold(run):
    done = run("python", "-P", "-m", "doctest", *map(str, DOCUMENTS))
    assert (done.stdout, done.returncode) == ("", 0)


def test_types_are_known(programs, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(TYPED)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache")]
    found = subprocess.run(
        [*command, "--python-executable", programs / "python", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout
    types = re.findall(r'Revealed type is "(.+)"', found.stdout)
    assert types == [
        "kofn.metrics.data.results.Estimate",
        "kofn.metrics.data.outcomes.Outcomes | None",
        "float",
    ]
