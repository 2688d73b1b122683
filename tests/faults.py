"""Faults put in on purpose, and which of them a test sees: ``uv run python -m tests.faults``.

Each is one change of one line, drawn by a seed: a comparison turned round, a number changed, a
condition denied, an argument dropped. Run are the tests of the neighbourhood only. What no test
sees though one runs the line is a missing test. Give it a clean checkout: lines are put back.
"""

from __future__ import annotations

import argparse
import ast
import copy
import random
import subprocess
import sys
from collections.abc import Iterator
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
        tests / "kofn" / "test_settings_matter.py",
        tests / "pages" / "test_shared_findings.py",
        tests / "kofn" / "test_printed.py",
        tests / "pages" / "test_shown.py",
    ]
    near += every if near else []
    return [str(path), *map(str, near or [tests / folder])]


def is_seen(path: Path, source: str) -> bool:
    """Return whether a test fails while a module has this source."""
    right = path.read_bytes()
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider"]
    command += ["-m", "not browser and not slow and not spark and not load"]
    try:
        path.write_text(source)
        done = subprocess.run([*command, *tests_of(path)], cwd=ROOT, capture_output=True)
        return done.returncode not in (0, 5)  # all pass, or there are none
    finally:
        path.write_bytes(right)


def is_run(fault: Fault) -> bool:
    """Return whether a test runs the expression at all."""
    return is_seen(fault.path, fault._replace(instead="(1 / 0)").put_in())


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
    seen = lived = 0
    for fault in drawn:
        if seen + lived == given.faults:
            break
        said, caught = str(fault), is_seen(fault.path, fault.put_in())
        word = "seen" if caught else "lived" if is_run(fault) else "not run"
        seen, lived = seen + (word == "seen"), lived + (word == "lived")
        print(f"{word}: {said}", flush=True)
    print(f"{seen} of {seen + lived} are seen")


if __name__ == "__main__":
    main()
