"""Expected numbers of runs, typed or read from a table, YAML or JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kofn.choices.settings import excerpt
from metrics import Stated
from metrics.data.names import MetricName
from metrics.data.words import MetricError, Text, some_of
from metrics.scoring.registry import find_metric, metric_name
from reports.files.errors import LoadError
from reports.run.fingerprint import Settings, plain_settings
from reports.run.report import Run

LARGEST = 1 << 20
"""Bytes of a file of expected numbers."""
MOST = 1000
"""Expected numbers that are read."""
SUFFIXES = (".csv", ".yaml", ".yml", ".json")
TOLD = ("dataset", "model", "metric", "value", "n", "questions", "source")
"""What a row may say; anything else in it is a setting."""
_ALIASES = {
    **dict.fromkeys(("max_out_len", "max_new_tokens", "max_completion_tokens"), "max_tokens"),
    **dict.fromkeys(("few_shot", "num_fewshot", "fewshot", "n_shot"), "shots"),
    **dict.fromkeys(("top-p", "topp"), "top_p"),
    **dict.fromkeys(("prompt", "prompt_template"), "prompt_version"),
    **dict.fromkeys(("samples", "stated_n"), "n"),
    **dict.fromkeys(("score", "expected"), "value"),
}
_AT = re.compile(r"(?P<stem>[a-z_-]+)(?P<at>[@^])(?P<k>\d{1,6})", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,3}(?:\.\d*)?")
_MEAN = ("accuracy", "score", "acc")


@dataclass(frozen=True)
class Expected:
    """A number that is expected of a run, and what is known of it."""

    value: str  # As it is stated: a fraction, or a percentage with its sign.
    # dataset, model: Of which it is; empty for any.
    dataset: str = ""
    model: str = ""
    metric: MetricName = "avg@n"
    k: int | None = None
    n: int | None = None  # Samples a question behind it.
    questions: int | None = None  # How many it is about.
    source: str = ""
    settings: Settings = field(default_factory=dict)  # How it was made, as `Run.settings` calls it.

    @property
    def stated(self) -> Stated:
        """The number, and how far rounding may have moved it."""
        return Stated.read(self.value)

    def is_of(self, key: str, run: Run) -> bool:
        """Return whether it is expected of a run, by the names of model and dataset.

        Examples
        --------
        >>> run = Run("7B", "gsm8k", None)
        >>> [Expected("50%", name).is_of("7B / gsm8k", run) for name in ("GSM8K", "aime", "")]
        [True, False, True]
        """
        dataset = self.dataset.casefold() in ("", run.dataset.casefold())
        return dataset and self.model.casefold() in ("", run.model.casefold(), key.casefold())

    @property
    def label(self) -> str:
        """The metric as people write it."""
        return find_metric(self.metric).label(self.k)


def read_stated(text: str) -> Expected:
    """Read what is typed: dataset, metric and number, of which only the number is needed.

    A number above 1 is a percentage, whether or not it has its sign.

    Examples
    --------
    >>> read_stated("gsm8k:avg@n=59.74%")
    Expected(value='59.74%', dataset='gsm8k', ...)
    >>> found = read_stated("aime:pass@4=0.5")
    >>> found.metric, found.k, read_stated("43.1%").metric
    ('pass@k', 4, 'avg@n')
    >>> found = read_stated("avg@8=63.6")
    >>> found.value, found.n
    ('63.6%', 8)
    """
    before, _, value = map(str.strip, text.rpartition("="))
    dataset, _, metric = before.rpartition(":")
    if _NUMBER.fullmatch(value) and 1 < float(value) <= 100:
        value += "%"
    return expect({"dataset": dataset, "metric": metric, "value": value})


def expect(given: Mapping[str, Any]) -> Expected:
    """Make an expected number of what a row says of it.

    Examples
    --------
    >>> found = expect({"dataset": "aime", "metric": "avg@16", "value": "43.1%", "max_out_len": 32})
    >>> found.metric, found.n, dict(found.settings)
    ('avg@n', 16, {'max_tokens': 32})
    """
    named = {_usual_name(name): value for name, value in given.items() if value not in (None, "")}
    metric, k, n = _metric(str(named.get("metric") or "avg@n"))
    if "value" not in named:
        raise MetricError(Text("An expected number needs a value, such as 43.1%."))
    value = str(named["value"]).strip()
    Stated.read(value)
    rest = {name: _plain(value) for name, value in named.items() if name not in TOLD}
    return Expected(
        value,
        str(named.get("dataset", "")).strip(),
        str(named.get("model", "")).strip(),
        metric,
        k,
        _count("n", named) or n,
        _count("questions", named),
        str(named.get("source", "")).strip(),
        plain_settings(rest),
    )


def read_expectations(name: str, data: bytes) -> tuple[Expected, ...] | None:
    r"""Read a file of expected numbers: CSV with a column value, or a list in YAML or JSON.

    Returns: None of a file that is no such table, as of a report.

    Examples
    --------
    >>> read_expectations("e.csv", b"dataset,value,temperature\ngsm8k,59.74%,0.6")[0].settings
    {'temperature': 0.6}
    >>> read_expectations("e.csv", b"question,correct\n1,1") is None
    True
    """
    suffix = Path(name).suffix.lower()
    if suffix not in SUFFIXES or len(data) > LARGEST:
        return None
    rows = list(_READERS[suffix](data))
    names = {_usual_name(str(key)) for row in rows for key in row}
    if "value" not in names or names & {"question", "question_id", "correct"}:
        return None
    if len(rows) > MOST:
        raise LoadError(
            name,
            Text("holds {count} expected numbers", count=len(rows)),
            Text("Give {most} at most.", most=MOST),
        )
    return tuple(_of_rows(name, rows))


def _of_rows(name: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[Expected]:
    for number, row in enumerate(rows, 1):
        try:
            yield expect(row)
        except MetricError as error:
            raise LoadError(
                name,
                Text("has an expected number that cannot be used: {why}", why=error.text),
                Text("Write value as 43.1% or 0.431, and n and questions as whole numbers."),
                f"row {number}",
            ) from error


def _of_csv(data: bytes) -> Iterator[Mapping[str, Any]]:
    text = data.decode("utf-8-sig", errors="replace")
    yield from csv.DictReader(io.StringIO(text), restkey="rest")


def _of_json(data: bytes) -> Iterable[Mapping[str, Any]]:
    try:
        return _rows(json.loads(data, parse_float=str, parse_int=str))
    except (ValueError, RecursionError):
        return []


def _of_yaml(data: bytes) -> Iterable[Mapping[str, Any]]:
    """Read YAML with all scalars as they are written, so that 0.4310 keeps its last digit."""
    import yaml

    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(data, yaml.BaseLoader)):
            return []
        return _rows(yaml.load(data, yaml.BaseLoader))
    except (yaml.YAMLError, ValueError, RecursionError):
        return []


def _rows(found: Any) -> Iterable[Mapping[str, Any]]:
    """Return the rows of a list, or of a list under the key "expected"."""
    if isinstance(found, dict):
        found = found.get("expected", [found])
    rows = [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []
    return [_flat(row) for row in rows]


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with its settings beside the rest."""
    settings = row.get("settings")
    inner = settings if isinstance(settings, dict) else {}
    return {name: value for name, value in row.items() if name != "settings"} | inner


