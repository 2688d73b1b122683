"""Real reports of AISBench put right: the same outcomes, no difference, nothing lost.

``mended/mgsm_n4.zip`` holds what the tool itself writes of that report once its one line is mended
(docs/aisbench_fault.md says how).
"""

import io
import json
import tracemalloc
import zipfile

import numpy as np
import pytest

from metrics import estimate
from reports import LoadError, load
from reports.repairing import can_repair, examine, write_folder, write_zip
from reports.repairing.details import put_back
from reports.run.reconcile import reconcile, reconcile_suite
from tests.reports.evaluations.aisbench_archives import DATA, REPORTS, archive, assert_true, loaded
from tests.reports.mutations import unzipped, zipped
from tests.wide import wide_but

KINDS = (
    "gsm8k_n5_two_models",
    "multi_subset_n4",
    "gsm8k_demo_n5_nodump",
    *(f"evaluators/{name}" for name in ("bfcl_n4", "ceval_n4_zh_model", "lcb_n4", "judge_n4")),
    *(f"evaluators/{name}" for name in ("mgsm_n4", "refcoco_n4_failed", "mixed_n4_nodump")),
)
"""Reports whose details are mixed, are texts only, are of wrong samples only, or are not there."""
EVERY = [*REPORTS, *(f"evaluators/{path.stem}" for path in (DATA / "evaluators").glob("*.zip"))]


@pytest.fixture(scope="module")
def repaired(tmp_path_factory):
    """Repair each report once."""
    folder, made = tmp_path_factory.mktemp("repaired"), {}

    def repair(name):
        if name not in made:
            made[name] = folder / f"{len(made)}.zip"
            write_zip(examine(archive(name)), made[name], lambda written: f"{written}")
        return made[name]

    return repair


def numbers(report):
    """Every number that a report states."""
    lines = [(run.model, run.dataset, reconcile(run)) for run in report.runs]
    suites = [(suite.model, suite.name, reconcile_suite(suite)) for suite in report.suites]
    return {
        (model, dataset, line.metric): line
        for model, dataset, found in [*lines, *suites]
        for line in found
    }


def assert_repaired(name, path):
    before, after = loaded(archive(name)), loaded(path)
    assert [run.outcomes and run.outcomes.digest for run in after.runs] == [
        run.outcomes and run.outcomes.digest for run in before.runs
    ]
    assert [run.verified for run in after.runs] == [run.verified for run in before.runs]
    stated, right = numbers(before), numbers(after)
    assert right.keys() == stated.keys()
    assert not any(line.differs for line in right.values())
    for key, line in right.items():
        if line.recomputed is not None:
            assert line.reported == pytest.approx(stated[key].recomputed, abs=0.5e-4)


