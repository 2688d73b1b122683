"""Tables for a paper: letter for letter, with their intervals, in LaTeX that compiles."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kofn.choices.view import View
from kofn.command import main
from kofn.scorecard.analysis import score_runs
from kofn.scorecard.choices import ScoreChoices
from kofn.scorecard.command import SCORECARD
from kofn.writing import latex
from kofn.writing.estimates import percent, points, read_back
from metrics import Outcomes
from reports import Run
from tests.kofn.indexed import index
from tests.kofn.listings import LISTINGS
from tests.pages.hostile_names import NAMES
from tests.wide import wide_but

pytestmark = pytest.mark.usefixtures("short_plans", "asked_once")

COMMANDS = {"textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater"} | {
    *("textbar", "textasciigrave", "ldots", "textsuperscript", "footnotesize", "noindent"),
    *("caption", "begin", "end", "centering", "toprule", "midrule", "bottomrule", "endhead"),
    *("endfoot", "par", "smallskip", "linewidth", "times", "geq", "leq", "tau", "lambda", "cdot"),
    *("pm", "surd", "infty", "Sigma", "renewcommand", "arraystretch", "paragraph", "cite"),
}


TOKEN = re.compile(r"\\\\|\\[A-Za-z]+|\\.|[^\\]", re.S)


def checked(text: str) -> str:
    """Return LaTeX without its remarks, once nothing in it can fail to compile."""
    body = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    formula, opened, depth = False, list[str](), 0
    tokens = TOKEN.findall(body)
    for token in tokens:
        if token.startswith("\\") and len(token) > 1 and token[1].isalpha():
            assert token[1:] in COMMANDS
        elif token.startswith("\\"):
            assert token[1] in "\\{}$&%#_"
        assert token not in ("%", "#"), "these are escaped"
        formula ^= token == "$"
        assert formula or token not in ("_", "^"), "these stand in formulas only"
        depth += (token == "{") - (token == "}")
        assert depth >= 0
    assert (depth, formula) == (0, False)
    for what, name in re.findall(r"\\(begin|end)\{(\w+)\}", body):
        if what == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert not opened
    inner = r"\\begin\{(tabular|longtable)\}\{([lr]+)\}(.*?)\\end\{\1\}"
    for _, align, inside in re.findall(inner, body, re.S):
        for line in filter(lambda line: line.endswith(r"\\"), inside.splitlines()):
            ampersands = TOKEN.findall(line).count("&")
            assert "caption" in line or ampersands == len(align) - 1
            assert not line.lstrip().startswith(("[", "*")), "a row would take them for its own"
    return body


def written(capsys, *arguments: str) -> str:
    main([*arguments, "--format", "latex"])
    return capsys.readouterr().out


@pytest.mark.parametrize("ends", latex.ENDS)
def test_an_interval_stands_below_and_above_its_number_or_in_columns(ends):
    rows = [
        {"run": "a_b", "avg@2": "66.1% (61.0 to 71.2)", "gain": "−2.0 points (−6.3 to 0.5)"},
        {"run": "c", "avg@2": "N/A", "gain": "baseline"},
    ]
    lines = checked(latex.table(rows, "Scores.", ends)).splitlines()
    (head, first, second) = (line.strip() for line in lines if "&" in line)
    if ends == "scripts":
        assert head == r"run & avg@2 (\%) & gain (points) \\"
        assert first == r"a\_b & $66.1_{61.0}^{71.2}$ & $-2.0_{-6.3}^{0.5}$ \\"
        assert second == r"c & N/A & baseline \\"
    else:
        assert head == r"run & avg@2 (\%) & low & high & gain (points) & low & high \\"
        assert first == r"a\_b & $66.1$ & $61.0$ & $71.2$ & $-2.0$ & $-6.3$ & $0.5$ \\"
        assert second == r"c & N/A &  &  & baseline &  &  \\"


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(0, 1))
def test_what_is_written_is_read_back(value, below, above):
    for write, unit in ((percent, "%"), (points, " points")):
        whole = str(write(value, value - below, value + above))
        found = read_back(whole)
        assert f"{found.value}{unit} ({found.low} to {found.high})" == whole
        assert read_back(str(write(value))).unit == unit


def test_units_that_differ_stay_with_their_numbers():
    rows = [{"run": "a", "x": "5.0%"}, {"run": "b", "x": "3 tokens (2 to 1,380)"}]
    assert r"$5.0$\% \\" in latex.table(rows, "")
    assert r"$3_{2}^{1{,}380}$ tokens \\" in latex.table(rows, "")


def shown(text: str) -> str:
    """Return the letters that LaTeX shows of escaped text."""
    names = {"backslash": "\\", "asciitilde": "~", "asciicircum": "^", "less": "<", "greater": ">"}
    text = text.replace("''", '"')
    for name, letter in (names | {"bar": "|", "asciigrave": "`"}).items():
        text = text.replace(rf"\text{name}{{}}", {"\\": "\0"}.get(letter, letter))
    text = re.sub(r"(?<![\\\0])\{([]\[*])\}", r"\1", text)
    text = re.sub(r"([-'])\{\}", r"\1", text)
    return re.sub(r"\\([{}$&%#_])", r"\1", text).replace("\0", "\\")


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_any_name_is_shown_letter_for_letter(name):
    written = latex.escaped(name)
    assert shown(written) == name
    assert "--" not in written, "a dash"
    checked(latex.table([{"run": name, "x": "1%"}], written))


@pytest.mark.parametrize("name", [*NAMES.values(), r"_%&#$~^\{}", "[x]", "*", "--", "''``", "通义"])
def test_hostile_names_neither_break_nor_steer_a_document(name):
    rows = [{"run": name, "value": "1%", "remarks": f"{name} {name:>50}", name: name}]
    checked(latex.document(name, [rows], name))


def test_letters_that_pdflatex_lacks_are_said():
    rows = [{"run": "通义 é −", "value": "1%"}]
    assert "% LuaLaTeX or XeLaTeX, with a font that has 通义\n" in latex.document("", [rows], "")
    assert "LuaLaTeX" not in latex.document("", [[{"run": "é − τ", "value": "1%"}]], "")


def test_sentences_are_notes_below_and_each_stands_once():
    long = "The file states other numbers than those of its samples, 100% of them."
    rows = [{"run": str(i), "value": "1%", "remarks": long if i else ""} for i in range(3)]
    body = checked(latex.table(rows, ""))
    assert body.count("100") == 1
    assert r"\textsuperscript{1} The file states other" in body
    assert body.count(r"& \textsuperscript{1} \\") == 2


def test_a_table_of_many_rows_goes_over_pages():
    rows = [{"run": str(i), "value": "1%"} for i in range(41)]
    assert r"\begin{longtable}{lr}" in checked(latex.table(rows, "x"))
    assert r"\begin{longtable}" not in latex.table(rows[:40], "x")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("latex") / "r.csv"
    lines = [
        f"{model},maths,q{q},{s},{int((q * 7 + s * 3 + len(model)) % 5 > 1)},{s % 3}"
        for model in ("a_1%", "b&2", "c#3")
        for q in range(12)
        for s in range(4)
    ]
    path.write_text("\n".join(["model,dataset,question_id,sample,correct,reward", *lines]))
    return str(path)


@pytest.mark.parametrize("subcommand", wide_but(["compare", "scorecard", "trust"], LISTINGS))
def test_every_subcommand_writes_tables_for_a_paper(small, capsys, subcommand):
    for ends in latex.ENDS:
        text = written(capsys, subcommand, small, "--ends", ends)
        body = checked(text)
        assert text.startswith("% ")
        assert r"\caption{}" not in text
        if subcommand not in ("series",):
            assert r"a\_1\% / maths" in body or subcommand in ("plan",)
            assert r"\toprule" in body


def test_the_tools_are_a_table_for_a_paper_too(capsys):
    assert "AISBench" in checked(written(capsys, "tools"))


def test_the_metrics_that_are_chosen_stand_side_by_side(small, capsys, tmp_path):
    asked = ["score", small, "--metrics", "avg@n,pass@k,soft"]
    body = checked(written(capsys, *asked))
    assert r"run & avg@4 (\%) & soft & pass@4 (\%) &  \\" in body
    assert "95\\% intervals for questions like these" in body
    assert body.count(r"\textsuperscript{1} \\") == 3, "why soft is N/A, once for each run"
    main([*asked, "-o", str(tmp_path / "scores.tex")])
    assert (tmp_path / "scores.tex").read_text() == written(capsys, *asked)


@pytest.mark.parametrize(("verified", "grouping"), [(False, "proven"), (True, "unknown")])
def test_a_doubtful_run_is_named_as_one(verified, grouping):
    sound = Run("a", "maths", Outcomes([[1, 0]]), verified=True)
    doubtful = Run("b", "maths", Outcomes([[1, 0]]), verified=verified, grouping=grouping)
    assert "grouping" not in paper(sound)
    assert f"& {'yes' if verified else 'no'} & {grouping} &" in paper(sound, doubtful)


def paper(*runs: Run) -> str:
    cards = score_runs(index(*runs), View(), ScoreChoices(("avg@n",)))
    return checked(SCORECARD.write("latex", cards, View()))
