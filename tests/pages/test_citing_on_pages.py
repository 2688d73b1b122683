"""Tables of the pages for a paper: to be copied in LaTeX, with methods and references."""

import re

import numpy as np
import pytest

from kofn.command import main
from tests.pages.visiting import (
    ROOT,
    look_closer,
    outcomes,
    table,
    unfold,
    visit,
    visit_sample,
)

NAMES: dict[str, tuple[str, ...]] = {
    "results/overview": ("overview",),
    "data/reports": ("inventory",),
    "data/questions": ("questions",),
    "behaviour/consistency": ("consistency",),
    "data/trust": ("replicas",),
    "behaviour/soft_vs_hard": ("soft-vs-hard",),
    "behaviour/saturation": ("pass@k over k",),
    "results/trade_offs": ("trade-offs",),
    "behaviour/guidance": ("guidance-scenarios", "guidance-matrix"),
}
OPENED = {
    "replicas": "replicas",
    "guidance-matrix": "one",
    "candidates": "best-of-n",
    "budgets": "short-answers",
}
"""Behind which part of a page something is offered, where that is not open."""
RIGHT = outcomes(20, 4)
DATA = table(
    RIGHT,
    score=RIGHT.ravel() * 0.9,
    logprob=np.arange(80) % 7,
    tokens_out=np.arange(80) % 50 + 9,
)


@pytest.fixture(scope="module")
def app():
    return visit("pages/results/overview/page.py", ("a.parquet", DATA))


@pytest.mark.parametrize(
    ("page", "names"),
    [*NAMES.items(), ("results/choose_n", ("choice of n", "candidates", "budgets"))],
)
def test_tables_can_be_copied_in_latex_with_methods_and_references(app, page, names):
    app.switch_page(str(ROOT / f"pages/{page}/page.py"))
    unfold(app, *(f"cite.{name}" for name in names))
    look_closer(app, *(OPENED[name] for name in names if name in OPENED))
    assert not app.exception
    found = copied(app)
    assert len(found) == 3 * len(names)
    for latex, methods, bibtex in zip(found[::3], found[1::3], found[2::3], strict=True):
        assert r"\toprule" in latex
        assert "maths, 20 questions, n = 4." in methods
        cited = set(re.findall(r"\\cite\{(\w+)\}", latex))
        assert cited == set(re.findall(r"^@\w+\{(\w+),$", bibtex, re.MULTILINE))
    assert "alpha" in "".join(found) or names == ("replicas",), "which are of one run"


def copied(app):
    """Return what can be copied, but links."""
    return [code.value for code in app.code if "data=" not in code.value]


def test_a_page_and_the_command_give_the_same_for_a_paper(tmp_path, capsys):
    path = tmp_path / "a.parquet"
    path.write_bytes(DATA)
    main(["curve", str(path), "--format", "latex"])
    app = visit("pages/behaviour/saturation/page.py", ("a.parquet", DATA))
    assert not copied(app), "nothing is made before it is asked for"
    unfold(app, "cite.pass@k over k")
    assert copied(app)[0].splitlines() == capsys.readouterr().out.splitlines()


@pytest.mark.wide
def test_what_a_report_states_of_all_its_datasets_is_counted_for_a_paper_too():
    app = visit_sample("pages/data/reports/page.py")
    said = "33 of 51 reported numbers are wrong"
    assert any(said in each.value for each in app.markdown)
    assert any("6 of 21 runs and averages over datasets" in each.value for each in app.caption)
    unfold(app, "cite.inventory")
    assert said in copied(app)[0]


@pytest.mark.usefixtures("short_plans")
def test_a_comparison_its_plan_and_a_series_can_be_copied():
    files = [(f"{n}.parquet", table(outcomes(20, 4, n), model=f"ckpt-{n}")) for n in (1, 2, 3)]
    app = visit("pages/results/compare/page.py", *files, more=["plan", "series"])
    unfold(app, "cite.compare", "cite.series", "cite.plan")
    assert not app.exception
    methods = [text for text in copied(app) if text.startswith("Data:")]
    assert len(methods) == 3
    for words in ("(Holm 1979)", "(Bonferroni)", "with a chance of 80%"):
        assert sum(words in text for text in methods) == 1
    assert all("Mean difference on the same questions" in text for text in methods)


def test_how_samples_ended_and_references_worth_checking_can_be_copied():
    ends = ["length", "stop", "stop", "stop"] * 20
    files = [
        (f"{n}.parquet", table(outcomes(20, 4, n), model=f"m-{n}", finish_reason=ends))
        for n in (1, 2)
    ]
    app = visit("pages/data/trust/page.py", *files, more=["ended", "references"])
    unfold(app, "cite.states", "cite.check-the-reference")
    assert not app.exception
    ended, made, _bibtex, latex, methods, _none = copied(app)
    assert "& cut off at a limit &" in ended
    assert ended.count(r"$20$ & $0$ &") == 2, "cut and failed samples of both"
    assert all(f"avg@n {kind}" in ended for kind in ("judged", "all wrong", "all right"))
    assert "The share of correct samples" in made
    assert [latex.count(head) for head in (r"question & right & why", r"value (\%) & without")] == [
        1,
        1,
    ]
    assert "These numbers have no interval" in latex
    assert "maths, 20 questions, n = 4." in methods