@pytest.mark.parametrize("name", wide_but(KINDS[:3], KINDS))
def test_a_repaired_report_gives_the_same_outcomes_and_no_difference(repaired, name):
    assert_repaired(name, repaired(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY)
def test_every_real_report_can_be_repaired_or_needs_no_repair(name, tmp_path):
    repair = examine(archive(name))
    if repair:
        write_zip(repair, tmp_path / "repaired.zip", lambda written: "")
        assert_repaired(name, tmp_path / "repaired.zip")
    else:
        assert not any(line.differs for line in numbers(loaded(archive(name))).values())


@pytest.mark.parametrize("name", ["gsm8k_n5_two_models", "multi_subset_n4", "gsm8k_demo_n5_nodump"])
def test_the_samples_of_a_repaired_report_are_as_the_truth_says_and_need_no_repair(repaired, name):
    assert_true(loaded(repaired(name)), name)
    assert not examine(repaired(name))


@pytest.mark.parametrize("name", KINDS)
def test_nothing_of_the_original_is_lost(repaired, name):
    data = archive(name).read_bytes()
    before, after = unzipped(archive(name)), unzipped(repaired(name))
    assert after.pop("original.zip") == data
    assert b"as_they_were=()" in after.pop("NOTE.txt")
    assert after.keys() == before.keys()
    assert all(each.date_time[0] == 1980 for each in zipfile.ZipFile(repaired(name)).infolist())
    another = {path for path in before if after[path] != before[path]}
    assert {path.split("/")[1] for path in another} <= {"results", "summary"}


def test_the_numbers_and_details_are_those_of_the_mended_tool(repaired):
    ours = unzipped(repaired("evaluators/mgsm_n4"))
    theirs = unzipped(DATA / "mended" / "mgsm_n4.zip")
    for path in (path for path in theirs if "/results/" in path):
        right, wanted = json.loads(ours[path]), json.loads(theirs[path])
        intervals = right.pop("intervals")
        assert list(right) == list(wanted)
        assert right.pop("details") == wanted.pop("details")
        assert right == pytest.approx(wanted, abs=1e-12)
        assert intervals.keys() == {"confidence_level", *wanted}


@pytest.mark.parametrize("end", ["csv", "md", "txt"])
def test_the_summary_is_that_of_the_mended_tool_line_by_line(repaired, end):
    (ours,), (theirs,) = (
        [data for name, data in unzipped(path).items() if "summary/" in name and name.endswith(end)]
        for path in (repaired("evaluators/mgsm_n4"), DATA / "mended" / "mgsm_n4.zip")
    )
    ours, theirs = ours.decode().split("\n"), theirs.decode().split("\n")
    assert len(ours) == len(theirs)
    for line, wanted in list(zip(ours, theirs, strict=True))[
        end == "txt" :
    ]:  # a stamp is the first
        assert line.startswith(wanted.removesuffix(" |").removesuffix("|").rstrip()), line


@pytest.mark.wide
@pytest.mark.parametrize("name", [name for name in KINDS if "judge" not in name])
def test_a_summary_differs_in_wrong_cells_and_further_columns_only(repaired, name):
    before, after = unzipped(archive(name)), unzipped(repaired(name))
    right = {key[1:]: line for key, line in numbers(loaded(repaired(name))).items()}
    for path in (path for path in before if path.endswith(".csv")):
        pairs = zip(*(files[path].decode().splitlines() for files in (before, after)), strict=True)
        (head, new), *rows = ([line.split(",") for line in pair] for pair in pairs)
        models = head[4:]
        assert new == [*head, *(f"{model} {end}" for model in models for end in ("low", "high"))]
        for row, repaired_row in rows:
            assert repaired_row[:4] == row[:4]
            assert len(repaired_row) == len(new)
            if len(models) == 1 and (line := right.get((row[0], row[2]))) and line.interval:
                scale = 1 if row[2].startswith("accuracy") and "BFCL" in row[0] else 100
                shown = [line.recomputed, *line.interval]
                assert repaired_row[4:] == [f"{number * scale:.2f}" for number in shown]


def test_each_entry_of_the_details_is_of_one_question(repaired):
    for path, data in unzipped(repaired("gsm8k_n5_two_models")).items():
        if "/results/" in path:
            for entry in json.loads(data)["details"]:
                assert len(set(entry["answer"])) == 1
                right = sum(entry["correct"])
                assert entry["avg@5"] == right / 5
                assert entry["pass@5"] == float(right > 0)
                assert entry["cons@5"] == float(right > 2.5)


def test_what_is_not_there_for_every_sample_is_in_the_original_only(repaired):
    files = unzipped(repaired("evaluators/refcoco_n4_failed"))
    entries = [
        entry
        for path, data in files.items()
        if "/results/" in path
        for entry in json.loads(data)["details"]
    ]
    assert not any("invalid" in entry for entry in entries)
    assert all(len(entry["iou"]) == 4 for entry in entries)
    assert b"('invalid', 'error')" in files["NOTE.txt"]


@pytest.mark.wide
def test_the_same_report_gives_the_same_bytes_and_a_folder_the_same_files(repaired, tmp_path):
    name = "gsm8k_n5_two_models"
    write_zip(examine(archive(name)), tmp_path / "again.zip", lambda written: f"{written}")
    assert (tmp_path / "again.zip").read_bytes() == repaired(name).read_bytes()
    write_folder(examine(archive(name)), tmp_path / "folder", lambda written: f"{written}")
    files = {
        path.relative_to(tmp_path / "folder").as_posix(): path.read_bytes()
        for path in (tmp_path / "folder").rglob("*")
        if path.is_file()
    }
    assert files == unzipped(repaired(name))


def test_a_folder_holds_its_original_as_a_zip(tmp_path):
    zipfile.ZipFile(archive("gsm8k_n3_num_prompts")).extractall(tmp_path / "report")
    write_zip(examine(tmp_path / "report"), tmp_path / "repaired.zip", lambda written: "")
    original = unzipped(tmp_path / "repaired.zip")["original.zip"]
    assert unzipped(io.BytesIO(original)) == unzipped(archive("gsm8k_n3_num_prompts"))


def small(**stated):
    """Two questions, two samples each: the first right twice, the second wrong twice."""
    flat = [("1", True), ("2", False)] * 2
    entries = [
        {
            "example_abbr": f"quiz_test_{question}",
            "avg@2": 0.5,
            "pass@2": 1.0,
            "cons@2": 0.0,
            "pred": ["1", "1"],
            "answer": [reference for reference, _ in flat[2 * question :][:2]],
            "correct": [right for _, right in flat[2 * question :][:2]],
        }
        for question in range(2)
    ]
    content = {"accuracy (2 runs average)": 50.0, "avg@2": 50.0, "pass@2": 100.0, "cons@2": 0.0}
    content |= stated | {"details": entries}
    return "report.zip", zipped({"run/results/alpha/quiz.json": json.dumps(content)})


def test_the_smallest_example(tmp_path):
    repair = examine(small())
    assert {each.line.metric: each.line.recomputed for each in repair.changes} == {
        "pass@2": 0.5,
        "cons@2": 0.5,
    }
    write_zip(repair, tmp_path / "repaired.zip", lambda written: "")
    content = json.loads(unzipped(tmp_path / "repaired.zip")["run/results/alpha/quiz.json"])
    assert (content["pass@2"], content["cons@2"]) == (50.0, 50.0)
    assert [entry["answer"] for entry in content["details"]] == [["1", "1"], ["2", "2"]]
    assert [entry["pass@2"] for entry in content["details"]] == [1.0, 0.0]
    half = estimate(np.array([[1, 1], [0, 0]]), "pass@k", 2).interval
    assert tuple(content["intervals"]["pass@2"].values()) == pytest.approx([100 * e for e in half])


def test_what_nobody_can_explain_stays(tmp_path):
    repair = examine(small(**{"pass@2": 12.5}))
    assert [each.line.metric for each in repair.changes] == ["cons@2"]
    assert [each.line.metric for each in repair.left] == ["pass@2"]
    write_zip(repair, tmp_path / "repaired.zip", lambda written: "")
    content = json.loads(unzipped(tmp_path / "repaired.zip")["run/results/alpha/quiz.json"])
    assert (content["pass@2"], content["cons@2"]) == (12.5, 50.0)


@pytest.mark.parametrize("text", ["<html>", "dataset,version,metric\n", "20261120\nby hand\n"])
def test_a_summary_of_another_layout_stays_as_it_is(tmp_path, text):
    files = unzipped(archive("gsm8k_n3_num_prompts"))
    ends = (".csv", ".txt") if text.startswith("dataset") else (".txt", ".md")
    files |= {path: text.encode() for path in files if path.endswith(ends)}
    seen = []
    repair = examine(("report.zip", zipped(files)))
    write_zip(repair, tmp_path / "repaired.zip", lambda written: seen.append(written) or "")
    after = unzipped(tmp_path / "repaired.zip")
    odd = {path for path in files if path.endswith(ends)}
    assert odd <= set(seen[0].as_they_were)
    assert all(after[path] == files[path] for path in odd)


def test_a_summary_of_windows_is_put_right_and_keeps_its_ends_of_lines(repaired, tmp_path):
    files = unzipped(archive("gsm8k_n5_two_models"))
    summary = [path for path in files if "/summary/" in path]
    files |= {path: files[path].replace(b"\n", b"\r\n") for path in summary}
    write_zip(examine(("report.zip", zipped(files))), tmp_path / "repaired.zip", lambda written: "")
    after, usual = unzipped(tmp_path / "repaired.zip"), unzipped(repaired("gsm8k_n5_two_models"))
    assert len(summary) == 3
    assert all(after[path] == usual[path].replace(b"\n", b"\r\n") for path in summary)


def test_a_failed_request_that_was_judged_right_counts_as_wrong(tmp_path):
    content = {"accuracy (2 runs average)": 100.0, "avg@2": 100.0}
    content |= {"details": [{"pred": ["", ""], "correct": [True, True]}]}
    files = {
        "results/alpha/quiz.json": json.dumps(content),
        "predictions/alpha/quiz.jsonl": '{"data_abbr": "quiz", "id": 0}',
    }
    write_zip(examine(("report.zip", zipped(files))), tmp_path / "repaired.zip", lambda written: "")
    (run,) = load(tmp_path / "repaired.zip").runs
    assert dict(run.reported) == {"accuracy (2 runs average)": 0.5, "avg@2": 0.5}
    assert run.verified is True


def test_a_cell_that_was_changed_by_hand_stays(tmp_path):
    files = unzipped(archive("gsm8k_n3_num_prompts"))
    (path,) = (path for path in files if path.endswith(".csv"))
    files[path] = files[path].replace(b",83.33", b",80.00")
    write_zip(examine(("report.zip", zipped(files))), tmp_path / "repaired.zip", lambda written: "")
    lines = unzipped(tmp_path / "repaired.zip")[path].decode().splitlines()
    assert lines[3].endswith("pass@3,gen,80.00,-,-")


def test_a_report_that_was_repaired_and_evaluated_again_is_repaired_again(repaired, tmp_path):
    name = "gsm8k_n5_two_models"
    files = unzipped(repaired(name)) | unzipped(archive(name))
    write_zip(examine(("report.zip", zipped(files))), tmp_path / "again.zip", lambda written: "")
    after = unzipped(tmp_path / "again.zip")
    assert unzipped(io.BytesIO(after["original.zip"])) == files
    once = unzipped(repaired(name))
    assert all(after[path] == once[path] for path in once if "/" in path)


def unchanged(content, *_):
    return dict(content)


@pytest.mark.parametrize("fault", ["other outcomes", "still wrong"])
def test_nothing_appears_unless_it_reads_as_it_should(monkeypatch, tmp_path, fault):
    def turned(*arguments):
        yield from ({**each, "correct": each["correct"][::-1]} for each in put_back(*arguments))

    name, broken = ("put_back", turned) if fault == "other outcomes" else ("_put_right", unchanged)
    monkeypatch.setattr(f"reports.repairing.results.{name}", broken)
    for write in (write_zip, write_folder):
        with pytest.raises(LoadError, match="would be read differently after the repair"):
            write(examine(archive("gsm8k_n3_num_prompts")), tmp_path / "r.zip", lambda written: "")
    assert not [*tmp_path.iterdir()]


def test_a_report_with_right_numbers_has_nothing_to_repair():
    assert not examine(archive("gsm8k_n1"))
    assert not can_repair(loaded(archive("gsm8k_n1")))
    assert can_repair(loaded(archive("gsm8k_n3_num_prompts")))


@pytest.mark.parametrize("name", ["opencompass/n4.zip", "lighteval/details", "evalplus"])
def test_a_report_of_another_tool_is_refused(name):
    with pytest.raises(
        LoadError, match="is not a report of AISBench, the only kind that kofn repairs"
    ):
        examine(DATA.parent / name)


def test_a_report_of_the_mended_tool_is_right_with_and_without_details():
    """The numbers are proof that the samples are grouped as they should be."""
    files = unzipped(archive("evaluators/mgsm_n4"))
    mended = {
        path: data
        for path, data in unzipped(DATA / "mended" / "mgsm_n4.zip").items()
        if "/results/" in path
    }
    bare = {}
    for path, data in mended.items():
        content = json.loads(data)
        del content["details"]
        bare[path] = json.dumps(content)
    before = loaded(archive("evaluators/mgsm_n4"))
    for results in (mended, bare):
        report = load(("report.zip", zipped(files | results)))
        assert [run.verified for run in report.runs] == [True] * 3
        assert not any(line.differs for run in report.runs for line in reconcile(run))
        assert [run.outcomes.correct.tolist() for run in report.runs] == [
            run.outcomes.correct.tolist() for run in before.runs
        ]


@pytest.mark.slow
def test_details_of_any_length_take_little_memory(tmp_path):
    questions, n = 20_000, 4
    flat = [(str(q), q % 2 == 0 and r < 3) for r in range(n) for q in range(questions)]
    entries = []
    for i in range(questions):
        mine = flat[i * n : (i + 1) * n]
        entries.append(
            {
                "example_abbr": f"quiz_test_{i}",
                "pred": ["x" * 500 for _ in mine],
                "answer": [reference for reference, _ in mine],
                "correct": [right for _, right in mine],
            }
        )
    stored = np.array([entry["correct"] for entry in entries]).sum(axis=1)
    mean = 100 * stored.sum() / (questions * n)
    content = {
        "accuracy (4 runs average)": mean,
        "avg@4": mean,
        "pass@4": 100 * (stored > 0).mean(),
        "cons@4": 100 * (stored > 2).mean(),
        "details": entries,
    }
    place = tmp_path / "results" / "alpha" / "quiz.json"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(content, indent=4))
    size = place.stat().st_size
    del content, entries, flat
    repair = examine(tmp_path)
    assert len(repair.changes) == 2
    tracemalloc.start()
    write_zip(repair, tmp_path / "repaired.zip", lambda written: "")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size > 40e6
    assert peak < size / 3


