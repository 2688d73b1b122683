"""In a checkout a module is one module by both of its names."""

import pkgutil
import subprocess
import sys
from importlib import import_module

import pytest

import charts
import kofn
import metrics
import reports


def imported(code: str) -> set[str]:
    """Return which modules a fresh process has imported after some code."""
    command = [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("package", [metrics, reports, charts])
def test_every_module_is_one_by_both_names(package):
    found = [each.name for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    assert len(found) >= 10
    for name in [package.__name__, *found]:
        assert import_module(f"kofn.{name}") is import_module(name)
        assert sys.modules[name].__spec__.name == name


@pytest.mark.wide
def test_a_module_is_one_whichever_name_is_first():
    code = "import {}, {}; from kofn import metrics as m; assert m is kofn.metrics is metrics"
    installed, beside = "kofn.metrics.scoring.registry", "metrics.scoring.registry"
    for order in ((installed, beside), (beside, installed)):
        modules = imported(
            code.format(*order) + f"; assert m.scoring.registry is kofn.{beside} is {beside}"
        )
        assert {installed, beside} <= modules


def test_folders_are_loaded_when_asked_for():
    assert not imported("import kofn") & {"metrics", "reports", "numpy"}
    assert "reports" not in imported("import kofn; kofn.metrics")
    assert "pandas" not in imported("from kofn.metrics import pass_at_k")


def test_what_is_not_there_is_an_error_as_elsewhere():
    with pytest.raises(ModuleNotFoundError):
        import_module("kofn.metrics.nothing")
    with pytest.raises(ImportError):
        import_module("kofn.sample_data")
    with pytest.raises(AttributeError, match="'kofn' has no attribute 'pandas'"):
        kofn.pandas  # noqa: B018
