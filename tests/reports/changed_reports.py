"""Real reports with their truth, changed so that outcomes stay as they are, or so that one notices.

A change of the first kind alters the form of files only: their names, order, packing, encoding, and
what nobody reads. One of the second kind loses, mixes up or contradicts something.
"""

import ast
import gzip
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from reports import load
from reports.files.archive import open_tree
from tests.reports.evaluations.aisbench_archives import expected
from tests.reports.mutations import unzipped, zipped

DATA = Path(__file__).parents[1] / "data"
PROMPT = 60
"""Letters of a prompt that are kept, to read reports quickly."""
NAMES = (
    "通义-7B",
    "m_failed",
    "m-cached",
    "a b",
    "x_1",
    "O'Neil",
    "[1, 0]",
    "10",
    "model@v2",
    "Ü-8B",
)
UNKNOWN = ({"zz": None}, {"zz_time": 1.5}, {"zz": {"a": [1]}}, {"zz": "x" * 50}, {"Ω": True})

Files = Mapping[str, bytes]
Truth = Mapping[tuple[str, str], Mapping[str, tuple[int, int]]]
"""How many samples of each question are right and wrong, by model and dataset."""


@dataclass(frozen=True)
class Case:
    """Files and what they hold: outcomes, predictions, and what is said of them unchanged."""

    files: Files
    truth: Truth
    texts: Mapping[tuple[str, str], frozenset[str]]
    usual: frozenset[str] = frozenset()
    changes: tuple[str, ...] = ()

    @property
    def source(self):
        return "report.zip", zipped(self.files)

    def of(self, kind):
        return sorted(
            path
            for path in self.files
            if path.endswith((".json", ".jsonl")) and Path("/root", path).parents[1].name == kind
        )


def corpus(tool, *names):
    """Return real reports of a tool, with shorter prompts and configurations."""
    return [_case(DATA / tool / f"{name}.zip") for name in names]


def _case(path):
    entries = json.loads(path.with_suffix(".json").read_text())
    truth = {
        (model, dataset): {
            str(i): ((row == 1).sum().item(), (row == 0).sum().item())
            for i, row in enumerate(expected(entry))
        }
        for model, datasets in entries.items()
        for dataset, entry in datasets.items()
    }
    files = {
        name: _shorter(name, data) for name, data in unzipped(path).items() if "/logs/" not in name
    }
    case = Case(files, truth, {})
    texts = {key: frozenset(_texts(case, *key)) for key in truth}
    return replace(case, texts=texts, usual=frozenset(notes(load(case.source))))


def notes(report, *severities):
    """Return what is said of a report and its runs, perhaps only of some severities."""
    return {
        note.what.template
        for owner in (report, *report.runs)
        for note in owner.notes
        if not severities or note.severity in severities
    }


def _shorter(name, data):
    if name.endswith(".py"):
        tree = ast.parse(data)
        named = [part for part in tree.body if part.targets[0].id != "summarizer"]
        return ast.unparse(ast.Module(named, [])).encode()
    if "/predictions/" in name:
        return _each_record(name, data, _with_short_prompt)
    return data


def _with_short_prompt(record):
    return record | {"origin_prompt": json.dumps(record.get("origin_prompt"))[-PROMPT:]}


def _records(name, data):
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in data.splitlines() if line.strip()]
    return [*json.loads(data).values()]


def _packed(name, records):
    if name.endswith(".jsonl"):
        return b"".join(json.dumps(record).encode() + b"\n" for record in records)
    return json.dumps({str(i): record for i, record in enumerate(records)}, indent=4).encode()


def _each_record(name, data, change):
    return _packed(name, [change(record) for record in _records(name, data)])


def _texts(case, model, dataset):
    for name in case.of("predictions"):
        stem = Path(name).stem
        if Path(name).parent.name == model and (stem == dataset or stem[:-2] == dataset):
            for record in _records(name, case.files[name]):
                said = record["prediction"]
                yield from said if isinstance(said, list) else [said]


def _with(case, name, data):
    return replace(case, files={**case.files, name: data})


def _shuffled(value, rng, entries=False):
    """Put the keys of all objects in another order; those that are numbers only if asked to."""
    if isinstance(value, list):
        return [_shuffled(part, rng, entries) for part in value]
    if not isinstance(value, dict):
        return value
    keys = list(value)
    if entries or not any(key.isdigit() for key in keys):
        rng.shuffle(keys)
    return {key: _shuffled(value[key], rng, entries) for key in keys}


