"""Names and texts of files are shown letter for letter, on a terminal, a page and a chart."""

import csv
import io
import json
import re

import pytest

from charts.dumbbell import dumbbell
from charts.forest import forest
from kofn.choices.run_numbers import number_runs
from kofn.choices.runs import index_runs
from kofn.choices.view import View
from kofn.command import main
from kofn.scorecard.analysis import score_runs
from kofn.scorecard.columns import SCORES
from kofn.scorecard.figures import dumbbell_pairs, forest_rows
from kofn.scorecard.table import lay_out
from kofn.scorecard.words import dumbbell_words, forest_words
from metrics.data.words import printable
from reports import load, reconcile
from tests.pages.hostile_names import TOGETHER, hostile_table, report
from tests.pages.visiting import OVERVIEW, PAGES, REPORTS, turn_to, visit, words
from tests.wide import wide_but

ADDRESS = re.compile(r"(?i)https?://[\w.-]|www\.|[\w.+-]@[\w-]+\.[\w-]")
"""What Markdown makes a link of, escaped or not."""
STEERING = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\ud800-\udfff]")


@pytest.fixture(params=TOGETHER.values(), ids=TOGETHER)
def name(request):
    return request.param


@pytest.fixture
def files(name):
    return ("t.jsonl", hostile_table(name)), ("r.zip", report(name))


@pytest.mark.parametrize("layout", ["table", "json", "csv", "md"])
def test_nothing_in_a_name_reaches_the_terminal(files, layout, tmp_path, capfdbinary):
    for path, data in files:
        (tmp_path / path).write_bytes(data)
        assert main([str(tmp_path / path), "--format", layout]) == 0
        out, err = (text.decode() for text in capfdbinary.readouterr())
        assert not STEERING.search(out + err)
        if layout == "md":
            assert not re.search(r"(?<!\\)[<`\[]", out)
            assert not ADDRESS.search(bare(out))
        if layout == "csv":
            cells = [cell for row in csv.reader(io.StringIO(out)) for cell in row]
            assert not any(cell.startswith("=") for cell in cells)


def test_a_converted_table_keeps_the_names(files, name, tmp_path, capfd):
    for path, data in files:
        (tmp_path / path).write_bytes(data)
        output = tmp_path / f"{path}.parquet"
        assert main(["convert", str(tmp_path / path), "-o", str(output)]) == 0
        spelled = name.encode("utf-8", "backslashreplace").decode()
        models = {run.model for run in load(output).runs}
        assert models == ({f"{spelled}0", f"{spelled}1"} if path == "t.jsonl" else {"alpha"})


def test_a_scorecard_goes_into_csv_and_parquet(files):
    for source in files:
        table = SCORES.frame(score_runs(index_runs([load(source)]), View()))
        table.to_csv(index=False).encode()
        table.to_parquet(io.BytesIO())


def test_labels_of_charts_hold_no_markup(files):
    for source in files:
        runs = index_runs([load(source)])
        marks = forest_rows(lay_out(score_runs(runs, View()), View()), number_runs(runs))
        pairs = dumbbell_pairs({key: reconcile(run) for key, run in runs.items()})
        for figure in (
            forest(marks, 0.95, words=forest_words()),
            dumbbell(pairs, words=dumbbell_words()) if pairs else None,
        ):
            for text in [] if figure is None else strings(json.loads(figure.to_json())):
                assert not re.search(r"<(?!/?b>|br>|extra></extra>)", text)
                assert not STEERING.search(text)


def bare(markdown):
    """Return Markdown without backslashes that escape, as a link is looked for."""
    return re.sub(r"\\(.)", r"\1", markdown)


def strings(value):
    """Yield every string of a JSON value but keys."""
    if isinstance(value, str):
        yield value
    for below in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from strings(below)


@pytest.mark.parametrize("name", wide_but([TOGETHER["markup"]], TOGETHER.values()), ids=[*TOGETHER])
def test_pages_show_every_name_letter_for_letter(name):
    app = visit(REPORTS, ("t.jsonl", hostile_table(name)), ("r.zip", report(name)))
    for page in PAGES:
        app = turn_to(app, page)
        assert not app.exception, page
        shown = words(app)
        assert not STEERING.search(shown), page
        assert not re.search(r"(?<!\\)<", shown), page
        assert "](javascript" not in shown, page
        tables = "\n".join(table.value.to_csv() for table in app.table)
        assert not ADDRESS.search(bare(f"{shown}\n{tables}")), page
        if page == REPORTS:
            assert printable(name) in list(app.dataframe[0].value["Dataset"])
    app = turn_to(app, OVERVIEW)
    app.query_params["form"] = "metrics"
    app.run()
    assert printable(name) in list(app.dataframe[0].value["dataset"])
