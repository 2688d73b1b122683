"""``kofn repair``: the answer first, a repaired report, or one line that says why not."""

import json
import zipfile

import pytest

from kofn.command import main
from tests.reports.evaluations.aisbench_archives import DATA, archive
from tests.reports.mutations import unzipped, zipped

NAME = "gsm8k_n5_two_models"


def refused(arguments, capsys):
    assert main(["repair", *map(str, arguments)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    return line


@pytest.mark.wide
def test_the_answer_comes_first_and_the_note_says_what_was_changed(tmp_path, capsys):
    output = tmp_path / "repaired.zip"
    assert main(["repair", str(archive(NAME)), "-o", str(output)]) == 0
    first, _, *rest = capsys.readouterr().out.splitlines()
    assert first == (
        "4 of 8 reported numbers are wrong: pass@5 of alpha-7b-chat is 72.5%, not 97.5%. The "
        "repaired report has them right. The details of 2 results mix the samples of different "
        "questions; kofn sorts them again."
    )
    assert sum("AISBench mixes the samples" in line for line in rest) == 1
    assert "      pass@5 (beta-14b-chat, gsm8k): 90.0% (77.6 to 97.4), not 100.0%" in rest
    note = unzipped(output)["NOTE.txt"].decode()
    assert set(rest) | {first} <= set(note.splitlines())
    assert "Nothing that kofn cannot explain was changed." in note
    with zipfile.ZipFile(output).open("original.zip") as original:
        assert original.read() == archive(NAME).read_bytes()
    assert main(["inventory", str(output), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["answer"] == (
        "2 runs came in: 2 models on gsm8k. The 8 reported numbers are what the samples give."
    )


def test_a_summary_that_stays_as_it_was_is_named(tmp_path, capsys):
    files = unzipped(archive(NAME))
    (path,) = (path for path in files if path.endswith(".md"))
    source, output = tmp_path / "report.zip", tmp_path / "repaired.zip"
    source.write_bytes(zipped(files | {path: b"by hand"}))
    assert main(["repair", str(source), "-o", str(output)]) == 0
    said = f"  {path} does not have AISBench's layout, so it is unchanged."
    assert capsys.readouterr().out.splitlines()[-1] == said


def test_nothing_is_replaced_and_never_what_is_read(tmp_path, capsys):
    report = tmp_path / "report.zip"
    report.write_bytes(archive("gsm8k_n3_num_prompts").read_bytes())
    assert "is an input, or lies in one" in refused([report, "-o", report, "--force"], capsys)
    there = tmp_path / "there.zip"
    there.write_text("mine")
    assert "already exists. Give another name, or --force" in refused([report, "-o", there], capsys)
    assert there.read_text() == "mine"
    assert "already holds files" in refused([report, "-o", tmp_path, "--force"], capsys)
    assert main(["repair", str(report), "-o", str(there), "--force"]) == 0
    assert main(["repair", str(report), "-o", str(tmp_path / "folder")]) == 0
    assert (tmp_path / "folder" / "NOTE.txt").is_file()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "report.zip", "there.zip"]


def test_a_report_with_nothing_to_repair_says_so_and_writes_nothing(tmp_path, capsys):
    line = refused([archive("gsm8k_n1"), "-o", tmp_path / "repaired.zip"], capsys)
    assert line.endswith(
        "There is nothing to repair. The 2 reported numbers are what the samples give."
    )
    assert not [*tmp_path.iterdir()]


def cut(name, model):
    """A report of which the results of a model end in the middle."""
    files = unzipped(archive(name))
    paths = [path for path in files if f"/results/{model}" in path]
    return zipped(files | {path: files[path][: len(files[path]) // 2] for path in paths})


def test_a_results_file_that_is_cut_is_said_to_be(tmp_path, capsys):
    source, output = tmp_path / "report.zip", tmp_path / "repaired.zip"
    source.write_bytes(cut("gsm8k_n1", ""))
    line = refused([source, "-o", output], capsys)
    assert "2 results files cannot be read and stay as they are; of the first, " in line
    assert "results/alpha-7b-chat/gsm8k.json, line" in line
    assert "the JSON ends in the middle" in line
    assert "nothing to repair" not in line
    source.write_bytes(cut(NAME, "alpha"))
    assert main(["repair", str(source), "-o", str(output)]) == 0
    first, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("2 of 4 reported numbers are wrong")
    assert "A results file cannot be read and is left unchanged: " in first
    cut_one = "/results/alpha-7b-chat/gsm8k.json"
    before, after = unzipped(source), unzipped(output)
    assert all(after[path] == data for path, data in before.items() if path.endswith(cut_one))


@pytest.mark.parametrize("name", ["opencompass/n4.zip", "lm_eval/rep"])
def test_a_report_of_another_tool_is_refused_in_a_sentence(tmp_path, name, capsys):
    line = refused([DATA.parent / name, "-o", tmp_path / "repaired.zip"], capsys)
    assert "is not a report of AISBench, the only kind that kofn repairs" in line
    assert not [*tmp_path.iterdir()]
