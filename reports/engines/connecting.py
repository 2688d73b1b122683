"""Engines that Ibis supports: one connection to each, through which tables are read."""

from __future__ import annotations

import importlib
import os
import re
import socket
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

import pyarrow as pa

from metrics.data.words import Text, some_of
from reports.extras import installing
from reports.files import upload_store
from reports.files.addresses import Address
from reports.files.errors import LoadError

SPARK = "spark+sc"
TRIED = (SPARK, "duckdb")
"""Schemes of engines that kofn was tried with."""

MEMORY = 1 << 30
"""Bytes that an engine may take that works in this process."""

_TOKEN = "SPARK_CONNECT_AUTHENTICATE_TOKEN"
_PORT = 15002
_SECONDS = 5.0
_RETRIES = 4
_SHORT = 5
"""Letters of a parameter that may be a secret."""
_AWAY = ("UNAVAILABLE", "DEADLINE_EXCEEDED")
"""What gRPC says of an engine that does not answer."""
_DETAILS = re.compile(r'details = "(?:.*last error: )?(.*)"')
"""Why, in what gRPC prints over several lines."""
_IN_MEMORY = {"datafusion", "flink", "pandas", "polars", "pyspark"}
"""What Ibis knows, and what holds nothing that lies at an address."""
_PARTS = 3


@dataclass(frozen=True)
class EngineTable:
    """Where a table is."""

    shown: str  # Its address without what may be a secret.
    scheme: str
    server: str  # The address of the engine, which may hold secrets.
    names: tuple[str, ...]  # Catalog and schema as far as given, and the table.

    def __repr__(self) -> str:
        return f"EngineTable({self.shown!r})"

    @classmethod
    def of(cls, address: Address) -> EngineTable:
        """Part an address: the last part of its path names the table.

        Raises LoadError if it names no table.

        Examples
        --------
        >>> table = EngineTable.of(Address.read("spark+sc://host:15002/lake.evals.runs;token=secret"))
        >>> table, table.names
        (EngineTable('spark+sc://host:15002/lake.evals.runs'), ('lake', 'evals', 'runs'))
        """
        bare, parameters = _parted(address.text)
        before, _, last = bare.rpartition("/")
        names = tuple(map(unquote, last.split(".")))
        if before.endswith(("/", ":")) or not all(names) or len(names) > _PARTS:
            raise LoadError(
                address.shown,
                Text("does not end in the name of a table"),
                Text("Give {scheme}://HOST/CATALOG.SCHEMA.TABLE.", scheme=_scheme(bare)),
            )
        return cls(address.shown, _scheme(bare), before + parameters, names)

    def error(self, problem: Text, fix: Text) -> LoadError:
        """Make the error of this table."""
        return LoadError(self.shown, problem, fix)

    def secrets(self) -> list[str]:
        """Return what no message may show, the longest first."""
        _, parameters = _parted(self.server)
        values = [value for _, value in parse_qsl(parameters[1:].replace(";", "&"))]
        given = (*values, os.environ.get(_TOKEN, ""))
        spelled = {form for each in given for form in (each, quote(each), quote(each, safe=""))}
        return sorted((each for each in spelled if len(each) >= _SHORT), key=len, reverse=True)


class Connection:
    """An engine that answers.

    run: From an expression of Ibis to its result.
    reach: Raises OSError if the engine cannot be reached.
    """

    def __init__(
        self, backend: Any, run: Callable[[Any], pa.Table], reach: Callable[[], None]
    ) -> None:
        self.backend, self._run, self._reach = backend, run, reach

    def table(self, table: EngineTable) -> Any:
        """Return a table as an expression of Ibis.

        Raises LoadError if there is none, or the engine does not answer.
        """
        *within, name = table.names
        database = (within[0] if len(within) == 1 else tuple(within)) if within else None
        with _answering(table):
            self._reach()
            return self.backend.table(name, database=database)

    def fetch(self, table: EngineTable, expression: Any) -> pa.Table:
        """Return the result of an expression.

        Raises LoadError if the engine does not answer, or cannot compute it.
        """
        with _answering(table):
            self._reach()
            return self._run(expression)


