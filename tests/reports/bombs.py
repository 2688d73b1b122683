"""Small files that take long to read, each by one count that it has far too much of.

`uv run python -m tests.reports.bombs` prints what reading each takes, in full or by `--share`.
"""

import argparse
import io
import json
import os
import resource
import time
import traceback
import zipfile
from collections.abc import Callable, Iterable
from functools import wraps
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from reports import LoadError, load

DATA = Path(__file__).parents[1] / "data"
RUN = "20260914_101500"
MEAN = b'{"accuracy": 50.0}'
HEADER = "dataset,version,metric,mode"


class Bomb(NamedTuple):
    """How many of what a whole one has, and what writes one that has so many of it."""

    many: int
    of: str
    write: Callable[[int], tuple[str, bytes]]


class Cost(NamedTuple):
    """What reading a file took, and what came of it."""

    size: int
    seconds: float
    mebibytes: float
    said: str


def _zip(members: Iterable[tuple[str, bytes]]) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in members:
            archive.writestr(path, data)
    return whole.getvalue()


def _config(models: Iterable[str], datasets: Iterable[str]) -> tuple[str, bytes]:
    models, datasets = ([{"abbr": name} for name in each] for each in (models, datasets))
    return f"{RUN}/configs/{RUN}_1.py", f"models = {models}\ndatasets = {datasets}\n".encode()


def _root(count: int) -> int:
    """Return how many models and datasets there are so many pairs of."""
    return max(1, round(count**0.5))


def _details(count: int) -> bytes:
    rows = ({"pred": f"{i % 7}", "answer": "1", "correct": i % 7 == 1} for i in range(count))
    named = {str(i): row for i, row in enumerate(rows)}
    return json.dumps({"accuracy": 14.29, "details": named}).encode()


def _real(pattern: str, lines: int | None = None) -> bytes:
    """Return the first real file of a pattern, or what it begins with."""
    whole = min(DATA.glob(pattern)).read_bytes()
    return whole if lines is None else b"\n".join(whole.splitlines()[:lines]) + b"\n"


def keys(count):
    members = b",".join(b'"%x":%d' % (i, i % 10) for i in range(count))
    return "r.zip", _zip([(f"{RUN}/results/m/d.json", b'{"accuracy": 50.0,' + members + b"}")])


def metrics(count):
    members = b",".join(b'"accuracy (%d runs average)":%d' % (i, i % 10) for i in range(count))
    return "r.zip", _zip([(f"{RUN}/results/m/d.json", b"{" + members + b"}")])


def keys_of_an_entry(count):
    members = b",".join(b'"%x":%d' % (i, i % 10) for i in range(count))
    details = b'{"accuracy": 50.0, "details": [{"pred":"1","answer":"1","correct":true,%b}]}'
    return "r.zip", _zip([(f"{RUN}/results/m/d.json", details % members)])


def details(count):
    return "r.zip", _zip([(f"{RUN}/results/m/d.json", _details(count))])


def details_alone(count):
    return "d.json", _details(count)


def models(count):
    return "r.zip", _zip((f"{RUN}/results/m{i}/d.json", MEAN) for i in range(count))


def models_configured(count):
    names = [f"m{i}" for i in range(count)]
    files = ((f"{RUN}/results/{name}/d.json", MEAN) for name in names)
    return "r.zip", _zip([_config(names, ["d"]), *files])


def models_listed(count):
    names, sets = ([f"{kind}{i}" for i in range(_root(count))] for kind in "md")
    return "r.zip", _zip([_config(names, sets), (f"{RUN}/results/m0/d0.json", MEAN)])


def datasets(count):
    return "r.zip", _zip((f"{RUN}/results/m/d{i}.json", MEAN) for i in range(count))


def folders(count):
    return "r.zip", _zip((f"{i}/{RUN}/results/m/d.json", MEAN) for i in range(count))


def results(count):
    side = _root(count)
    return "r.zip", _zip(
        (f"{RUN}/results/m{i}/d{j}.json", _details(4)) for i in range(side) for j in range(side)
    )


def results_with_predictions(count):
    side = _root(count)
    line = {"data_abbr": "d", "id": 0, "prediction": "1", "gold": "1", "uuid": "1"}
    lines = "\n".join(json.dumps(line | {"id": i, "uuid": str(i)}) for i in range(4)).encode()
    names = [f"{RUN}/{{}}/m{i}/d{j}" for i in range(side) for j in range(side)]
    config = _config((f"m{i}" for i in range(side)), (f"d{i}" for i in range(side)))
    rows = f"{HEADER},{','.join(f'm{i}' for i in range(side))}\n" + "".join(
        f"d{j},1,accuracy,gen{',50' * side}\n" for j in range(side)
    )
    summary = f"{RUN}/summary/summary_{RUN}.csv", rows.encode()
    return "r.zip", _zip(
        [
            config,
            summary,
            *((name.format("results") + ".json", _details(4)) for name in names),
            *((name.format("predictions") + ".jsonl", lines) for name in names),
        ]
    )


