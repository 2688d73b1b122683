"""What a release must have, said the same in every place."""

import re
import runpy
import tomllib
from importlib.metadata import distributions, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import kofn
from kofn.command import main
from kofn.extras import EXTRAS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def written(file: str, pattern: str) -> str:
    found = re.search(pattern, (ROOT / file).read_text(), re.MULTILINE)
    assert found, file
    return found[1]


def test_one_version_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    assert written("CITATION.cff", r"^version: (.+)$") == kofn.__version__
    assert written("CHANGELOG.md", r"^## (.+)$") == kofn.__version__
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"kofn {kofn.__version__}\n"


def test_one_licence_everywhere() -> None:
    assert PROJECT["project"]["license"] == written("CITATION.cff", "^license: (.+)$")
    assert "Apache License\n" in (ROOT / "LICENSE").read_text()
    assert "END OF TERMS AND CONDITIONS" in (ROOT / "LICENSE").read_text()


FOR_PICTURES = {"choreographer", "kaleido", "logistro", "platformdirs", "simplejson"}
"""What `uv run --extra pictures` installs, and `uv run` does not."""

FOR_SPARK = {
    *("atpublic", "googleapis-common-protos", "grpcio", "grpcio-status", "ibis-framework"),
    *("parsy", "py4j", "pyarrow-hotfix", "pyspark", "sqlglot", "toolz", "tzdata"),
    "zstandard",
}
"""What `uv run --extra spark` installs, and `uv run` does not."""


def test_all_that_is_installed_is_exact_and_as_said() -> None:
    constraints = list(map(Requirement, PROJECT["tool"]["uv"]["constraint-dependencies"]))
    here = {each.name: each for each in constraints if not each.marker or each.marker.evaluate()}
    extras = PROJECT["project"]["optional-dependencies"].values()
    groups = PROJECT["dependency-groups"]
    every = (PROJECT["project"]["dependencies"], groups["dev"], groups["ci"], *extras)
    asked = {Requirement(each).name for group in every for each in group} - {"kofn"}
    assert asked <= set(here)
    installed = {name for name in here if [*distributions(name=name)]}
    assert installed >= {Requirement(each).name for each in groups["dev"]} - {"kofn"}
    for name in installed:
        assert str(here[name].specifier) == f"=={version(name)}"


def test_what_ci_alone_needs_is_installed_for_it_alone() -> None:
    asked = {Requirement(each).name for each in PROJECT["dependency-groups"]["dev"]}
    assert not asked & {"mypy", "playwright", "ruff", "sphinx"}
    assert "--group ci" in (ROOT / ".ci/run").read_text()


def test_the_library_needs_what_counts_and_no_more() -> None:
    needed = {Requirement(each).name for each in PROJECT["project"]["dependencies"]}
    assert needed == {"lazy-loader", "numpy", "scipy", "threadpoolctl"}
    extras = PROJECT["project"]["optional-dependencies"]
    assert extras.keys() >= {"reports", "dashboard", "spark", "s3"}
    names = {"yaml": "pyyaml"}
    for extra, modules in EXTRAS.items():
        own = {Requirement(each).name for each in extras[extra]} - {"kofn"}
        assert own == {names.get(module, module) for module in modules}
    for each in map(Requirement, [*PROJECT["project"]["dependencies"], *extras["reports"]]):
        (oldest,) = (found.version for found in each.specifier if found.operator == ">=")
        assert each.specifier.contains(version(each.name)), each.name
        assert oldest != version(each.name), "a range, and not one version"


def test_what_draws_pictures_is_installed_for_them_alone() -> None:
    groups = (PROJECT["project"]["dependencies"], PROJECT["dependency-groups"]["dev"])
    asked = [Requirement(each) for group in groups for each in group]
    assert not FOR_PICTURES & {each.name for each in asked}
    assert not any({"pictures", "spark"} & each.extras for each in asked)
    _kofn, kaleido = map(Requirement, PROJECT["project"]["optional-dependencies"]["pictures"])
    assert kaleido.specifier.contains("1.5.0")
    assert not kaleido.specifier.contains("0.2.1")


def test_what_asks_engines_is_installed_for_them_alone() -> None:
    groups = (PROJECT["project"]["dependencies"], PROJECT["dependency-groups"]["dev"])
    asked = {Requirement(each).name for group in groups for each in group}
    assert not FOR_SPARK & asked
    assert "default-groups" not in PROJECT["tool"]["uv"]
    assert PROJECT["dependency-groups"]["spark"] == ["kofn[spark]"]


def test_the_list_of_versions_is_replaced_and_nothing_else() -> None:
    renew = runpy.run_path(str(ROOT / ".ci/renew.py"))
    before = (ROOT / "pyproject.toml").read_text()
    empty = renew["constrained"](before, [])
    assert tomllib.loads(empty)["tool"]["uv"]["constraint-dependencies"] == []
    assert renew["constrained"](empty, PROJECT["tool"]["uv"]["constraint-dependencies"]) == before


def test_no_index_is_named() -> None:
    assert "://" not in "".join(PROJECT["tool"]["uv"]["constraint-dependencies"])
    assert "index" not in PROJECT["tool"]["uv"]
