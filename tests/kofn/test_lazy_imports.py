"""What the process of the command imports, and when."""

import ast
import py_compile
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from scipy.special import betainc, ndtri

from kofn import lazy_imports
from kofn.command import SUBCOMMANDS
from kofn.lazy_imports import OURS, SLOW, Later, postponed

HOME = Path(__file__).parents[2]
HEAVY = {*SLOW, "msgspec", "streamlit", "reports.loading"}
NUMERIC = {"consistency", "questions", "trade-offs", "trust"}
"""Their settings are named after what is made of arrays."""
IMPORTED = """
import atexit, sys
from kofn.process import start
atexit.register(lambda: print("imported:", *sys.modules, file=sys.__stderr__))
start()
"""
HELPED = """
import sys
from kofn import lazy_imports
lazy_imports.install()
from kofn.command import main
for name in sys.argv[1:]:
    try:
        main([name, "--help"])
    except SystemExit:
        print(*sys.modules, file=sys.stderr)
"""


def imported(*arguments: str) -> set[str]:
    command = [sys.executable, "-c", IMPORTED, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {*done.stderr.partition("imported:")[2].split()}


@pytest.mark.parametrize("subcommand", [[], ["score"]])
def test_help_imports_nothing_that_reads_or_computes(subcommand: list[str]) -> None:
    assert not imported(*subcommand, "--help") & HEAVY


@pytest.mark.wide
def test_nor_does_the_help_of_any_other_subcommand() -> None:
    names = sorted(SUBCOMMANDS, key=NUMERIC.__contains__)
    command = [sys.executable, "-c", HELPED, *names]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = [{*line.split()} for line in done.stderr.splitlines()]
    for name, modules in zip(names, found, strict=True):
        assert modules & HEAVY <= ({"numpy"} if name in NUMERIC else set()), name


@pytest.mark.wide
def test_a_small_table_imports_what_reads_and_counts_it_alone(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("question,correct\n" + "a,1\na,0\nb,1\nb,1\n" * 2)
    found = imported(str(path))
    assert HEAVY - found == {"duckdb", "pandas", "plotly", "requests", "streamlit", "yaml"}
    rarely = {"scipy.optimize", "scipy.sparse", "scipy.stats", "numpy.f2py.crackfortran"}
    assert not found & {*rarely, "reports.tables.folding"}
    assert "pandas" in imported(str(path), "--format", "csv")  # PyArrow looked for it in vain


def test_what_another_version_compiled_is_not_taken(tmp_path: Path) -> None:
    changed = tmp_path / "lazy_imports.py"
    changed.write_bytes(Path(lazy_imports.__file__).read_bytes() + b"\n")
    spec = spec_from_file_location("changed", changed)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.KEPT != lazy_imports.KEPT


def test_scipy_computes_as_ever_and_writes_no_tables() -> None:
    script = """
from kofn.lazy_imports import install
install()
from scipy.special import betainc, ndtri
print(ndtri(0.975), betainc(2, 3, 0.5), "Dask" in betainc.__doc__)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [str(ndtri(0.975)), "0.6875", "False"]
    assert "Dask" in (betainc.__doc__ or "")


@pytest.mark.wide
def test_what_modules_postpone_is_found_where_it_is_looked_up() -> None:
    count = 0
    paths = [each for folder in OURS[:-1] for each in HOME.joinpath(folder).rglob("*.py")]
    for path in sorted(paths)[::5]:
        tree = postponed(path.read_bytes())
        compile(tree, str(path), "exec")
        modules: dict[str, str] = {}
        places: dict[str, str] = {}
        for node in tree.body:
            match node:
                case ast.Assign([ast.Name(variable)], ast.Call(ast.Name("_Later"), [module])):
                    modules[variable] = ast.literal_eval(module)
                case ast.Assign(_, ast.Call(ast.Name("_names_of"), [_, given])):
                    places = ast.literal_eval(given)
        for variable, _dot, name in (place.partition(".") for place in places.values()):
            assert not name or hasattr(Later(modules[variable]), name)
            count += 1
    assert count > 300


@pytest.mark.parametrize(
    "source",
    [
        "x = np.pi",
        "x = [np.pi for _ in range(2)]",
        "def f(x=np.pi):\n    return np.e",
        "@np.vectorize\ndef f(x):\n    return np.e",
        "class A:\n    x = np.pi",
        "def f(x: np.ndarray):\n    return x",
        "np = 1",
        "def f(np):\n    return np",
        "def f():\n    global np\n    np = 1",
        "def f(x):\n    match x:\n        case [*np]:\n            return np",
        "def f():\n    try:\n        pass\n    except ValueError as np:\n        return np",
    ],
)
def test_what_is_needed_at_once_or_called_as_something_else_is_imported_as_ever(
    source: str,
) -> None:
    written = f"import numpy as np\n{source}"
    assert ast.unparse(postponed(written.encode())) == ast.unparse(ast.parse(written))


def test_only_imports_that_always_happen_and_are_slow_are_postponed() -> None:
    for imports in (
        "try:\n    import numpy as np\nexcept ImportError:\n    pass",
        "import scipy.special",
        "from json import loads",
    ):
        source = f"{imports}\ndef f():\n    return np, scipy, loads"
        assert ast.unparse(postponed(source.encode())) == ast.unparse(ast.parse(source))


def test_a_module_that_somebody_else_has_compiled_is_not_compiled_again_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "module.py"
    module.write_text("from kofn.card import title\ndef f():\n    return title\n")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert lazy_imports.is_worth_it(str(module))
    py_compile.compile(str(module))
    assert not lazy_imports.is_worth_it(str(module))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert lazy_imports.is_worth_it(str(module))


CROSSING = """
import sys
from kofn import lazy_imports
lazy_imports.install()
from kofn.workers.wire import pack, unpack
from reports.harnesses.human_eval import _problem
assert "_Later" in dir(sys.modules[_problem.__module__])
assert unpack(pack(_problem)) is _problem
"""


def test_annotations_stay_by_which_it_is_known_what_may_come_from_another_process() -> None:
    done = subprocess.run([sys.executable, "-c", CROSSING], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_pandas_may_be_imported_before_pyarrow() -> None:
    program = (
        "from kofn import lazy_imports; lazy_imports.install(); "
        "import pandas; print(pandas.DataFrame())"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
