"""Faults put in on purpose, and which of them a test sees: ``uv run python -m tests.faults``.

Each is one change of one line, drawn by a seed: a comparison turned round, a number changed, a
condition denied, an argument dropped. All tests run once to tell which of them come to which line.
Each fault is then shown to those, and to the tests of the neighbourhood, since what is computed
once may be looked at by others. A fault that lives is a missing test. Give it a clean checkout:
lines are put back.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}

CHECKS = ("strict",)
"""Arguments that find faults and change nothing else."""
MOST = "not browser and not slow and not spark and not load"
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", MOST]
MANY = 300
"""To so many of the tests that come to it a fault is shown first."""
HITS = "KOFN_HITS"
"""The name of the variable that names the file in which processes tell what they run."""


@cache
def _tell(number: int, test: str) -> None:
    with open(os.environ[HITS], "a") as told:
        told.write(f"{number} {test}\n")


def hit(number: int) -> None:
    """Tell that the place of a fault is run, by which test; called by the sources of `marked`."""
    _tell(number, os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0])


class Fault(NamedTuple):
    """Where a line has something, and what stands there instead."""

    path: Path
    line: int
    start: int
    end: int
    instead: str

    def put_in(self) -> str:
        """Return the source with the fault in it."""
        lines = self.path.read_bytes().splitlines(keepends=True)
        line = lines[self.line - 1]
        lines[self.line - 1] = line[: self.start] + self.instead.encode() + line[self.end :]
        return b"".join(lines).decode()

    def __str__(self) -> str:
        line = self.path.read_bytes().splitlines()[self.line - 1]
        had = line[self.start : self.end].decode()
        return f"{self.path.relative_to(ROOT)}:{self.line}: {had} -> {self.instead}"


def faults_of(path: Path) -> Iterator[Fault]:
    """Yield the faults that the functions of a module can have, each in one line."""
    for function in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(function, ast.FunctionDef):
            for node in (each for part in function.body for each in ast.walk(part)):
                for wrong in _wrong(node):
                    at = node.test if isinstance(node, ast.If | ast.IfExp) else node
                    assert isinstance(at, ast.expr)
                    if at.lineno == at.end_lineno and at.end_col_offset is not None:
                        instead = f"({ast.unparse(wrong)})"
                        yield Fault(path, at.lineno, at.col_offset, at.end_col_offset, instead)


def _wrong(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what may stand in place of an expression, unless nobody could see it."""
    match node:
        case ast.Compare(ops=[op]):
            yield ast.Compare(node.left, [TURNED[type(op)]()], node.comparators)
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            few = isinstance(value, int) and abs(value) < 10
            yield ast.Constant(value + 1 if few or not value else value * 2)
        case ast.If(test=test) | ast.IfExp(test=test) if not isinstance(test, ast.Compare):
            yield ast.UnaryOp(ast.Not(), test)
        case ast.Call(keywords=keywords) if keywords:
            for number, keyword in enumerate(keywords):
                if keyword.arg not in CHECKS:
                    less = copy.copy(node)
                    less.keywords = [*keywords[:number], *keywords[number + 1 :]]
                    yield less


def tests_of(path: Path) -> list[str]:
    """Return a module, for its examples, and the tests of its neighbourhood.

    That is the folder that mirrors its own, or whatever is named after its capability.
    """
    folder, *between, name = path.relative_to(ROOT).with_suffix("").parts
    tests = ROOT / "tests"
    if folder in ("metrics", "reports"):
        mirrors = [Path(folder, *between[:depth]) for depth in range(len(between), -1, -1)]
        return [str(path), str(next(at for at in map(tests.joinpath, mirrors) if at.exists()))]
    between = [part for part in between if part not in ("results", "behaviour", "data")]
    shared = "shared" in between or not {*between} - {"choices", "writing", "terminal"}
    subjects = [name] if shared else between
    beside = [
        at for each in ("kofn", "pages") for at in sorted((tests / each).glob("**/test_*.py"))
    ]
    near = [at for at in beside if any(one == at.parent.name or one in at.stem for one in subjects)]
    near += [tests / "charts"] if folder == "charts" else []
    every = [
        tests / "kofn" / "test_translation.py",
        tests / "kofn" / "test_settings_matter.py",
        tests / "pages" / "test_shared_findings.py",
        *_approved(tests / "kofn" / "test_printed.py", subjects),
        *_approved(tests / "pages" / "test_shown.py", subjects),
    ]
    near += every if near else []
    return [str(path), *map(str, near or [tests / folder])]


