"""All that people read is marked for translation: a literal template whose fields are given."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("metrics", "reports", "charts", "kofn", "pages")
MODULES = [ROOT / "app.py", *(m for p in PACKAGES for m in sorted((ROOT / p).rglob("*.py")))]
WRITTEN = [module for module in MODULES if module != ROOT / "metrics" / "data" / "words.py"]
INTERFACE = [module for module in MODULES if module.is_relative_to(ROOT / "pages")]
NOT_READ = {"key", "url_path", "label_visibility", "format", "mime", "file_name", "icon"}


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def calls(module: Path) -> Iterator[ast.Call]:
    return (n for n in ast.walk(ast.parse(module.read_text())) if isinstance(n, ast.Call))


def literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("module", WRITTEN, ids=relative)
def test_a_text_is_a_literal_template_with_the_fields_it_names(module):
    for call in calls(module):
        if isinstance(call.func, ast.Name) and call.func.id == "Text":
            templates = [literal(argument) for argument in call.args]
            assert templates, f"line {call.lineno}: no template"
            assert None not in templates, f"line {call.lineno}: not a literal"
            named = set().union(*(fields(t) for t in templates if t is not None))
            given = {keyword.arg for keyword in call.keywords}
            optional = {"count"} if len(templates) == 2 else set()
            assert named <= given, f"line {call.lineno}: {named - given} not given"
            assert given <= named | optional, f"line {call.lineno}: {given - named} not shown"


@pytest.mark.parametrize("module", [ROOT / "app.py", *INTERFACE], ids=relative)
def test_a_label_is_a_literal_without_fields(module):
    for call in calls(module):
        if isinstance(call.func, ast.Name) and call.func.id == "_":
            template = literal(call.args[0])
            assert template is not None, f"line {call.lineno}: not a literal"
            assert not fields(template), f"line {call.lineno}: use Text for fields"


@pytest.mark.parametrize("module", [ROOT / "app.py", *INTERFACE], ids=relative)
def test_streamlit_is_given_no_bare_sentence(module):
    for call in calls(module):
        function = call.func
        if not (isinstance(function, ast.Attribute) and ast.unparse(function.value) == "st"):
            continue
        shown = [*call.args, *(k.value for k in call.keywords if k.arg not in NOT_READ)]
        for text in filter(None, map(literal, shown)):
            sentence = " " in text or text[:1].isupper()
            assert not sentence, f"line {call.lineno}: {text!r}"
