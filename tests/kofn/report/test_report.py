"""The report says what the subcommands say, in one file that loads nothing and runs no name."""

import base64
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest

from kofn.choices.view import View
from kofn.command import main
from kofn.report.bound import bind
from kofn.report.chapters import PARTS
from kofn.report.page import figure_json
from kofn.writing import pictures
from metrics import Outcomes, Text
from reports import Report, Run
from tests.reports.tables.outcome_tables import write_table

CAPTURED = pytest.CaptureFixture[str]
SAMPLE = "sample_data/aisbench_report.zip"
HOSTILE = "<script>alert(1)</script>\"&=cmd|'`*"


class Page(HTMLParser):
    """The answers, the cells and the figures of a report."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.answers: list[str] = []
        self.cells: list[str] = []
        self.figures: list[str] = []
        self.tags: list[str] = []
        self._into: list[str] | None = None
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.tags.append(tag)
        into = {"td": self.cells, "p": self.answers, "script": self.figures}.get(tag)
        wanted = tag == "td" or named.get("class") == "answer" or "data-figure" in named
        self._into = into if wanted else None
        if self._into is not None:
            self._into.append("")

    def handle_data(self, data: str) -> None:
        if self._into is not None:
            self._into[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self._into = None


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    assert main(["report", SAMPLE, "-o", str(path)]) == 0
    return path


def write(path: Path, rows: list[tuple[str, int, int]]) -> str:
    lines = [f'"{model}",q{question},{right}' for model, question, right in rows]
    path.write_text("\n".join(["model,question,correct", *lines]))
    return str(path)


@pytest.mark.wide
def test_each_table_is_named_by_what_it_holds(sample: Path):
    chapters = re.findall(r"<section.*?</section>", sample.read_text(), re.DOTALL)
    names = [re.findall("<summary>(.*?)</summary>", each) for each in chapters[: len(PARTS)]]
    assert names[0][0] == "by, who wins (4 rows)"
    assert "gsm8k: run, avg@n, difference from baseline, p, … (3 rows)" in names[3]
    assert all(len({*each}) == len(each) > 0 for each in names)


@pytest.mark.usefixtures("asked_once")
def test_a_report_says_and_lists_what_the_subcommands_do(tmp_path: Path, capsys: CAPTURED) -> None:
    tables = [
        str(write_table(tmp_path / f"{model}.parquet", model, seed=seed))
        for seed, model in enumerate(("7B", "70B"))
    ]
    path = tmp_path / "report.html"
    main(["report", *tables, "-o", str(path)])
    page = Page(path)
    assert len(page.answers) == len(PARTS)
    cells = set(page.cells)
    for answer, key in zip(page.answers, PARTS, strict=True):
        capsys.readouterr()
        main([key, *tables, "--format", "json"])
        assert answer == json.loads(capsys.readouterr().out)["answer"], key
        main([key, *tables, "--format", "md"])
        estimates = re.findall(
            r"(?<=\| )[\d.]+% \([\d.]+ to [\d.]+\)(?= \|)", capsys.readouterr().out
        )
        assert set(estimates) <= cells, key


@pytest.mark.wide
def test_a_report_is_small_and_loads_nothing(sample: Path) -> None:
    text = sample.read_text()
    assert len(text) < 6_000_000
    assert "default-src 'none'" in text
    page = Page(sample)
    assert page.tags.count("html") == 1
    assert not {"img", "link", "iframe", "object", "form"} & set(page.tags)
    assert len(page.figures) == len(PARTS) - 1  # What came in is told by its table.
    assert all(json.loads(each)["data"] for each in page.figures)


@pytest.mark.wide
def test_a_report_tells_what_it_was_made_of(sample: Path) -> None:
    from reports import load

    text = sample.read_text()
    assert load(SAMPLE).digest in text
    assert "AISBench mixed up the samples of different questions" in text
    assert "/overview" in text


def test_chapters_are_chosen_and_settings_count(tmp_path: Path, capsys: CAPTURED) -> None:
    table = str(write_table(tmp_path / "table.parquet"))
    given = ["report", table, "--only", "consistency,overview", "--level", "0.9"]
    assert main(given) == 0
    text = capsys.readouterr().out
    heads = [line for line in text.splitlines() if line.startswith("## ")]
    assert heads == [
        "## Which model should I use?",
        "## Does a vote beat one answer?",
        "## Notes of the readers",
        "## How this was made",
    ]
    assert "90% intervals" in text
    with pytest.raises(SystemExit, match="2"):
        main(["report", table, "--only", "consistancy"])
    assert 'There is no chapter "consistancy".' in capsys.readouterr().err


def test_it_leads_to_the_same_runs_on_a_dashboard() -> None:
    named = View(runs=("a / maths", "b / maths"))
    runs = (Run(model, "maths", Outcomes([[0, 1]])) for model in "abc")
    bound = bind([Report("tables", Text("t.csv"), (*runs,))], named, [], [], "kofn report t.csv")
    assert bound.address == "/overview?run=a+%2F+maths&run=b+%2F+maths"


def test_a_terminal_shows_the_answers_alone_unless_all_is_asked_for(
    tmp_path: Path, capsys: CAPTURED, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = str(write_table(tmp_path / "table.parquet"))
    given = ["report", table, "--only", "consistency,overview"]
    assert main(given) == 0
    whole = capsys.readouterr().out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main([*given, "--all"]) == 0
    everything = capsys.readouterr().out.splitlines()
    assert everything[0] == whole.splitlines()[0]
    assert "## How this was made" in everything
    assert main(given) == 0
    short = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    titles = [line for line in short.splitlines() if line.endswith("?")]
    assert titles == ["Which model should I use?", "Does a vote beat one answer?"]
    assert "|" not in short
    assert "-o report.html for the whole report" in short
    written = tmp_path / "report.md"
    assert main([*given, "-o", str(written)]) == 0
    assert f"Written to {written}." in capsys.readouterr().err
    answer = whole.split("\n\n")[2].replace("\\", "")
    assert answer in " ".join(short.split())


def test_names_are_text_and_nothing_else(tmp_path: Path) -> None:
    name = HOSTILE.replace('"', '""')
    table = write(tmp_path / "t.csv", [(name, q, q % 2) for q in range(30) for _ in range(2)])
    path = tmp_path / "report.html"
    main(["report", table, "-o", str(path), "--with-texts"])
    text = path.read_text()
    assert "<script>alert" not in text
    page = Page(path)
    assert any("<script>alert(1)</script>" in cell for cell in page.cells)
    assert page.tags.count("script") == len(page.figures) + 2


def test_what_cannot_be_said_is_said_in_a_sentence(tmp_path: Path) -> None:
    table = write(tmp_path / "one.csv", [("7B", 0, 1)])
    path = tmp_path / "report.html"
    assert main(["report", table, "-o", str(path)]) == 0
    answers = Page(path).answers
    assert len(answers) == len(PARTS)
    assert all(answers)


def test_pictures_lie_beside_markdown_or_a_line_says_why_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, drawn = tmp_path / "my report.md", b"<svg/>"
    table = str(write_table(tmp_path / "table.parquet"))
    asked = ["report", table, "--only", "overview", "-o", str(path), "--force"]
    monkeypatch.setattr("kofn.report.markdown.why_no_pictures", lambda: None)
    monkeypatch.setattr("kofn.report.markdown.picture", lambda *_, wide: wide and drawn)
    assert main(asked) == 0
    assert "](my%20report-pictures/overview.svg)" in path.read_text()
    assert (tmp_path / "my report-pictures" / "overview.svg").read_bytes() == drawn
    monkeypatch.setattr("kofn.report.markdown.why_no_pictures", lambda: pictures.NO_KALEIDO)
    assert main(asked) == 0
    assert "The report has no pictures. A picture needs Kaleido" in path.read_text()


@pytest.mark.wide
def test_texts_leave_only_where_they_are_asked_for(tmp_path: Path) -> None:
    rows = "question_id,correct,reference,prediction,extracted"
    rows += "".join(f"\n{q},{int(q != 3)},B,Surely. The answer is B.,B" for q in range(9))
    (tmp_path / "t.csv").write_text(rows)
    path = tmp_path / "report.html"
    asked = ["report", str(tmp_path / "t.csv"), "-o", str(path), "--force"]
    assert main(asked) == 0
    assert "Surely. The answer is B." not in path.read_text()
    assert main([*asked, "--with-texts"]) == 0
    assert path.read_text().count("Surely. The answer is B.") == 1


def test_numbers_of_a_figure_are_rounded_and_packed() -> None:
    values = np.linspace(0, 1, 9)
    thirds = np.array([f"{place}/3" for place in range(9)], dtype=object)
    figure = go.Figure(go.Scatter(x=list(range(9)), y=values, text=thirds))
    trace = json.loads(figure_json(figure))["data"][0]
    assert trace["text"] == thirds.tolist()
    assert trace["y"]["dtype"] == "f4"
    back = np.frombuffer(base64.b64decode(trace["y"]["bdata"]), "<f4")
    np.testing.assert_allclose(back, values, rtol=1e-6)
    near = [2**24 + place for place in range(9)]
    exact = json.loads(figure_json(go.Figure(go.Scatter(x=near))))
    assert exact["data"][0]["x"] == near


def test_what_cannot_be_written_ends_in_a_line(tmp_path: Path, capsys: CAPTURED) -> None:
    path = tmp_path / "report.pdf"
    assert main(["report", SAMPLE, "-o", str(path)]) == 2
    assert "must end in" in capsys.readouterr().err


def test_only_the_runs_that_are_asked_for_are_quoted_and_listed(
    tmp_path: Path, capsys: CAPTURED
) -> None:
    rows = "model,question_id,correct,prompt,reference,prediction,extracted"
    rows += "".join(
        f"\n{model},{q},{int(q != 3)},Which is {q}?,B,{model} says: the answer is B.,B"
        for model in ("7B", "70B")
        for q in range(9)
    )
    (tmp_path / "t.csv").write_text(rows)
    path = tmp_path / "report.html"
    asked = ["report", str(tmp_path / "t.csv"), "--only", "inventory", "--with-texts"]
    assert main([*asked, "--run", "7B", "-o", str(path)]) == 0
    text = path.read_text()
    assert "7B says: the answer is B." in text
    assert "70B" not in text
    assert main([*asked, "--run", "7B", "--format", "md"]) == 0
    text = capsys.readouterr().out.partition("### missed: 7B")[2].partition("\n## ")[0]
    assert re.findall("```text\n(.*?)\n```", text) == [
        "Which is 3?",
        "B",
        "7B says: the answer is B.",
    ]


def test_of_what_holds_no_verdict_it_says_why(tmp_path: Path, capsys: CAPTURED) -> None:
    assert main(["report", "tests/data/aisbench_performance"]) == 0
    written = capsys.readouterr().out
    assert "No run can be compared. The file does not say which samples were right" in written
    (tmp_path / "labels.csv").write_text("question_id,sample,judge,human\na,0,1,1\nb,0,0,1\n")
    labels = ["report", str(tmp_path / "labels.csv"), "--column", "table=calibration"]
    assert main(labels) == 2
    assert capsys.readouterr().err == "error: There are no outcomes to report on.\n"
