"""Results of OpenAI's simple-evals: an HTML snippet for each answer holds it and its score."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from html import unescape
from pathlib import PurePosixPath
from typing import Any

from metrics.data.words import Text
from reports.files.tree import Tree
from reports.json_files.strict import NOT_FINITE, parse_file
from reports.known_tool import KnownTool, Lacking
from reports.run.report import Run
from reports.samples.declared import About, Fields, Records, Shown, question_name
from reports.samples.heads import paths_begun
from reports.samples.reading import file_by_file

_WHOLE = frozenset({"score", "metrics", "htmls"})
_EVALS = (
    *("healthbench_hard", "healthbench_consensus", "healthbench_meta", "healthbench"),
    *("mmlu", "math", "gpqa", "mgsm", "drop", "humaneval", "simpleqa", "browsecomp"),
)
_NAME = re.compile(
    rf"(?P<eval>{'|'.join(_EVALS)}|[^_]+)_(?P<model>.+)_(?P<date>\d{{8}}_\d{{6}})(?:_DEBUG)?_allresults"
)
_DATE = "%Y%m%d_%H%M%S"
_MESSAGE = re.compile(
    r'<div class="message (?P<role>\w+)">.*?<pre>(?P<said>.*?)</pre>\s*</div>\s*</div>', re.DOTALL
)
_RESULT = re.compile(
    r"<p>(?P<name>Correct Answer|Extracted Answer|Score): (?P<value>.*?)</p>", re.DOTALL
)
_CHOICE = re.compile(r"^(?P<letter>[A-D])\) (?P<said>.*)$", re.MULTILINE)
_SCORES = {"True": 1.0, "False": 0.0}
_PASSED = re.compile(r"\[[01](, [01])*\]")
_TEMPLATE = "The last line of your response should be of"
TOOL = KnownTool(
    "simple-evals",
    Text("EVAL_MODEL_DATE_allresults.json"),
    "since 2025-04",
    Text("real files of commit ee3b031: two evaluations of 6 questions, 3 times each, two models"),
    Text("--n-repeats N asks every question N times, in evaluations that take it."),
    _WHOLE,
    (
        Lacking(
            Text("shows the answers of an evaluation with simple-evals as a web page"),
            Text("Load the file beside it whose name ends in _allresults.json."),
            lambda path, found: path.endswith(".html") and b'<div class="message' in found.start,
        ),
    ),
    newest="ee3b031",
)


@lru_cache(maxsize=8)
def _messages(html: str) -> list[dict[str, str]]:
    """Return what was asked and, last, what was answered."""
    return [
        {"role": found["role"], "content": unescape(found["said"])}
        for found in _MESSAGE.finditer(html)
    ]


@lru_cache(maxsize=8)
def _results(html: str) -> dict[str, str]:
    """Return the reference, what was found in the answer and the score, by their names."""
    _, _, results = html.partition("<h3>Results</h3>")
    found: dict[str, str] = {}
    for each in _RESULT.finditer(results):
        found.setdefault(each["name"], unescape(each["value"]))
    return found


def _question(html: Any) -> str:
    """Name a question by its text; the order of choices is drawn anew for each repetition."""
    asked = "\n".join(each["content"] for each in _messages(html)[:-1] if each["role"] != "system")
    paragraphs = asked.split("\n\n")
    label = "\n\n".join(paragraphs[1:-1]) if _TEMPLATE in paragraphs[0] else asked
    return question_name(label, sorted(_choices(html).values()) or asked)


def _choices(html: str) -> dict[str, str]:
    """Return the choices of the last message by their letters; none of other questions."""
    return dict(_CHOICE.findall(_messages(html)[-2]["content"]))


def _score(html: Any) -> float | None:
    found = _results(html).get("Score", "None")
    return _SCORES[found] if found in _SCORES else None if found == "None" else float(found)


def _is_program(html: Any) -> bool:
    return _PASSED.fullmatch(_results(html).get("Extracted Answer", "")) is not None


def _extracted(html: Any) -> str | None:
    found = _results(html).get("Extracted Answer", "None")
    return None if found == "None" or _is_program(html) else found


def _chosen(html: Any) -> str | None:
    """Return the choice that an answer names, whose letter is drawn anew for each repetition."""
    return _choices(html).get(_extracted(html) or "")


def _reference(html: Any) -> Shown:
    return None if _is_program(html) else _results(html).get("Correct Answer")


def _answer(html: Any) -> Shown:
    """Return the answer; not that of programs, of which the piece shows the first of several."""
    return None if _is_program(html) else _messages(html)[-1]["content"]


def _prompt(html: Any) -> Shown:
    return _messages(html)[:-1]


def _samples(html: Any) -> Iterator[Any]:
    """Give the samples of a piece: one, or as many as programs were run."""
    if not _is_program(html):
        yield html
        return
    before, score, after = html.rpartition("<p>Score: ")
    for passed in _results(html)["Extracted Answer"].strip("[]").split(", "):
        yield f"{before}{score}{passed}{after[after.index('<') :]}"


_FIELDS = Fields(
    _question,
    score=_score,
    extracted=_extracted,
    prediction=_answer,
    prompt=_prompt,
    reference=_reference,
)

_DRAWN = replace(_FIELDS, extracted=_chosen, reference="")


def _about(tree: Tree, path: str, _model: Any, _apart: Any) -> About:
    named = _NAME.fullmatch(PurePosixPath(path).stem)
    held = parse_file(tree, path, absent=NOT_FINITE)
    mean = held.get("score")
    return About(
        named and named["model"],
        named and named["eval"],
        {"tool": TOOL.name},
        {"score": float(mean)} if isinstance(mean, int | float) else {},
        {"score": "accuracy"},
        len(held["htmls"]),
        datetime.strptime(named["date"], _DATE) if named else None,
    )


def _files(tree: Tree) -> Iterator[str]:
    return paths_begun(tree, _WHOLE, "htmls", list)


def _runs(tree: Tree, path: str) -> Iterator[Run]:
    named = _NAME.fullmatch(PurePosixPath(path).stem)
    fields = _DRAWN if named and named["eval"] == "gpqa" else _FIELDS
    yield from Records(fields, _about, "htmls", _samples).runs(tree, path)


_READER = file_by_file(Text("results of simple-evals"), _files, _runs)
sniff, read = _READER.sniff, _READER.read