# What leaves outcomes as they are.


def order_of_keys(case, rng):
    files = dict(case.files)
    for name in case.of("results"):
        files[name] = json.dumps(_shuffled(json.loads(files[name]), rng)).encode()
    for name in case.of("predictions"):
        files[name] = _each_record(name, files[name], lambda record: _shuffled(record, rng))
    return replace(case, files=files)


def order_of_files(case, rng):
    names = list(case.files)
    rng.shuffle(names)
    return replace(case, files={name: case.files[name] for name in names})


def order_of_questions(case, rng):
    """The lines of predictions in another order, those of one question in theirs."""
    files = dict(case.files)
    for name in case.of("predictions"):
        if name.endswith(".jsonl"):
            records = _records(name, files[name])
            queues = {}
            for record in records:
                queues.setdefault(record["id"], []).append(record)
            ids = [record["id"] for record in records]
            rng.shuffle(ids)
            files[name] = _packed(name, [queues[id].pop(0) for id in ids])
    return replace(case, files=files)


def unknown_keys(case, rng):
    files = dict(case.files)
    extra = rng.choice(UNKNOWN)
    for name in case.of("predictions"):
        files[name] = _each_record(name, files[name], lambda record: record | extra)
    for name in case.of("results"):
        content = json.loads(files[name]) | extra
        details = content.get("details")
        for entry in details.values() if isinstance(details, dict) else details or ():
            if isinstance(entry, dict):
                entry |= extra
        files[name] = json.dumps(content).encode()
    return replace(case, files=files)


def unknown_files(case, rng):
    root = case.of("results")[0].split("/")[0]
    added = {
        f"{root}/logs/eval/x.out": b"\xff\xfe",
        "__MACOSX/._x": b"\0",
        f"{root}/.DS_Store": b"\0",
        f"{root}/performances/alpha-7b-chat/gsm8k.csv": b"id,correct\n1,1\n",
        f"{root}/notes.json": b'{"accuracy of": 1}',
    }
    chosen = rng.sample(sorted(added), rng.randint(1, len(added)))
    return replace(case, files={**case.files, **{name: added[name] for name in chosen}})


def encodings(case, rng):
    files = dict(case.files)
    for name in (*case.of("results"), *case.of("predictions")):
        text = files[name].decode()
        if name.endswith(".json"):
            text = json.dumps(
                json.loads(text),
                indent=rng.choice([None, 1, 4]),
                ensure_ascii=rng.random() < 0.5,
                separators=rng.choice([None, (",", ":")]),
            )
        if rng.random() < 0.5:
            text = text.replace("\n", rng.choice(["\r\n", "\n", "\n\n"]))
        mark = "utf-8-sig" if name.endswith(".json") and rng.random() < 0.3 else "utf-8"
        files[name] = text.encode(mark)
    return replace(case, files=files)


def _renamed(case, old, new, place):
    """Rename a model or dataset wherever its name stands."""
    quoted = json.dumps(new)[1:-1].encode()

    def in_data(name, data):
        if name.endswith(".py"):
            return data.replace(repr(old).encode(), repr(new).encode())
        return data.replace(old.encode(), quoted if name.endswith((".json", ".jsonl")) else b"")

    def in_path(name):
        parts = name.split("/")
        parts[place] = new if place == -2 else parts[place].replace(old, new)
        return "/".join(parts)

    def key(pair):
        return tuple(new if name == old else name for name in pair)

    moved = {
        name: in_path(name)
        for name in (*case.of("results"), *case.of("predictions"))
        if (Path(name).parent.name == old if place == -2 else _dataset_is(name, old))
    }
    files = {
        moved.get(name, name): in_data(name, data)
        for name, data in case.files.items()
        if "/summary/" not in f"/{name}"
    }
    return replace(
        case,
        files=files,
        truth={key(pair): rows for pair, rows in case.truth.items()},
        texts={key(pair): texts for pair, texts in case.texts.items()},
    )


def _dataset_is(name, dataset):
    stem = Path(name).stem
    return stem in (dataset, f"{dataset}_failed") or stem[:-2] == dataset


