"""The rules of the house: who imports whom, what a page is made of."""

import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

import kofn.tables
from docs.catalogue import marked
from kofn.command import ALIASES, SUBCOMMANDS

ROOT = Path(__file__).parents[1]
PACKAGES = ("metrics", "reports", "charts", "kofn", "pages")
PAGES = sorted(ROOT.glob("pages/**/page.py"))
BREACHES = {
    "layers": ("metrics/data/tally.py", "import reports"),
    "acyclic": ("reports/files/ranged.py", "import reports.files.remote_storage.s3"),
    "streamlit": ("kofn/command.py", "import streamlit"),
    "metrics": ("metrics/data/tally.py", "import pandas"),
    "charts": ("charts/__init__.py", "from scipy import stats"),
    "reports": ("reports/run/report.py", "import pickle"),
    "floors": ("metrics/scoring/votes.py", "import metrics.estimating.curves"),
    "analyses": ("metrics/analyses/choose_n/rules.py", "import metrics.analyses.saturation"),
    "steps": ("reports/opencompass.py", "import reports.aisbench"),
    "evaluations": ("reports/evaluations/verdicts/stated.py", "import reports.evaluations.notes"),
    "tables": ("reports/tables/schema/lists.py", "import reports.tables.samples.layout"),
    "schema": ("reports/tables/schema/choosing.py", "import reports.tables.schema.unsuitable"),
    "meaning": ("reports/tables/meaning/codes.py", "import reports.tables.meaning.row_facts"),
    "samples": ("reports/tables/samples/layout.py", "import reports.tables.samples.shapes"),
    "features": ("kofn/guidance/columns.py", "import kofn.consistency.columns"),
    "shared": ("pages/shared/memory/cache.py", "import pages.shared.showing.charts"),
    "pages": ("pages/results/overview/page.py", "import numpy"),
    "independent": ("pages/data/reports/page.py", "import pages.results.overview.page"),
}
CONTRACTS = {
    contract["id"]: contract["name"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
        "contracts"
    ]
}


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    # Without `site`, the checkout installed in the environment cannot lend its modules to `root`.
    command = [sys.executable, "-S", Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    environment = os.environ | {"PYTHONPATH": sysconfig.get_path("purelib"), "COLUMNS": "1000"}
    return subprocess.run(
        command,
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def code_lines(module: Path) -> int:
    """Count lines that hold code: no blank line, comment or docstring."""
    tree = ast.parse(module.read_text())
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        line
        for node in ast.walk(tree)
        if isinstance(node, documented) and ast.get_docstring(node) is not None
        for line in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
    }
    lines = enumerate(module.read_text().splitlines(), start=1)
    return sum(
        bool(line.strip()) and not line.lstrip().startswith("#") and number not in docstrings
        for number, line in lines
    )


def test_imports_keep_to_their_contracts():
    linted = lint_imports(ROOT)
    assert linted.returncode == 0, linted.stdout


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What is said of each contract where all are breached at once, by its name."""
    root = tmp_path_factory.mktemp("breached")
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(ROOT / "pyproject.toml", root)
    for module, statement in BREACHES.values():
        with (root / module).open("a") as file:
            file.write(f"\n{statement}\n")
    linted = lint_imports(root)
    assert linted.returncode == 1
    said = re.split(r"^(.+)\n-{5,}\n", linted.stdout, flags=re.MULTILINE)[1:]
    return dict(zip(said[::2], said[1::2], strict=True))


@pytest.mark.wide
@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_breach_of_a_contract_is_found(contract, found):
    module, statement = BREACHES[contract]
    importer = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    imported = statement.split()[1]
    said = found[CONTRACTS[contract]]
    if contract == "acyclic":
        needed = r"allowed in reports.files.\n.+\n\n- \.\w+ -> \.(remote_storage|ranged)\b"
        assert re.search(needed, said)
    else:
        assert re.search(rf"(?m)^- +{importer} -> {imported}\b", said)


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_a_page_is_a_thin_script(page):
    tree = ast.parse(page.read_text())
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    assert not [node.lineno for node in ast.walk(tree) if isinstance(node, definitions)]
    names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not names & {"session_state", "query_params"}
    assert code_lines(page) <= 60
    assert not [node.lineno for node in ast.walk(tree) if isinstance(node, (ast.For, ast.While))]
    conditions = [node.test for node in ast.walk(tree) if isinstance(node, (ast.If, ast.IfExp))]
    assert all(map(asks_whether_there_is_something, conditions)), "a decision belongs beside it"


def asks_whether_there_is_something(condition: ast.expr) -> bool:
    """Say whether a condition compares nothing, but perhaps with None."""
    compared = [node for node in ast.walk(condition) if isinstance(node, ast.Compare)]
    return all(isinstance(sign, (ast.Is, ast.IsNot)) for node in compared for sign in node.ops)


def test_a_capability_has_one_name_on_every_floor():
    """Subcommand, package, the name of what it prints, function and page are called alike."""
    places = {name: offer.dotted_name for name, offer in SUBCOMMANDS.items()}
    listings = {name: place for name, place in places.items() if place.endswith(".subcommand")}
    for name, place in listings.items():
        spelled = name.replace("-", "_")
        assert place == f"kofn.{spelled}.command:{spelled.upper()}.subcommand"
        assert callable(getattr(kofn.tables, spelled))
        assert (ROOT / "kofn" / spelled / "words.py").exists(), "its sentences stand in one module"
    assert set(ALIASES.values()) <= set(listings)
    pages = {page.parent.name for page in PAGES} - {"reports"}
    assert pages <= {name.replace("-", "_") for name in listings}


def test_no_two_public_classes_have_one_name():
    places = {}
    for path in (path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py"))):
        for name in re.findall(r"^class ([A-Za-z]\w*)", path.read_text(), re.MULTILINE):
            places.setdefault(name, []).append(relative(path))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_figures_take_their_words():
    """Titles, names and hints of a figure stand in the words of the capability that draws it."""
    modules = [*(ROOT / "charts").glob("*.py"), *(ROOT / "kofn").glob("*/figures.py")]
    written = [
        (relative(path), ast.unparse(node))
        for path in modules
        for node in marked(path)
        if re.search("[a-z]", re.sub(r"\{.*?\}", "", ast.literal_eval(node.args[0])))
    ]
    assert written == []


def test_streamlit_starts_from_app_alone():
    """A script directly in pages/ would wake Streamlit's own discovery of pages."""
    assert not list(ROOT.glob("pages/*.py"))


def test_headings_are_in_order():
    """A page has its title and, below it, headers: no level is left out."""
    modules = [ROOT / "app.py", *(ROOT / "pages").rglob("*.py")]
    assert [relative(path) for path in modules if "subheader(" in path.read_text()] == []


def test_every_chart_is_tried():
    """In tests/charts, or beside the capability whose numbers it draws."""
    tried = "".join(path.read_text() for path in (ROOT / "tests").rglob("*.py"))
    for module in set((ROOT / "charts").glob("*.py")) - {ROOT / "charts" / "__init__.py"}:
        assert ">>>" in module.read_text() or f"from charts.{module.stem} import" in tried, module
