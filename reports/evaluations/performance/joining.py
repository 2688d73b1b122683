"""Match measurements to the runs that were judged, and to their samples by request ids.

The requests of a performance run are draws of their own, so what is measured of them belongs to
their questions, not to the very answers that were judged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text, some_of
from reports.evaluations.files.config import Config, ConfiguredRun, read_config
from reports.evaluations.files.predictions import Answered
from reports.evaluations.order import RecordOrder
from reports.evaluations.pair import Measuring, unmeasured
from reports.evaluations.performance.layout import Performance, find_performances
from reports.evaluations.performance.requests import Requests, read_count, read_means, read_requests
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.run.remarks import cut_short
from reports.run.report import Run
from reports.run.turns import turns


class Speeds:
    """What was measured in a tree, each to be asked for by model and dataset."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._known: defaultdict[tuple[str, str], list[Performance]] = defaultdict(list)
        for each in find_performances(tree):
            self._known[each.model, each.dataset].append(each)
        self._used: set[tuple[str, str]] = set()

    def of(self, model: str, dataset: str, config: Config) -> Measuring:
        """Return what adds to a run what was measured: by the last run, if there are several."""
        found = self._known.get((model, dataset))
        if not found:
            return unmeasured
        self._used.add((model, dataset))
        measured = found[-1]
        settings = self._changed(measured, config)
        adds = partial(with_speed, tree=self._tree, measured=measured, settings=settings)
        return adds if len(found) == 1 else partial(_last_of, len(found), measured.path, adds)

    def unjudged(self) -> Iterator[Performance]:
        """Give what was measured of models and datasets of which nothing was judged."""
        for key, found in self._known.items():
            if key not in self._used:
                yield from found

    def _changed(self, measured: Performance, config: Config) -> list[str]:
        asked = performance_config(self._tree, measured)
        mine = config.asked(measured.model, measured.dataset)
        return [] if asked is None else changed_settings(mine, asked)


def _last_of(
    count: int,
    path: str,
    adds: Measuring,
    run: Run,
    answered: Answered | None,
    order: RecordOrder | None,
) -> Run:
    what = Text(
        "There are {count} performance runs of this model and dataset; kofn uses the last one.",
        count=count,
    )
    made = adds(run, answered, order)
    return replace(made, notes=(*made.notes, Note(what, path, count)))


TOLERATED = 1e-3
"""How far, of itself, a mean may lie from that of the tool's table, which is rounded."""


def with_speed(
    run: Run,
    answered: Answered | None,
    order: RecordOrder | None,
    tree: Tree,
    measured: Performance,
    settings: Sequence[str] = (),
) -> Run:
    """Return a run with what was measured of its requests, or with notes that say why not.

    order: Which sample each is; None where nothing tells.
    settings: In which the two runs differ.
    """
    wanted = {key: performance.prompt for key, _, performance in answered.some} if answered else {}
    try:
        requests, notes = _read_requests(tree, measured, wanted)
    except LoadError as error:
        return _noted(run, Note(error.text, measured.path, severity="warning"))
    if requests is None:
        return _noted(run, *notes)
    where = measured.path
    if run.outcomes is None or order is None:
        return _noted(
            run, *notes, Note(_NO_ORDER, where, severity="warning"), *_spread(requests, where)
        )
    columns, count = _columns(requests, order, run.outcomes.shape)
    differing = _differing(wanted, requests.asked)
    if differing or not count:
        return _noted(run, *notes, _strangers(differing, where), *_spread(requests, where))
    notes.append(_joined(count, run.outcomes.correct.size, where))
    if settings:
        notes.append(_other_settings(settings, where))
    return _noted(replace(run, columns={**run.columns, **columns}), *notes)


def speed_run(tree: Tree, measured: Performance) -> Run:
    """Return what was measured of a model on a dataset of which nothing was judged."""
    requests, notes = _read_requests(tree, measured, {})
    asked = performance_config(tree, measured)
    notes.append(Note(_NOTHING_JUDGED, measured.path, severity="problem"))
    spread = () if requests is None else _spread(requests, measured.path)
    return Run(
        measured.model,
        measured.dataset,
        None,
        notes=(*notes, *spread),
        source=measured.path,
        settings={"tool": "AISBench", **({} if asked is None else asked.drawn)},
    )


def performance_config(tree: Tree, measured: Performance) -> ConfiguredRun | None:
    """Return what a performance run was told; None where no configuration says it."""
    try:
        for path in measured.configs[:1]:
            return read_config(tree, path).asked(measured.model, measured.dataset)
    except LoadError:
        pass
    return None


def changed_settings(a: ConfiguredRun, b: ConfiguredRun) -> list[str]:
    """Name what two runs of a model on a dataset were told otherwise."""
    if a.model is None or b.model is None:
        return []
    names = dict.fromkeys((*a.drawn, *b.drawn))
    return [name for name in names if name != "n" and a.drawn.get(name) != b.drawn.get(name)]


