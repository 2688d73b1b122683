"""A Spark Connect server on this machine, which nobody else can reach."""

import importlib.util
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_SECONDS = 90
_HERE = "127.0.0.1"
SMALL = {
    "spark.driver.memory": "1g",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": 1,
}
"""For small tables, of which each question is quickly asked."""

_CLASS = "org.apache.spark.sql.connect.service.SparkConnectServer"


@contextmanager
def serving(folder: Path, **more: object) -> Iterator[int]:
    """Start a server with its files in a folder; yield its port."""
    with socket.socket() as free:
        free.bind((_HERE, 0))
        port = free.getsockname()[1]
    settings = {
        "spark.connect.grpc.binding.address": _HERE,
        "spark.connect.grpc.binding.port": port,
        "spark.driver.bindAddress": _HERE,
        "spark.driver.host": _HERE,
        "spark.local.dir": folder,
        "spark.sql.warehouse.dir": folder / "warehouse",
        "spark.ui.enabled": "false",
        **more,
    }
    home = importlib.util.find_spec("pyspark").submodule_search_locations[0]
    command = [f"{home}/bin/spark-submit", "--master", "local[2]"]
    command += [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
    with open(folder / "server.log", "wb") as log:
        server = subprocess.Popen(
            [*command, "--class", _CLASS, "spark-internal"],
            cwd=folder,
            env=os.environ | {"SPARK_HOME": home, "SPARK_LOCAL_IP": _HERE},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        _wait(server, port, folder / "server.log")
        yield port
    finally:
        with suppress(ProcessLookupError):  # it may never have come up
            os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def _wait(server: subprocess.Popen, port: int, log: Path) -> None:
    until = time.monotonic() + _SECONDS
    while server.poll() is None and time.monotonic() < until:
        try:
            socket.create_connection((_HERE, port), 1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise RuntimeError(f"Spark did not start; is there a Java? {log.read_text()[-500:]}")
