"""Texts of a report stay texts: hostile ones, long ones, formulas."""

import re

import pytest

from pages.shared.texts.maths import typeset
from pages.shared.texts.reading import END, readable
from tests.pages.hostile_texts import HOSTILE, hostile_report
from tests.pages.reading_questions import QUESTIONS, codes
from tests.pages.visiting import visit, words


@pytest.fixture(autouse=True)
def _reading():
    """Read in a process of its own, as a server does."""


@pytest.mark.parametrize("maths", ["no", "yes"])
def test_hostile_texts_are_shown_as_letters(maths):
    app = visit(QUESTIONS, ("r.zip", hostile_report(HOSTILE)), open="0", maths=maths)
    assert not app.exception
    shown = "\n".join(codes(app)) if maths == "no" else words(app)
    assert "script" in shown
    for letter in ("\x00", "\x1b", "\u202e", "\ud800"):
        assert letter not in words(app) + "\n".join(codes(app))
    for markup in ("<script", "<img", "[l]", ":red[r", "**b**", "`c`"):
        assert not re.search(rf"(?<!\\){re.escape(markup)}", words(app))
    if maths == "no":
        assert readable(HOSTILE) in shown


def test_a_long_text_shows_its_end_and_folds_what_comes_before():
    text = "x" * 1_000_000 + " the end"
    app = visit(QUESTIONS, ("r.zip", hostile_report(text)), open="0")
    assert not app.exception
    assert max(map(len, codes(app))) <= END * 1.3
    assert any(code.endswith("the end") for code in codes(app))
    folds = [each for each in app.expander if "letters before" in each.label]
    assert folds


def test_the_end_of_a_long_text_begins_with_a_line_if_one_is_near():
    text = "\n".join(f"line {number}" for number in range(1000))
    app = visit(QUESTIONS, ("r.zip", hostile_report(text)), open="0")
    (end,) = {code for code in codes(app) if code.endswith("line 999")}
    assert text.endswith(f"\n{end}")
    assert END / 2 < len(end) <= END


def test_letters_are_kept_that_join_others():
    assert readable("नि\u200dक\tx\r\ny") == "नि\u200dक\tx\ny"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"so \(x^2\) and $y$", "so $x^2$ and $y$"),
        (r"\[ \frac{1}{2} \]", "\n\n$$\n\\frac{1}{2}\n$$\n\n"),
        ("costs $5 or $6", "costs \\$5 or \\$6"),
        (r"$\def\x{y}\x$", r"\$\\def\\x\{y\}\\x\$"),
        (r"$\href{javascript:alert(1)}{x}$", r"\$\\href\{javascript\:alert\(1\)\}\{x\}\$"),
        (r"$\hspace{9em}$", r"\$\\hspace\{9em\}\$"),
        ("a\n  b", "a  \n\xa0\xa0b"),
        ("# h\n- i\n| t |", "\\# h  \n\\- i  \n\\| t \\|"),
    ],
)
def test_only_harmless_formulas_are_set(text, expected):
    assert typeset(text) == expected


def test_many_openings_of_formulas_take_no_time():
    assert len(typeset(r"\[" * 10_000)) > 20_000
    assert len(typeset("$a $" * 5_000)) > 20_000