def name_of_model(case, rng):
    old, new = rng.choice(sorted({model for model, _ in case.truth})), rng.choice(NAMES)
    return _renamed(case, old, new, -2)


def name_of_dataset(case, rng):
    old, new = rng.choice(sorted({dataset for _, dataset in case.truth})), rng.choice(NAMES)
    if any(dataset != old and old in dataset for _, dataset in case.truth):
        return case
    return _renamed(case, old, new, -1)


def name_of_run(case, rng):
    return _under(case, rng.choice(["", "mine/", "a/b/", "20260101_000000/", "results/"]))


def _under(case, root):
    return replace(
        case,
        files={f"{root}{name.split('/', 1)[1]}": data for name, data in case.files.items()},
    )


def packing(case, rng):
    ends = rng.choice([".json", ".jsonl", (".json", ".jsonl", ".py", ".csv")])
    files = {
        f"{name}.gz" if name.endswith(ends) else name: gzip.compress(data, 1)
        if name.endswith(ends)
        else data
        for name, data in case.files.items()
    }
    return replace(case, files=files)


def backslashes(case, _rng):
    case = replace(case, files={name.replace("/", "\\"): data for name, data in case.files.items()})
    said = {note.what.template for note in open_tree(case.source).notes}
    return replace(case, usual=case.usual | said)


def without_summary(case, _rng):
    return _without(case, "/summary/")


def _without(case, folder):
    kept = {name: data for name, data in case.files.items() if folder not in f"/{name}"}
    return replace(case, files=kept)


# What must be noticed, as far as it can be.


def _own(case, kind):
    """Files of that kind that are not beside others."""
    beside = {f"{Path(name).with_suffix('')}_failed.jsonl" for name in case.of(kind)}
    return [name for name in case.of(kind) if name not in beside]


def _on_one(kind, change):
    def apply(case, rng):
        names = [name for name in _own(case, kind) if len(case.files[name]) > 9]
        if not names:
            return case
        name = rng.choice(names)
        return _with(case, name, change(name, case.files[name], rng))

    return apply


def _lines_dropped(name, data, rng):
    records = _records(name, data)
    share = rng.choice([0.02, 0.2, 0.5, 0.9])
    return _packed(name, [record for record in records if rng.random() >= share] or records[:1])