def connect(table: EngineTable) -> Connection:
    """Connect to the engine of a table, once.

    Raises LoadError if that needs a package that is not installed, or it does not answer.
    """
    if find_spec("ibis") is None or (table.scheme == SPARK and find_spec("pyspark") is None):
        raise table.error(Text("needs packages that are not installed"), installing("spark"))
    known = {SPARK, *(each.name for each in entry_points(group="ibis.backends"))} - _IN_MEMORY
    if table.scheme.replace("postgresql", "postgres") not in known:
        problem = Text("is the address of an engine that Ibis does not know")
        names = some_of((SPARK, *sorted(known - {SPARK})), len(known))
        raise table.error(problem, Text("There are: {names}.", names=names))
    path = _parted(table.server)[0].partition("://")[2]
    if table.scheme == "duckdb" and not path.startswith("md:") and not os.path.isfile(path):
        raise table.error(
            Text("there is no file {path:.200}", path=path),
            Text("Give duckdb:///FOLDER/FILE.duckdb/SCHEMA.TABLE."),
        )
    with _answering(table):
        return _connected(table.scheme, table.server)


def ibis() -> Any:
    """Return Ibis, which only those have who asked for it."""
    return importlib.import_module("ibis")


@lru_cache(32)
def _connected(scheme: str, server: str) -> Connection:
    return _spark(server) if scheme == SPARK else _through_ibis(scheme, server)


def _spark(server: str) -> Connection:
    bare, parameters = _parted(server)
    url = urlsplit(bare)
    host, port = url.hostname or "", url.port or _PORT

    def reach() -> None:  # Spark itself would try for ten minutes
        socket.create_connection((host, port), _SECONDS).close()

    reach()
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # it would write to the terminal
    spark = importlib.import_module("pyspark.sql.connect.session").SparkSession
    retries = importlib.import_module("pyspark.sql.connect.client.retries")
    given = parameters.replace("?", ";").replace("&", ";")
    session = spark.builder.remote(f"sc://{url.netloc}/{given}").create()
    session.client.set_retry_policies([retries.DefaultPolicy(max_retries=_RETRIES)])
    try:
        backend = ibis().pyspark.connect(session)
    except Exception:
        session.client.close()  # at its end the process would ask again, and warn
        raise

    def run(expression: Any) -> pa.Table:
        table = session.sql(backend.compile(expression)).toArrow()
        return table.select(expression.columns)  # a page has a number of each row beside

    return Connection(backend, run, reach)


def _through_ibis(scheme: str, server: str) -> Connection:
    backend = ibis().connect(server, **(_in_process() if scheme == "duckdb" else {}))
    if scheme == "duckdb":  # whose progress would stand among what is written
        backend.raw_sql("SET enable_progress_bar = false")
    return Connection(backend, lambda expression: backend.to_pyarrow(expression), lambda: None)


def _in_process() -> dict[str, Any]:
    """Return how DuckDB works here: within bounds, beyond which it writes to disk."""
    return {
        "read_only": True,
        "memory_limit": f"{MEMORY >> 20}MiB",
        "temp_directory": str(upload_store.lend() / "engine"),
    }


@contextmanager
def _answering(table: EngineTable) -> Iterator[None]:
    """Turn what an engine raises into one sentence without secrets.

    Ibis and PySpark warn of versions of others that they have yet to learn of.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except LoadError:
        raise
    except Exception as error:
        raise _parameters(table, error) from None


def _parameters(table: EngineTable, error: Exception) -> LoadError:
    if type(error).__name__ == "TableNotFound":
        problem = Text("there is no table {table:.200}", table=".".join(table.names))
        return table.error(problem, Text("Check catalog, schema and table."))
    if isinstance(error, ImportError):
        problem = Text("needs packages that are not installed")
        command = f'pip install "ibis-framework[{table.scheme}]"'
        return table.error(problem, Text("Run {command}.", command=command))
    if isinstance(error, OSError) and not isinstance(error, FileNotFoundError):
        problem = Text("cannot be reached ({why:.100})", why=error.strerror or str(error))
        return table.error(problem, Text("Check host and port, and that the engine runs."))
    why = _hidden(table.secrets(), str(error))
    status = getattr(error, "getGrpcStatusCode", None)
    if status is not None and status().name in _AWAY:
        problem = Text("cannot be reached ({why:.100})", why=why)
        fix = Text("Check host, port and use_ssl, and that Spark Connect runs there.")
        return table.error(problem, fix)
    problem = Text("the engine refuses: {why:.200}", why=why)
    return table.error(problem, Text("Check the address and your permission to read there."))


def _hidden(secrets: Iterable[str], text: str) -> str:
    for secret in secrets:
        text = text.replace(secret, "…")
    details = _DETAILS.search(text)
    lines = (line.strip() for line in (details[1] if details else text).splitlines())
    return next((line.rstrip(".") for line in lines if line), "it does not say why")


def _parted(text: str) -> tuple[str, str]:
    found = re.search(r"[;?#]", text)
    return (text[: found.start()], text[found.start() :]) if found else (text, "")


def _scheme(text: str) -> str:
    return text.partition("://")[0]
