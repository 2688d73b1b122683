"""Copies are said on pages and by the command; intervals that they make too narrow are hidden."""

import numpy as np
import pytest

from kofn.command import main
from tests.pages import visiting
from tests.pages.visiting import outcomes, table

REPEATED = "50% of the samples repeat another of their question"


@pytest.fixture(scope="module")
def twice() -> bytes:
    """Every sample is there two times, as its number of tokens tells."""
    rng = np.random.default_rng(0)
    alike = np.arange(8) // 2 * 2
    tokens = rng.normal(rng.uniform(300, 900, (40, 1)), 90, (40, 8)).round()[:, alike]
    return table(outcomes(40, 8)[:, alike], tokens_out=tokens.ravel())


def words(app):
    kinds = (app.markdown, app.caption, app.info, app.warning)
    shown = [element.value for kind in kinds for element in kind]
    shown += [str(cell) for each in app.table for cell in each.value.to_numpy().ravel()]
    shown += [str(cell) for each in app.dataframe for cell in each.value.to_numpy().ravel()]
    return "\n".join(shown).replace("\\", "")


@pytest.mark.parametrize("page", ["behaviour/consistency", "results/choose_n"])
def test_pages_say_the_share_of_copies(twice, page):
    app = visiting.visit(f"pages/{page}/page.py", ("a.parquet", twice))
    assert not app.exception
    assert REPEATED in words(app)


@pytest.mark.parametrize(
    "page",
    [
        "behaviour/consistency",
        "behaviour/saturation",
        "results/trade_offs",
    ],
)
def test_pages_do_not_show_intervals_that_copies_make_too_narrow(twice, page):
    app = visiting.visit(f"pages/{page}/page.py", ("a.parquet", twice), target="benchmark")
    assert not app.exception
    assert "too narrow" in words(app)


def test_the_command_says_both(twice, tmp_path, capsys):
    path = tmp_path / "a.parquet"
    path.write_bytes(twice)
    assert main(["score", str(path)]) == 0
    assert REPEATED in capsys.readouterr().out
    main(["score", str(path), "--target", "benchmark"])
    assert "too narrow" in capsys.readouterr().out
