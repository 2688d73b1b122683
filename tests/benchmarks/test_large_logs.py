"""Outcomes of a large log of Inspect, against inflating its bytes.

KOFN_BENCHMARK_MB sets the size of what is inflated; the promise is made for 500.
"""

import zipfile
from statistics import median

import pytest

from reports.files.archive import open_tree
from tests.benchmarks.test_large_reports import MEGABYTES, ROUNDS, measured
from tests.reports.files.packed.zstd_zips import write_zstd
from tests.reports.harnesses.truths import DATA

RATIO = 2.5
MIB = 300.0
LOG = next((DATA / "inspect" / "logs").glob("*arith_S5*.eval"))
OUTCOMES = "assert load(sys.argv[1], columns={'correct': 'match'}).runs[0].outcomes.shape[1] == 3"
INFLATE = """
from reports.files.archive import open_tree
tree = open_tree(sys.argv[1])
for path in tree.files:
    with tree.open(path) as stream:
        while stream.read(1 << 20):
            pass
"""


def members():
    """Give the members of a real log, its samples again and again as those of other questions."""
    tree = open_tree(LOG)
    data = {path: tree.read(path) for path in tree.files}
    yield "_journal/start.json", data["_journal/start.json"]
    samples = {path: one for path, one in data.items() if path.startswith("samples/")}
    written = again = 0
    while written < MEGABYTES * 1e6:
        for path, one in samples.items():
            question = path[len("samples/") :].partition("_epoch_")[0]
            new = f"{question}-{again}"
            one = one.replace(f'"id": "{question}"'.encode(), f'"id": "{new}"'.encode())
            one = one.replace(f'"id":"{question}"'.encode(), f'"id":"{new}"'.encode())
            yield path.replace(question, new, 1), one
            written += len(one)
        again += 1


@pytest.mark.parametrize("packed", ["zstandard", "deflate"])
def test_outcomes_of_a_log(packed, tmp_path, benchmark, record):
    path = tmp_path / "log.eval"
    if packed == "zstandard":
        write_zstd(path, members())
    else:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in members():
                archive.writestr(name, data)
    found = []
    benchmark.pedantic(
        lambda: found.append((measured(OUTCOMES, path), measured(INFLATE, path))), rounds=ROUNDS
    )
    ours, theirs = (median(pair[i][0] for pair in found) for i in (0, 1))
    memory = max(mine for (_, mine), _ in found)
    times = median(mine / other for (mine, _), (other, _) in found)
    record(
        f"outcomes of a log of {MEGABYTES} MB, {packed}, {memory:.0f} MiB",
        f"{ours:.3g} s",
        "inflating it",
        f"{theirs:.3g} s",
        times,
        f"at most {RATIO:g}, {MIB:g} MiB",
        times <= RATIO and memory <= MIB,
    )
