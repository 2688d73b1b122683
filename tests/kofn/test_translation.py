"""All that people read is marked for translation: a literal template whose fields are given."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

ROOT = Path(__file__).parents[2]
PACKAGES = ("metrics", "reports", "charts", "kofn", "pages")
MODULES = [ROOT / "app.py", *(m for p in PACKAGES for m in sorted((ROOT / p).rglob("*.py")))]
WRITTEN = [module for module in MODULES if module != ROOT / "metrics" / "data" / "words.py"]
INTERFACE = [ROOT / "app.py", *(module for module in MODULES if "pages" in module.parts)]
NOT_READ = {"key", "url_path", "label_visibility", "format", "mime", "file_name", "icon"}


def calls(modules: list[Path]) -> Iterator[tuple[str, ast.Call]]:
    """Yield each call with its place."""
    for module in modules:
        for call in calls_of(module):
            yield f"{module.relative_to(ROOT)}, line {call.lineno}", call


@cache
def calls_of(module: Path) -> list[ast.Call]:
    found = ast.walk(ast.parse(module.read_bytes()))
    return [node for node in found if isinstance(node, ast.Call)]


def literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def test_a_text_is_a_literal_template_with_the_fields_it_names():
    found = 0
    for place, call in calls(WRITTEN):
        if isinstance(call.func, ast.Name) and call.func.id == "Text":
            templates = [literal(argument) for argument in call.args]
            assert templates, f"{place}: no template"
            assert None not in templates, f"{place}: not a literal"
            named = set().union(*(fields(t) for t in templates if t is not None))
            given = {keyword.arg for keyword in call.keywords}
            if None in given:  # fields that several sentences share
                continue
            optional = {"count"} if len(templates) == 2 else set()
            assert named <= given, f"{place}: {named - given} not given"
            assert given <= named | optional, f"{place}: {given - named} not shown"
            found += 1
    assert found > 500


def test_a_label_is_a_literal_without_fields():
    found = 0
    for place, call in calls(INTERFACE):
        if isinstance(call.func, ast.Name) and call.func.id == "_":
            template = literal(call.args[0])
            assert template is not None, f"{place}: not a literal"
            assert not fields(template), f"{place}: use Text for fields"
            found += 1
    assert found > 100


def test_streamlit_is_given_no_bare_sentence():
    found = 0
    for place, call in calls(INTERFACE):
        function = call.func
        if not (isinstance(function, ast.Attribute) and ast.unparse(function.value) == "st"):
            continue
        shown = [*call.args, *(k.value for k in call.keywords if k.arg not in NOT_READ)]
        for text in filter(None, map(literal, shown)):
            sentence = " " in text or text[:1].isupper()
            assert not sentence, f"{place}: {text!r}"
        found += 1
    assert found > 50