_READERS: Mapping[str, Callable[[bytes], Iterable[Mapping[str, Any]]]] = {
    ".csv": _of_csv,
    ".json": _of_json,
    ".yaml": _of_yaml,
    ".yml": _of_yaml,
}


def _usual_name(name: str) -> str:
    plain = name.strip().casefold().replace(" ", "_")
    return _ALIASES.get(plain, plain)


def _metric(text: str) -> tuple[MetricName, int | None, int | None]:
    """Return a metric, its k, and the samples that its name tells."""
    text = text.strip()
    if text.casefold() in _MEAN:
        return "avg@n", None, None
    match = _AT.fullmatch(text)
    if match is None:
        return metric_name(text), None, None
    stem, k = match["stem"].lower(), int(match["k"])
    if stem == "avg":
        return "avg@n", None, k
    name = {"cons": "maj"}.get(stem, stem)
    return metric_name(f"{name}{match['at']}k"), k, None


def _count(name: str, given: Mapping[str, Any]) -> int | None:
    if name not in given:
        return None
    text = str(given[name]).strip().replace(",", "")
    if not (text.isdecimal() and 0 < len(text) <= 9 and int(text)):
        raise MetricError(
            Text("{name} must be a whole number; got {got}.", name=name, got=excerpt([text]))
        )
    return int(text)


def _plain(value: Any) -> Any:
    """Return a setting as a number where it is written as one."""
    text = str(value).strip()
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def unmatched(expected: Sequence[Expected], runs: Mapping[str, Run]) -> list[Text]:
    """Say which expected numbers are of no run, and which runs there are."""
    return [
        Text(
            "No run is {model}on {dataset}, of which {value} is expected; there are: {runs}.",
            model=f"{each.model} " if each.model else "",
            dataset=each.dataset or "any dataset",
            value=each.value,
            runs=some_of(runs, 5),
        )
        for each in expected
        if not any(each.is_of(key, run) for key, run in runs.items())
    ]
