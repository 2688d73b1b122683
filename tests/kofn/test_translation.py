"""All that people read is marked for translation: a literal template whose fields are given."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

from docs.catalogue import ROOT, SOURCES, marked

WRITTEN = [module for module in SOURCES if module != ROOT / "metrics" / "data" / "words.py"]
INTERFACE = [module for module in SOURCES if module.parent == ROOT or "pages" in module.parts]
NOT_READ = {"key", "url_path", "label_visibility", "format", "mime", "file_name", "icon"}


def calls(modules: list[Path], mark: str) -> Iterator[tuple[str, ast.Call]]:
    """Yield each call that marks a sentence so, with its place."""
    for module in modules:
        for call in marked(module):
            if isinstance(call.func, ast.Name) and call.func.id == mark:
                yield f"{module.relative_to(ROOT)}, line {call.lineno}", call


def literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def test_a_text_is_a_literal_template_with_the_fields_it_names():
    found = 0
    for place, call in calls(WRITTEN, "Text"):
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
    for place, call in calls(INTERFACE, "_"):
        template = literal(call.args[0])
        assert template is not None, f"{place}: not a literal"
        assert not fields(template), f"{place}: use Text for fields"
        found += 1
    assert found > 100


def test_streamlit_is_given_no_bare_sentence():
    found = 0
    for module in INTERFACE:
        for call in ast.walk(ast.parse(module.read_bytes())):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
                continue
            if ast.unparse(call.func.value) != "st":
                continue
            shown = [*call.args, *(k.value for k in call.keywords if k.arg not in NOT_READ)]
            for text in filter(None, map(literal, shown)):
                sentence = " " in text or text[:1].isupper()
                assert not sentence, f"{module.relative_to(ROOT)}, line {call.lineno}: {text!r}"
            found += 1
    assert found > 50