def _tail_dropped(name, data, rng):
    """Cut within a question: whole ones that are gone could leave the mean as it was."""
    records = _records(name, data)
    return _packed(name, records[: rng.randint(1, len(records)) // 10 * 10 + 7])


def _cut(name, data, rng):
    return data[: rng.randint(1, len(data) - 1)]


def _doubled(name, data, rng):
    records = _records(name, data)
    again = rng.sample(records, rng.randint(1, len(records)))
    return _packed(name, records + again)


def _samples_shuffled(name, data, rng):
    """The first of each question in its place, which is all that numbers some of them."""
    records = _records(name, data)
    first: dict[str, dict] = {}
    others = [r for r in records if first.setdefault(str(r.get("gold")), r) is not r]
    rng.shuffle(others)
    return _packed(name, [*first.values(), *others])


def _texts_shuffled(name, data, rng):
    records = _records(name, data)
    said = [record["prediction"] for record in records]
    rng.shuffle(said)
    return _packed(
        name, [record | {"prediction": text} for record, text in zip(records, said, strict=True)]
    )


def _without_golds(name, data, rng):
    return _each_record(name, data, lambda record: {**record, "gold": None})


def _on_details(change):
    def apply(name, data, rng):
        content = json.loads(data)
        details = content.get("details")
        if not details:
            return data
        entries = list(details.values()) if isinstance(details, dict) else details
        kept = change([entry for entry in entries if isinstance(entry, dict)], rng)
        if isinstance(details, dict):
            kept = {str(i): entry for i, entry in enumerate(kept)}
        return json.dumps(content | {"details": kept}).encode()

    return apply


def _entries_dropped(entries, rng):
    return [entry for entry in entries if rng.random() >= 0.2] or entries[:1]


def _entries_shuffled(entries, rng):
    rng.shuffle(entries)
    return entries


def _entries_doubled(entries, rng):
    return entries + entries[: rng.randint(1, len(entries))]


def _verdicts_lost(entries, rng):
    """Some right answers become wrong; the reverse as often would leave the means as they are."""
    share = rng.choice([0.05, 0.5, 1])
    for entry in entries:
        for key in ("correct", "is_correct"):
            if isinstance(entry.get(key), list):
                entry[key] = [right and rng.random() >= share for right in entry[key]]
    return entries


def _without_references(entries, _rng):
    return [
        {key: value for key, value in entry.items() if key not in ("answer", "references", "refr")}
        for entry in entries
    ]


def _without_details(name, data, _rng):
    content = json.loads(data)
    content.pop("details", None)
    return json.dumps(content).encode()


def _other_mean(name, data, rng):
    content = json.loads(data)
    for key, value in content.items():
        if isinstance(value, float):
            content[key] = round(rng.random() * 100, 2)
    return json.dumps(content).encode()


def swapped(kind):
    def apply(case, rng):
        names = _own(case, kind)
        if len(names) < 2:
            return case
        a, b = rng.sample(names, 2)
        return replace(case, files={**case.files, a: case.files[b], b: case.files[a]})

    return apply


def merged(case, rng):
    """The predictions of one model added to those of another."""
    names = _own(case, "predictions")
    pairs = [(a, b) for a in names for b in names if a != b and Path(a).name == Path(b).name]
    if not pairs:
        return case
    a, b = rng.choice(pairs)
    records = _records(a, case.files[a]) + _records(b, case.files[b])
    return _with(case, a, _packed(a, records))


def older(case, rng):
    """Predictions in the older form, by replica or by question, with or without their ids."""
    by_replica, with_ids = rng.random() < 0.5, rng.random() < 0.5
    files = dict(case.files)
    for name in case.of("predictions"):
        if not name.endswith(".jsonl") or name not in _own(case, "predictions"):
            continue
        records, seen = _records(name, files.pop(name)), {}
        for record in records:
            record["turn"] = seen[record["id"]] = seen.get(record["id"], -1) + 1
        records.sort(key=lambda r: (r["turn"], r["id"]) if by_replica else (r["id"], r["turn"]))
        for record in records:
            del record["turn"]
            if not with_ids:
                del record["id"]
        older_name = f"{name.removesuffix('.jsonl')}.json"
        files[older_name] = _packed(older_name, records)
    return replace(case, files=files)


def _but(case, kind):
    return {name: data for name, data in case.files.items() if name not in case.of(kind)}


def without_configuration(case, _rng):
    return _without(case, "/configs/")


def without_predictions(case, _rng):
    return replace(case, files=_but(case, "predictions"))


def without_results(case, _rng):
    return replace(case, files=_but(case, "results"))


Change = Callable[[Case, random.Random], Case]

SAME: dict[str, Change] = {
    change.__name__: change
    for change in (
        *(order_of_keys, order_of_files, order_of_questions, unknown_keys, unknown_files),
        *(encodings, name_of_model, name_of_dataset, name_of_run, without_summary),
    )
}
PACKED: dict[str, Change] = {change.__name__: change for change in (packing, backslashes)}
NOTICED: dict[str, Change] = {
    **{
        f"predictions {change.__name__}": _on_one("predictions", change)
        for change in (
            *(_lines_dropped, _tail_dropped, _cut, _doubled, _samples_shuffled, _texts_shuffled),
            _without_golds,
        )
    },
    **{
        f"details {change.__name__}": _on_one("results", _on_details(change))
        for change in (
            *(_entries_dropped, _entries_shuffled, _entries_doubled, _verdicts_lost),
            _without_references,
        )
    },
    **{
        f"results {change.__name__}": _on_one("results", change)
        for change in (_cut, _without_details, _other_mean)
    },
    **{f"{kind} swapped": swapped(kind) for kind in ("predictions", "results")},
    **{
        change.__name__: change
        for change in (
            *(merged, older, without_configuration, without_predictions, without_results),
        )
    },
}


def change(case, rng):
    """Change a case in a few ways that leave outcomes as they are, often in one that does not."""
    ways = list(SAME.items())
    rng.shuffle(ways)
    chosen = ways[: rng.choice([0, 1, 1, 2, 3])]
    if rng.random() < 0.6:
        chosen.append(rng.choice(list(NOTICED.items())))
    if rng.random() < 0.2:
        chosen.append(rng.choice(list(PACKED.items())))
    for name, way in chosen:
        case = replace(way(case, rng), changes=(*case.changes, name))
    return case
