"""What the wheel holds: one name, all that lies in the folders, and no import from beside it."""

import ast
import doctest
import shutil
from collections.abc import Iterator
from zipfile import ZipFile

import pytest

from kofn.checkout import BESIDE
from tests.install.wheels import ROOT, build

pytestmark = pytest.mark.browser
ALSO = {
    ".streamlit/config.toml",
    *(f"sample_data/{name}" for name in ("aisbench_report.zip", "outcomes.parquet")),
    *(f"sample_data/{name}.parquet" for name in ("candidates", "checkpoints")),
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Iterator[ZipFile]:
    with ZipFile(build(ROOT, tmp_path_factory.mktemp("wheel"))) as built:
        yield built


def imported(source: str) -> set[str]:
    """Return the first names of what a source imports, in its examples too."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import():
                names |= {each.name for each in node.names}
            case ast.ImportFrom():
                names.add(node.module)
            case ast.Constant(value=str(text)) if ">>> " in text:
                for example in doctest.DocTestParser().get_examples(text):
                    names |= imported(example.source)
    return {name.partition(".")[0] for name in names}


def files(folder: str) -> set[str]:
    paths = [ROOT / folder, *(ROOT / folder).rglob("*")]
    names = {path.relative_to(ROOT).as_posix() for path in paths if path.is_file()}
    return {name for name in names if "__pycache__" not in name}


def test_it_has_one_name_and_everything_under_it(wheel):
    beside = set().union(ALSO, *(files(each) for each in (*BESIDE, "app.py")))
    expected = {f"kofn/{name}" for name in beside} | files("kofn") - {"kofn/checkout.py"}
    assert len(expected) > 300
    assert {name for name in wheel.namelist() if ".dist-info/" not in name} == expected
    assert "kofn/py.typed" in expected


def test_data_are_as_they_are_here(wheel):
    for name in ALSO:
        assert wheel.read(f"kofn/{name}") == (ROOT / name).read_bytes()


def test_no_import_nor_example_is_of_a_name_beside_kofn(wheel):
    modules = [name for name in wheel.namelist() if name.endswith(".py")]
    every = set().union(*(imported(wheel.read(name).decode()) for name in modules))
    assert {"kofn", "numpy", "streamlit"} <= every
    assert not every & set(BESIDE)


def test_an_import_that_would_stay_behind_stops_the_build(tmp_path):
    for name in ("pyproject.toml", "README.md", "LICENSE", ".ci/wheel.py", "kofn/version.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "app.py").write_text("import os\n\nimport metrics.data\n")
    with pytest.raises(RuntimeError, match=r"app\.py, line 3: import \['metrics.data'\] as others"):
        build(tmp_path, tmp_path / "built")
