"""Links of the documents lead somewhere, their commands run, and what they name is there."""

import inspect
import re
import runpy
import shlex
import shutil
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from streamlit.config import get_config_options

from docs import printed
from kofn import metrics, reports
from kofn.command import ALIASES, SUBCOMMANDS, main
from kofn.terminal import serve

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text() for path in DOCUMENTS}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
TABLE = "model,dataset,question_id,sample,score,correct,extracted,grade,tokens_out\n" + "".join(
    f"{model},maths,{question},{sample},{right * (0.5 + sample / 8)},{right},{right},{sample},"
    f"{100 + 37 * question + 11 * sample}\n"
    for model in "ab"
    for question in range(12)
    for sample in range(4)
    for right in [int((question + sample) % 3 > 0)]
)
CHECKPOINTS = "model,question_id,correct\n" + "".join(
    f"ckpt-{step},q{question},{int(question < step)}\n"
    for step in (1, 2, 3)
    for question in range(4)
)


LONGEST = "docs/command.md"
"""Shows what each subcommand prints, which approved outputs of the subcommands show too."""


def fenced(text: str) -> Iterator[str]:
    """Yield the lines of blocks in no language: what is typed in a terminal."""
    for language, block in re.findall(r"^```(.*?)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield from () if language else block.splitlines()


def spans(text: str) -> list[str]:
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return [" ".join(span.split()) for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", prose)]


def commands() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each command by its document, split into words."""
    for document, text in TEXTS.items():
        starts = ("uv run ", "kofn ", "bash ")
        inline = (span for span in spans(text) if span.startswith(starts))
        for line in (*fenced(text), *inline):
            for command in line.split("&&"):
                words = shlex.split(command, comments=True)
                if words and not any(re.search("[A-Z]{4}|…", word) for word in words):
                    yield document, tuple(words[2:] if words[:2] == ["uv", "run"] else words)


def slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("document", TEXTS)
def test_links_lead_to_something(document: str) -> None:
    found = re.findall(r"\]\(([^)\s]+)\)", TEXTS[document])
    for target in (each for each in found if "://" not in each):
        file, _, anchor = target.partition("#")
        place = (ROOT / document).parent / file if file else ROOT / document
        assert place.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", place.read_text(), re.MULTILINE)
            assert anchor in map(slug, headings), target


KOFN = sorted({words for _, words in commands() if words[0] == "kofn" and len(words) > 2})
OTHERS = [(document, words) for document, words in commands() if words[0] != "kofn"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, short_plans: None) -> Path:
    """Stand where the files are that the documents speak of; serve nobody."""
    monkeypatch.setattr(serve, "SERVE", replace(serve.SERVE, run=lambda _: 0))
    run = tmp_path / "outputs/default/20260914_154200"
    run.mkdir(parents=True)
    for file in (run / "outcomes.csv", tmp_path / "more.csv", tmp_path / "answers.csv"):
        file.write_text(TABLE)
    (tmp_path / "checkpoints.csv").write_text(CHECKPOINTS)
    (tmp_path / "required.csv").write_text("question_id,least\n7,1\n")
    with zipfile.ZipFile(tmp_path / "report.zip", "w") as archive:
        archive.writestr("outcomes.csv", TABLE)
    shutil.copy(ROOT / "tests/data/aisbench/gsm8k_n3_num_prompts.zip", tmp_path / "aisbench.zip")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("words", KOFN, ids=" ".join)
def test_commands_of_kofn_run(words: tuple[str, ...], folder: Path) -> None:
    assert main(words[1:]) == 0


def test_every_subcommand_has_an_example() -> None:
    assert {words[1] for words in KOFN} >= set(SUBCOMMANDS)


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(name, marks=[pytest.mark.wide] * (name == LONGEST))
        for name, text in TEXTS.items()
        if "```console" in text
    ],
)
def test_documents_show_what_commands_print(document: str) -> None:
    """``uv run python docs/printed.py`` renews them."""
    assert printed.renewed(TEXTS[document]) == TEXTS[document]


OF_CI = ("mypy", "ruff", "sphinx-build")
"""What `uv sync --group ci` installs."""


@pytest.mark.parametrize(("document", "words"), OTHERS, ids=str)
def test_other_commands_name_what_there_is(document: str, words: tuple[str, ...]) -> None:
    tool, *rest = (word for word in words if not re.match("[A-Z_]+=", word))
    for path in (word for word in rest if re.search(r"^[\w.]+/|\.py$", word)):
        assert (ROOT / path).exists()
    if "-m" in rest and tool == "python":
        assert find_spec(rest[rest.index("-m") + 1])
    if "-m" in rest and tool == "pytest":
        markers = {
            each.split(":")[0] for each in PROJECT["tool"]["pytest"]["ini_options"]["markers"]
        }
        assert rest[rest.index("-m") + 1] in markers
    assert shutil.which(tool) or tool in OF_CI


def test_what_repeats_the_figures_is_collected() -> None:
    """Each test file that the page of intervals names has tests of the kind it asks for."""
    found = [words for document, words in OTHERS if document == "docs/intervals.md"]
    repeated = [words for words in found if words[0] == "pytest"]
    assert len(repeated) > 9
    for words in repeated:
        path = words[-1 - ("-s" in words)]
        assert ("slow" in words) in kinds_of_tests(ROOT / path), path


def kinds_of_tests(path: Path) -> set[bool]:
    """Whether the tests of a file are slow."""
    held = vars(import_module(".".join(path.relative_to(ROOT).with_suffix("").parts)))
    of_all = [held["pytestmark"]] if "pytestmark" in held else []
    tests = [test for name, test in held.items() if name.startswith("test_")]
    marks = ([*of_all, *getattr(test, "pytestmark", [])] for test in tests)
    return {any(mark.name == "slow" for mark in each) for each in marks}


def test_flags_and_files_and_variables_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    for name in SUBCOMMANDS:
        with pytest.raises(SystemExit):
            main([name, "--help"])
    helps = capsys.readouterr().out
    code = "".join(path.read_text() for path in ROOT.glob("[!.]*/**/*.py"))
    folders = "|".join(path.name for path in ROOT.iterdir() if path.is_dir())
    for document, text in TEXTS.items():
        for span in spans(text):
            told = f"{document}: {span}"
            if re.fullmatch(r"kofn [\w-]+", span):
                assert span.removeprefix("kofn ") in {*SUBCOMMANDS, *ALIASES, "help"}, told
            if span.startswith("--") and span != "--dump-eval-details":
                assert span.split()[0] in helps, told
            if re.fullmatch(r"(?:server|browser)\.\w+", span):
                assert span in get_config_options(), told
            if re.match(r"KOFN_\w+", span):
                assert re.split(r"\W", span)[0] in code, told
            if re.fullmatch(rf"(?:{folders})/\S*", span):
                assert (ROOT / span).exists(), told


def test_the_readme_names_every_page_and_its_subcommand() -> None:
    rows = re.findall(r"^\| .+\? \| (.+?) \| (.+?) \|$", TEXTS["README.md"], re.MULTILINE)
    pages = re.findall(r"\"\w+\": _\(\"(.+?)\"\)", (ROOT / "app.py").read_text())
    assert len(pages) == 11
    assert {page for page, _ in rows} == set(pages)
    told = {name for _, commands in rows for name in re.findall("`kofn (.+?)`", commands)}
    assert set(SUBCOMMANDS) - told == {"completion", "convert", "serve", "tools"}


def test_the_readme_is_short() -> None:
    assert TEXTS["README.md"].count("\n") <= 130


def test_the_table_of_metrics_is_that_of_the_library() -> None:
    page = TEXTS["docs/metrics.md"]
    rows = re.findall(r"^\| `(\S+@?.)` \|.*\| (.+?) \|$", page, re.MULTILINE)
    assert [name for name, _ in rows] == list(metrics.METRICS)
    for name, source in rows:
        assert metrics.METRICS[name].source.startswith(source)
        for reference in re.findall(r"arXiv:\S+", metrics.METRICS[name].source):
            assert f"{source}, {reference}" in " ".join(page.split())


def test_the_library_page_has_every_public_name_as_the_code_has_it() -> None:
    page = TEXTS["docs/library.md"]
    names = runpy.run_path(str(ROOT / "docs/public_names.py"))
    assert names["renewed"](page) == page
    rows = [row for line in page.splitlines() if (row := names["ROW"].match(line))]
    for package in (metrics, reports):
        told = [row["name"] for row in rows if row["package"] == package.__name__]
        assert sorted(set(package.__all__) - set(told)) == [], "not on the page"
        assert sorted(told) == sorted(package.__all__)


def test_library_links_lead_to_the_definition() -> None:
    for name, file in re.findall(r"\[`(\w+)`\]\(\.\./(\S+)\)", TEXTS["docs/library.md"]):
        assert re.search(rf"^(?:def |class )?{name}\b", (ROOT / file).read_text(), re.MULTILINE), (
            name
        )


PUBLIC = {name: getattr(each, name) for each in (metrics, reports) for name in each.__all__}


def spelled_by(found: Any) -> set[str]:
    """Return the names in the annotations and bases of a function or class."""
    if inspect.isfunction(found):
        return set(re.findall(r"\w+", " ".join(map(str, found.__annotations__.values()))))
    told = [str(getattr(found, "__orig_bases__", ""))]
    for kind in found.__mro__:
        told += [kind.__name__, *map(str, inspect.get_annotations(kind).values())]
        functions = (
            getattr(each, "fget", getattr(each, "func", each)) for each in vars(kind).values()
        )
        told += [str(each.__annotations__) for each in functions if inspect.isfunction(each)]
    return set(re.findall(r"\w+", " ".join(told)))


def test_public_functions_have_an_example_and_with_them_the_classes_they_take_and_return() -> None:
    things = {
        name: each
        for name, each in PUBLIC.items()
        if inspect.isclass(each) or inspect.isfunction(each)
    }
    shown = {name for name, each in things.items() if ">>>" in (each.__doc__ or "")}
    assert {name for name, each in things.items() if inspect.isfunction(each)} <= shown
    while more := {name for each in shown for name in spelled_by(things[each])} & {*things} - shown:
        shown |= more
    assert shown == set(things)