def _approved(test: Path, subjects: Sequence[str]) -> list[str]:
    """Return the tests of approved outputs that are named after a capability, or else all."""
    named = [
        one
        for one in _collected(test)
        if any(x in one.partition("[")[2].replace("-", "_") for x in subjects)
    ]
    return named or [str(test)]


@cache
def _collected(test: Path) -> list[str]:
    command = [*PYTEST, "--collect-only", "-n0", str(test)]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return [line for line in listed.stdout.splitlines() if "[" in line]


def marked(faults: Mapping[int, Fault]) -> dict[Path, str]:
    """Return the sources of the modules that faults are of, which tell when a place is run."""
    found = {}
    for path in {fault.path for fault in faults.values()}:
        lines = path.read_bytes().splitlines(keepends=True)
        texts = [
            (fault.line, place, text)
            for number, fault in faults.items()
            if fault.path == path
            for place, text in ((fault.start, f"(_fault_hit({number}) or ("), (fault.end, "))"))
        ]
        for line, place, text in sorted(texts, reverse=True):
            had = lines[line - 1]
            lines[line - 1] = had[:place] + text.encode() + had[place:]
        after = max(
            (
                each.end_lineno or 0
                for number, each in enumerate(ast.parse(path.read_bytes()).body)
                if (number == 0 and isinstance(each, ast.Expr))
                or (isinstance(each, ast.ImportFrom) and each.module == "__future__")
            ),
            default=0,
        )
        lines.insert(after, b"from tests.faults import hit as _fault_hit\n")
        found[path] = b"".join(lines).decode()
    return found


@contextmanager
def in_place(sources: Mapping[Path, str]) -> Iterator[None]:
    """Have modules hold other sources for a while."""
    right = {path: path.read_bytes() for path in sources}
    try:
        for path, source in sources.items():
            path.write_text(source)
        yield
    finally:
        for path, had in right.items():
            path.write_bytes(had)


def tests_that_run(faults: Mapping[int, Fault]) -> dict[int, list[str]]:
    """Run all tests and return those that come to each fault, or "" before the first."""
    with tempfile.NamedTemporaryFile("r") as told:
        with in_place(marked(faults)):
            environment = os.environ | {HITS: told.name}
            subprocess.run(PYTEST, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
        found: dict[int, list[str]] = {}
        for line in told:
            number, _, test = line.rstrip("\n").partition(" ")
            found.setdefault(int(number), []).append(test)
    return {number: list(dict.fromkeys(tests)) for number, tests in found.items()}


def is_seen(fault: Fault, tests: Iterable[str]) -> bool:
    """Return whether a test fails while there is a fault."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as asked:
        asked.write("\n".join(tests))
        asked.flush()
        with in_place({fault.path: fault.put_in()}):
            command = [*PYTEST, "-x", "-n0", f"@{asked.name}"]
            done = subprocess.run(command, cwd=ROOT, capture_output=True)
    return done.returncode not in (0, 5)  # all pass, or there are none


def fate(fault: Fault, tests: Sequence[str]) -> str:
    """Return whether a fault is seen, lives, or is not run."""
    named = list(filter(None, tests))
    if named and is_seen(fault, named[:MANY]):
        return "seen"
    return "not run" if not tests else "seen" if is_seen(fault, tests_of(fault.path)) else "lived"


def main() -> None:
    """Draw faults and print which are seen, which are not, and which no test comes to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", help="such as kofn pages charts")
    parser.add_argument("--faults", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    modules = [path for folder in given.folders for path in sorted((ROOT / folder).rglob("*.py"))]
    drawn = [fault for path in modules for fault in faults_of(path)]
    random.Random(given.seed).shuffle(drawn)
    faults = dict(enumerate(drawn[: given.faults]))
    run = tests_that_run(faults)
    fates = []
    for number, fault in faults.items():
        said = str(fault)
        fates.append(fate(fault, run.get(number, [])))
        print(f"{fates[-1]}: {said}", flush=True)
    print(f"{fates.count('seen')} of {len(fates)} are seen")


if __name__ == "__main__":
    main()