def judged(count):
    line = json.dumps({"data_abbr": "d", "id": 0, "prediction": "1", "gold": "1"}).encode()
    half = count // 2
    return "r.zip", _zip(
        [
            *((f"{RUN}/predictions/m/d{i}.jsonl", line) for i in range(half)),
            *((f"{RUN}/results/m/d{i}-judge.json", MEAN) for i in range(half)),
        ]
    )


def results_of_no_run(count):
    return "r.zip", _zip((f"m{i}/d.json", _details(4)) for i in range(count))


def predictions_of_no_run(count):
    line = json.dumps({"data_abbr": "d", "id": 0, "prediction": "1", "gold": "1"}).encode()
    return "r.zip", _zip((f"m{i}/d.jsonl", line) for i in range(count))


def shards(count):
    line = json.dumps({"0": {"origin_prompt": "1", "prediction": "1", "gold": "1"}}).encode()
    return "r.zip", _zip((f"{RUN}/predictions/m/d_{i}.json", line) for i in range(count))


def deep_folders(count):
    files = max(1, count // 16_000)
    deep = "/".join(["a"] * 16_000 if count >= 16_000 else ["a"] * count)
    return "r.zip", _zip((f"{i}/{deep}/results/m/d.json", MEAN) for i in range(files))


def configs(count):
    text = _config(["m"], ["d"])[1]
    many = ((f"{RUN}/configs/{RUN}_{i}.py", text) for i in range(count))
    return "r.zip", _zip([*many, (f"{RUN}/results/m/d.json", MEAN)])


def tables(count):
    text = b"question_id,sample,correct\nq,0,1\n"
    return "r.zip", _zip((f"m{i}.csv", text) for i in range(count))


def unknown_files(count):
    return "r.zip", _zip((f"a{i}.json", b"{}") for i in range(count))


def lm_eval(count):
    results = _real("lm_eval/seeds/alpha*/results*")
    samples = _real("lm_eval/seeds/alpha*/samples*", 4)
    for i in range(count):
        date = f"2026-11-20T08-33-25.{i:06d}"
        yield f"m/results_{date}.json", results
        yield f"m/samples_local_mcq_{date}.jsonl", samples


def evalscope(count):
    folder = "evalscope/outputs_1.1.1/20261120_084125"
    review = _real(f"{folder}/reviews/*/general_mcq_north.jsonl", 4)
    report = _real(f"{folder}/reports/*/general_mcq.json")
    for i in range(count):
        yield f"{RUN}/reviews/m/general_mcq{i}_a.jsonl", review
        yield f"{RUN}/reports/m/general_mcq{i}.json", report


def tau2(count):
    results = _real("tau2/gamma_dir/results.json")
    said = sorted((DATA / "tau2" / "gamma_dir" / "simulations").iterdir())[:2]
    for i in range(count):
        yield f"{i}/results.json", results
        for path in said:
            yield f"{i}/simulations/{path.name}", path.read_bytes()


def lighteval(count):
    details = _real("lighteval/details/alpha*/*/*.parquet")
    results = _real("lighteval/results/alpha*/*.json")
    for i in range(count):
        date = f"2026-11-20T08-52-06.{i:06d}"
        yield f"details/m/{date}/details_local_gsm_0_{date}.parquet", details
        yield f"results/m/results_{date}.json", results


def bigcode(count):
    for i in range(count):
        for path in sorted((DATA / "bigcode").glob("*[!h].json")):
            yield f"{i}/{path.name}", path.read_bytes()


def logs_of_bigcode(count):
    yield "evaluation_results.json", _real("bigcode/evaluation_results.json")
    for i in range(count):
        yield f"logs{i}.json", _real("bigcode/logs.json")
        yield f"generations_{i}.json", _real("bigcode/generations*")


def swebench(count):
    report = _real("swebench/beta-agent.run1.json")
    return ((f"beta{i}.run1.json", report) for i in range(count))


def logs_of_swebench(count):
    log = _real("swebench/logs*/**/report.json")
    (issue,) = json.loads(log)
    for i in range(count):
        folder = f"logs/run_evaluation/r/m{i}/{issue}"
        yield f"{folder}/report.json", log
        yield f"{folder}/patch.diff", b"+"


def human_eval(count):
    for i in range(count):
        for path in sorted((DATA / "human_eval").glob("beta*")):
            yield f"{i}/{path.name}", path.read_bytes()


def frames_of_inspect(count):
    for i in range(count):
        for path in sorted((DATA / "inspect" / "dataframes").glob("*s.parquet")):
            yield f"{i}/{path.name}", path.read_bytes()


def torn(count):
    line = json.dumps({"data_abbr": "d", "id": 0, "prediction": "1", "gold": "1"}).encode()
    return "r.zip", _zip(
        (f"{RUN}/predictions/m{i}/d.jsonl", line + b"\n" + line[:-9]) for i in range(count)
    )


def models_in_a_table(count):
    rows = "".join(f"{i},q,1\n" for i in range(count))
    return "t.csv", f"model,question_id,correct\n{rows}".encode()


def pairs_in_a_table(count):
    side = _root(count)
    rows = "".join(f"{i},{j},q,1\n" for i in range(side) for j in range(side))
    return "t.csv", f"model,dataset,question_id,correct\n{rows}".encode()


def models_in_lines(count):
    rows = (json.dumps({"model": str(i), "question_id": 1, "correct": 1}) for i in range(count))
    return "t.jsonl", "\n".join(rows).encode()


def columns_of_a_table(count):
    names = ",".join(f"c{i}" for i in range(count))
    return "t.csv", f"question_id,correct,{names}\nq,1{',1' * count}\nr,0{',1' * count}\n".encode()


def _zipped(files):
    """Return what packs the files that a function gives."""

    @wraps(files)
    def write(count):
        return "r.zip", _zip(files(count))

    return write


BOMBS = {
    write.__name__: Bomb(many, of, write)
    for many, of, write in (
        (4_000_000, "keys of a results file", keys),
        (300_000, "metrics of a results file", metrics),
        (4_000_000, "keys of one detail", keys_of_an_entry),
        (400_000, "details", details),
        (400_000, "details of a lone file", details_alone),
        (60_000, "models", models),
        (10_000, "models, all configured", models_configured),
        (1_000_000, "pairs configured, one there", models_listed),
        (60_000, "datasets", datasets),
        (60_000, "folders of runs", folders),
        (3_000, "results files", results),
        (
            3_000,
            "results files with predictions, configured and summed up",
            results_with_predictions,
        ),
        (10_000, "predictions and what judges said of them", judged),
        (3_000, "results files of no run", results_of_no_run),
        (3_000, "predictions of no run", predictions_of_no_run),
        (30_000, "shards of predictions", shards),
        (1_000_000, "folders within each other", deep_folders),
        (10_000, "predictions that end in the middle of a line", torn),
        (60_000, "configurations", configs),
        (10_000, "tables", tables),
        (60_000, "files of nothing known", unknown_files),
        *(
            (many, f"runs of {files.__name__}", _zipped(files))
            for many, files in (
                (1000, lm_eval),
                (1000, evalscope),
                (600, tau2),
                (1000, lighteval),
                (500, bigcode),
                (1000, logs_of_bigcode),
                (2000, swebench),
                (1000, logs_of_swebench),
                (1000, human_eval),
                (200, frames_of_inspect),
            )
        ),
        (1_000_000, "models in a table", models_in_a_table),
        (1_000_000, "models and datasets in a table", pairs_in_a_table),
        (300_000, "models in lines of JSON", models_in_lines),
        (100_000, "columns of a table", columns_of_a_table),
    )
}


def cost(path: Path) -> Cost:
    """Return what reading a file takes, in a process that has imported all it needs."""
    context = get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=_read, args=(path, theirs))
    process.start()
    theirs.close()
    seconds, mebibytes, said = ours.recv()
    process.join()
    return Cost(path.stat().st_size, seconds, mebibytes, said)


def _read(path: Path, to) -> None:
    before, start = _resident(), time.process_time()
    try:
        report = load(path)
        said = f"{len(report.runs):,} runs, {len(report.notes):,} notes"
    except LoadError as error:
        said = str(error)
    except BaseException:
        said = traceback.format_exc()
    used = resource.getrusage(resource.RUSAGE_SELF)
    to.send((time.process_time() - start, used.ru_maxrss / 1024 - before, said))


def _resident() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> None:
    """Print what reading each takes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(BOMBS))
    parser.add_argument("--share", type=float, default=1.0)
    given = parser.parse_args()
    load(("warm.csv", b"question_id,correct\nq,1\n"))
    with TemporaryDirectory() as folder:
        for name in given.names:
            bomb = BOMBS[name]
            count = max(1, int(bomb.many * given.share))
            file, data = bomb.write(count)
            path = Path(folder, file)
            path.write_bytes(data)
            del data
            found = cost(path)
            print(
                f"| {name} | {count:,} {bomb.of} | {found.size / 1e6:.1f} MB | "
                f"{found.seconds:.2f} s | {found.mebibytes:.0f} MiB | {found.said[-150:]} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
