"""Compare kofn's reading of each tool's newest release with the truth: ``python -m tests.newest``.

Each tool is installed in an environment of its own below a folder, asks the same made-up model the
same questions, and writes its files; then kofn reads them. ``--only NAME`` takes some tools, and
``--keep`` takes environments that are there as they are.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

from reports import load
from reports.loading import TOOLS as READ
from tests.newest.model import served, truth
from tests.newest.tools import MODELS, TOOLS, Tool, run


def main() -> int:
    """Check each tool; return 1 if one is read otherwise than is true, or cannot be run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where environments and files go")
    parser.add_argument("--only", nargs="+", default=[tool.name for tool in TOOLS])
    parser.add_argument("--keep", action="store_true")
    arguments = parser.parse_args()
    failed = 0
    for tool in TOOLS:
        if tool.name not in arguments.only:
            continue
        place = arguments.folder.resolve() / tool.name
        try:
            version = _installed(tool, place / "env", arguments.keep)
            problem = _compared(tool, place)
        except (RuntimeError, subprocess.TimeoutExpired, ValueError) as error:
            version, problem = "?", str(error)
        known = next(each.newest for each in READ if each.name == tool.name)
        told = "read as is true" if problem is None else problem
        beside = "" if version == known else f" (kofn tools says {known})"
        print(f"{tool.name} {version}{beside}: {told}", flush=True)
        failed += problem is not None
    return min(failed, 1)


def _installed(tool: Tool, env: Path, keep: bool) -> str:
    """Install the newest release, and return its version."""
    if not (keep and env.exists()):
        shutil.rmtree(env, ignore_errors=True)
        env.mkdir(parents=True)
        if tool.from_npm:
            run(env, "npm", "install", "--no-audit", "--no-fund", f"{tool.package}@latest")
        else:
            run(env, "uv", "venv", "-q", "--clear", env)
            packages = (tool.package, *tool.extras)
            run(env, "uv", "pip", "install", "-q", "-p", env / "bin/python", *packages)
    if tool.from_npm:
        about = env / "node_modules" / tool.package / "package.json"
        return str(json.loads(about.read_text())["version"])
    name = tool.package.partition("[")[0]
    asked = f"import importlib.metadata as m; print(m.version({name!r}))"
    found = subprocess.run([env / "bin/python", "-c", asked], capture_output=True, text=True)
    return found.stdout.strip()


def _compared(tool: Tool, place: Path) -> str | None:
    """Run a tool with each model; say where kofn's reading is not true, None if nowhere."""
    for model in MODELS:
        folder = place / model
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        with served() as url:
            tool.ask(place / "env", folder, model, url)
        runs = load(folder, columns=tool.columns or None).runs
        if len(runs) != 1:
            return f"{len(runs)} runs of {model}, not 1"
        (found,) = runs
        if found.outcomes is None or not found.model.endswith(model):
            return f"the run of {model} is one of {found.model}, with {found.outcomes}"
        mine = sorted(sorted(row) for row in found.outcomes.correct.tolist())
        if mine != sorted(sorted(map(int, row)) for row in truth(model, tool.samples)):
            return f"other verdicts of {model} than the true ones"
        if found.verified is not True and (tool.states or found.verified is False):
            return f"stated means of {model} are not reproduced"
    return None


if __name__ == "__main__":
    sys.exit(main())
