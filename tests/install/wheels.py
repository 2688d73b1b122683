"""The wheel of this checkout, and a bare environment to install it into."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def build(source: Path, folder: Path) -> Path:
    """Build the wheel of a checkout into a folder; return it.

    Raises
    ------
    RuntimeError
        With what the build printed, if it fails.
    """
    command = ["uv", "build", "--wheel", "--out-dir", folder, source]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path) -> Path:
    """Install a wheel with what it needs, and nothing else; return the folder of its programs."""
    variables = os.environ | {"UV_PROJECT_ENVIRONMENT": str(folder), "UV_COMPILE_BYTECODE": "0"}
    needed = ["uv", "sync", "--quiet", "--frozen", "--no-dev", "--no-install-project"]
    needed += ["--extra", "dashboard"]
    subprocess.run(needed, cwd=ROOT, env=variables, check=True)
    into = ["--quiet", "--python", folder]
    subprocess.run(["uv", "pip", "install", "--no-deps", *into, wheel], env=variables, check=True)
    subprocess.run(["uv", "pip", "check", *into], env=variables, check=True)
    return folder / "bin"