@pytest.mark.parametrize("name", ["gsm8k_n5_two_models", "evaluators/mgsm_n4"])
def test_the_table_of_the_fault_is_what_kofn_finds(name):
    text = (DATA.parents[2] / "docs" / "aisbench_fault.md").read_text()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    rows = [row for row in rows if row and row[0] == name]
    lines = numbers(loaded(archive(name)))
    several = {key for key in lines if key[2].startswith(("pass@", "cons@"))}
    assert {(*row[1].split(", "), row[2]) for row in rows} == several
    for _, run, metric, stated, published, mended, ours in rows:
        line = lines[(*run.split(", "), metric)]
        assert stated == published == f"{100 * line.reported:.2f}"
        assert mended == ours == f"{100 * line.recomputed:.2f}"


@pytest.mark.wide
@pytest.mark.parametrize("kind", ["std", "harmonic_mean"])
def test_what_is_stated_of_a_group_and_is_no_mean_stays(kind):
    files = unzipped(archive("multi_subset_n4"))
    (path,) = (path for path in files if "/configs/" in path)
    files[path] = files[path].replace(b"name='bbh'", f"name='bbh', {kind}=True".encode())
    repair = examine(("report.zip", zipped(files)))
    assert repair
    assert "bbh" not in {each.dataset for each in repair.found}