def _read_requests(
    tree: Tree, measured: Performance, wanted: Mapping[int, Any]
) -> tuple[Requests | None, list[Note]]:
    """Read requests and hold them against the tool's own table."""
    stated: dict[str, float] = {}
    notes = []
    if measured.table:
        try:
            stated = read_means(tree, measured.table)
        except LoadError as error:
            notes.append(Note(error.text, measured.table, severity="warning"))
    if measured.details is None:
        return None, [*notes, _table_only(stated, measured.path)]
    requests = read_requests(tree, measured, wanted)
    held = len(requests.keys) + requests.failed
    notes += cut_short(measured.details, held, read_count(tree, measured), Text("requests"))
    if requests.failed:
        what = Text(
            "{count} request failed while speed was measured.",
            "{count} requests failed while speed was measured.",
            count=requests.failed,
        )
        notes.append(Note(what, measured.details, requests.failed))
    if "latency_s" not in requests.measured and len(requests.keys):
        notes.append(Note(_NO_TIMES, measured.details))
    other = [
        name
        for name, values in requests.measured.items()
        if name in stated
        and not np.isnan(values).any()
        and abs(stated[name] - values.mean()) > TOLERATED * abs(stated[name])
    ]
    if other:
        what = Text(
            "The mean of {names} differs from the tool's own table, {table}.",
            names=some_of(other, len(other)),
            table=measured.table,
        )
        notes.append(Note(what, measured.details, severity="warning"))
    return requests, notes


def _columns(
    requests: Requests, order: RecordOrder, shape: tuple[int, int]
) -> tuple[dict[str, NDArray[np.float64]], int]:
    """Put what was measured into the matrix of the outcomes; say how many samples have some."""
    size = shape[0] * order.shape[1] // order.per_id if order.places is None else len(order.places)
    known = requests.keys < size
    keys = requests.keys[known]
    rows, slots = order.records(keys, np.ones_like(keys))
    held = (rows < shape[0]) & (slots < shape[1])
    columns = {}
    for name, values in requests.measured.items():
        columns[name] = np.full(shape, np.nan)
        columns[name][rows[held], slots[held]] = values[known][held]
    return columns, int(held.sum()) if columns else 0


def _differing(wanted: Mapping[int, Any], asked: Mapping[int, Any]) -> int:
    """Count the ids that were asked otherwise, of those whose prompts are known of both runs."""
    return sum(
        not _is_in(wanted[key], prompt)
        for key, prompt in asked.items()
        if wanted[key] is not None and prompt is not None
    )


def _is_in(prompt: Any, sent: Any) -> bool:
    """Whether what a harness asked stands in what was sent, which may have roles between it."""
    whole = "\n".join(turn.text for turn in turns(sent))
    return all(turn.text.strip() in whole for turn in turns(prompt))


def _spread(requests: Requests, where: str) -> Iterator[Note]:
    """Say how what was measured is distributed."""
    for name, values in requests.measured.items():
        known = values[~np.isnan(values)]
        what = Text(
            "{what} of {count} requests: mean {mean:,.4g}, median {median:,.4g}, 90 % at most "
            "{most:,.4g}.",
            what=_CALLED[name],
            count=len(known),
            mean=float(known.mean()),
            median=float(np.median(known)),
            most=float(np.quantile(known, 0.9)),
        )
        yield Note(what, where, len(known))


def _table_only(stated: Mapping[str, float], where: str) -> Note:
    what = Text(
        "Only the means of all requests are here ({means}); load the whole folder performances/, "
        "whose *_details.jsonl has each request.",
        means=some_of((f"{name} {value:,.4g}" for name, value in stated.items()), len(stated)),
    )
    return Note(what, where, severity="warning")


def _joined(count: int, samples: int, where: str) -> Note:
    what = Text(
        "Tokens and seconds of {count} of {samples} samples come from a separate performance "
        "run, matched by request id. They describe the question, not the very answer that was "
        "judged.",
        count=count,
        samples=samples,
    )
    return Note(what, where, count)


def _strangers(differing: int, where: str) -> Note:
    what = Text(
        "The runs share ids, but {count} that kofn checked have different prompts, so the "
        "measurements cannot be assigned to samples; only their distribution is known.",
        count=differing,
    )
    if not differing:
        what = Text(
            "No request id of the performance run occurs in these predictions, so the "
            "measurements cannot be assigned to samples; only their distribution is known."
        )
    return Note(what, where, severity="warning")


def _other_settings(names: Sequence[str], where: str) -> Note:
    what = Text(
        "The performance run used different settings ({names}), so its tokens and seconds may "
        "differ too.",
        names=some_of(names, 5),
    )
    return Note(what, where, severity="warning")


def _noted(run: Run, *notes: Note) -> Run:
    return replace(run, notes=(*run.notes, *notes))


_CALLED = {
    "tokens_in": Text("Tokens of the prompt"),
    "tokens_out": Text("Tokens of the answer"),
    "latency_s": Text("Seconds"),
    "ttft_s": Text("Seconds to the first token"),
}
_NO_TIMES = Text("The folder db_data with the times of requests is missing or cannot be read.")
_NO_ORDER = Text(
    "It is unknown which sample a request belongs to, so the measurements cannot be assigned to "
    "samples; only their distribution is known."
)
_NOTHING_JUDGED = Text(
    "A performance run judges no answers. Load it together with a run of --mode all of the same "
    "model and dataset: kofn then assigns its tokens and seconds to the samples of that run."
)
