"""Every subcommand in Chinese: no English is left but names, options, keys and formulas."""

import re
from pathlib import Path

import pytest

from kofn.command import SUBCOMMANDS, main

SAMPLE = str(Path(__file__).parents[2] / "sample_data" / "aisbench_report.zip")
ENGLISH = re.compile(
    r"\b(?:the|of|is|are|was|and|to|by|than|with|not|for|that|which|one|all|each|samples?|"
    r"questions?|runs?|right|wrong|points|failed|yes|no|none|known|usage|options|error)\b"
)
WORDS = re.compile(r"[A-Za-z][A-Za-z'’-]*(?: [A-Za-z'’-]+)+")
CODE = re.compile(
    r"--[\w-]+(?:[ =][\w|,…=%.@:*-]+)?|\{[^{}]*\}|\[[^\[\]]*\]|[\w.-]*[\\/_@=][\w.\\/@=-]*"
    r"|\"[^\"]*\"|kofn [\w ]+|(?m:^  (?:[a-z_.A-Z]+, )+.*$)"
)
DATA = {"runs average", "n runs average", "the answer is", "no answer", "no entry", "oak and iron"}
"""A metric of AISBench, what texts end with, a state in files, and answers in the sample."""
OTHERS = {"completion", "convert", "repair", "serve", "tools"}
pytestmark = pytest.mark.usefixtures("short_plans")


def english(said: str) -> list[str]:
    """Return runs of Latin words that say something, code left out."""
    found = WORDS.findall(CODE.sub("", said))
    return [each for each in found if ENGLISH.search(each) and each not in DATA]


@pytest.mark.parametrize("subcommand", SUBCOMMANDS)
def test_help_is_in_chinese(subcommand, capsys):
    with pytest.raises(SystemExit):
        main([subcommand, "--help", "--lang", "zh"])
    said = capsys.readouterr().out
    assert said.startswith("用法：kofn")
    assert not english(said)


@pytest.mark.wide
@pytest.mark.parametrize("subcommand", sorted({*SUBCOMMANDS} - OTHERS - {"report"}))
def test_what_is_found_is_said_in_chinese(subcommand, capsys):
    main([subcommand, SAMPLE, "--lang", "zh"])
    out, err = capsys.readouterr()
    assert re.search("[一-鿿]", out.splitlines()[0])
    assert not english(out + err)


def test_what_is_wrong_is_said_in_chinese(capsys):
    assert main(["score", "nowhere.zip", "--lang=zh"]) == 2
    assert capsys.readouterr().err.startswith("错误：nowhere.zip：不存在。")
    with pytest.raises(SystemExit):
        main(["--lang", "zh", "compare", SAMPLE, "--fromat"])
    assert "是否指 --format？" in capsys.readouterr().err


def test_the_language_of_the_system_is_spoken(capsys, monkeypatch):
    monkeypatch.setenv("KOFN_LANG", "zh")
    main([])
    assert capsys.readouterr().out.startswith("用法：kofn")
    main(["--lang", "en"])
    assert capsys.readouterr().out.startswith("usage: kofn")


def test_files_have_the_same_keys_in_either_language(capsys):
    heads = []
    for language in ("en", "zh"):
        main(["score", SAMPLE, "--format", "csv", "--lang", language])
        heads.append(capsys.readouterr().out.splitlines()[0])
    assert heads[0] == heads[1]
