"""What can be tried of the container file where nothing builds containers."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.driving import await_health, free_port
from tests.install.wheels import ROOT
from tests.pages.visitors import visiting

FILE = (ROOT / "docs/Containerfile").read_text().replace("\\\n", "")
NOBODY = """
mount --make-rprivate / && mount -t tmpfs -o mode=1777 tmpfs {cache} &&
    mount -o remount,ro,bind / && exec setpriv --reuid 65534 --regid 65534 --clear-groups \
    --inh-caps=+dac_read_search --ambient-caps=+dac_read_search env -i KOFN_CACHE={cache} "$@"
"""
"""Python may be where only root looks, so that nobody may read all, as in a container."""


def command(name):
    """The arguments of an instruction, with this Python in the place of its own."""
    (found,) = re.findall(rf"{name} (\[.*\])", FILE)
    first, *others = json.loads(found)
    assert first == ".venv/bin/python"
    return [sys.executable, *others]


def test_all_that_is_copied_is_there_and_every_folder_of_code_is_copied():
    copied = [
        name for line in re.findall("^COPY (.*) ", FILE, re.MULTILINE) for name in line.split()
    ]
    assert all((ROOT / name).exists() for name in copied)
    with_code = {path.relative_to(ROOT).parts[0] for path in ROOT.glob("[!.]*/**/*.py")}
    assert with_code - {"tests", "docs"} <= {*copied}


@pytest.mark.browser
@pytest.mark.skipif(sys.platform != "linux" or os.getuid() != 0, reason="mounts as root of Linux")
def test_nobody_serves_where_only_the_cache_can_be_written(tmp_path):
    port, cache = str(free_port()), tmp_path / "cache"
    cache.mkdir()
    health = [each.replace("8501", port) for each in command("HEALTHCHECK .* CMD")]
    assert subprocess.run(health, stderr=subprocess.DEVNULL).returncode == 1
    serve = [each.replace("8501", port) for each in command("\nCMD")]
    shell = ["unshare", "--mount", "sh", "-c", NOBODY.format(cache=cache), "sh"]
    server = subprocess.Popen([*shell, *serve], cwd=ROOT)
    try:
        await_health(server, f"http://localhost:{port}")
        assert subprocess.run(health).returncode == 0
        assert "Uid:\t65534" in Path(f"/proc/{server.pid}/status").read_text()
        with visiting(f"http://localhost:{port}") as visitor:
            rows = "".join(f"q{number},{number % 2},{'so ' * 20}\n" for number in range(30_000))
            visitor.upload("run.csv", f"question_id,correct,text\n{rows}".encode())
            assert "1 run" in visitor.shown
    finally:
        server.terminate()
        server.wait(60)
