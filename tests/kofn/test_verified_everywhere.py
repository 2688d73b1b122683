"""Whether a run is verified stands wherever the run does."""

import csv
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from kofn import card
from kofn.choices.runs import index_runs
from kofn.choices.view import View
from kofn.command import main
from kofn.questions.analysis import run_questions
from kofn.questions.columns import LISTED, ListedQuestions
from kofn.questions.filters import QuestionFilter
from kofn.run_columns import OF_RUN
from kofn.writing.columns import rows as cells
from metrics import Outcomes
from metrics.data.words import Text
from reports import load
from reports.run.report import Run
from tests.kofn.listings import OF_EACH
from tests.pages.visiting import OVERVIEW, outcomes, table, visit

pytestmark = pytest.mark.usefixtures("short_plans")

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "tests" / "data" / "aisbench" / "gsm8k_demo_n5_nodump.zip"
RIGHT = [(q, [q % 2 == 0] * 5) for q in range(40)]
PAGES = [
    *(
        "data/questions",
        "behaviour/consistency",
        "behaviour/soft_vs_hard",
    ),
    *("behaviour/saturation", "results/choose_n", "behaviour/guidance"),
]


@pytest.fixture(scope="module")
def doubted():
    """The report, where one of two results states an average that its samples do not give."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(REPORT) as told, zipfile.ZipFile(buffer, "w") as archive:
        for name in told.namelist():
            data = told.read(name)
            if name.endswith("/gsm8k.json"):
                data = json.dumps(
                    {key: 11.0 for key in ("accuracy (5 runs average)", "avg@5")}
                    | {"details": [{"answer": [str(q)] * 5, "correct": c} for q, c in RIGHT]}
                ).encode()
            archive.writestr(name, data)
    return buffer.getvalue()


@pytest.mark.wide
@pytest.mark.parametrize("subcommand", ["score", "consistency", "curve", "choose-n", "guide"])
def test_every_command_says_it_beside_the_name_of_a_run(doubted, tmp_path, capsys, subcommand):
    path = tmp_path / "r.zip"
    path.write_bytes(doubted)
    main([subcommand, str(path), "--all"])
    lines = capsys.readouterr().out.splitlines()
    of_runs = [line for line in lines if line.startswith("alpha-7b-chat / ")]
    assert any("/ demo_gsm8k" in line and ", verified, grouping proven" in line for line in of_runs)
    assert any(
        "/ gsm8k" in line and "not verified: the file states other numbers" in line
        for line in of_runs
    )


SAID = {"alpha-7b-chat / demo_gsm8k": True, "alpha-7b-chat / gsm8k": False, "alpha / maths": None}


@pytest.fixture(scope="module")
def paths(doubted, tmp_path_factory):
    """The report, and a table, which states nothing."""
    folder = tmp_path_factory.mktemp("verified")
    (folder / "r.zip").write_bytes(doubted)
    (folder / "a.parquet").write_bytes(table(outcomes()))
    return [str(folder / "r.zip"), str(folder / "a.parquet")]


@pytest.mark.usefixtures("asked_once")
@pytest.mark.parametrize("subcommand", [name for name in OF_EACH if name != "trust"])
def test_every_document_has_it_beside_the_name_of_a_run(paths, capsys, subcommand):
    main([subcommand, *paths, "--format", "json"])
    written = json.loads(capsys.readouterr().out)
    lists = [
        rows for rows in written.values() if rows and isinstance(rows, list) and "model" in rows[0]
    ]
    assert lists
    for rows in [[row for row in each if not row.get("average")] for each in lists]:
        assert {row["run"]: row["verified"] for row in rows}.items() <= SAID.items()
        assert {row["grouping"] for row in rows} == {"proven"}
    main([subcommand, *paths, "--format", "md"])
    words = {True: "yes", False: "no", None: ""}
    lines = capsys.readouterr().out.replace("\\", "").splitlines()
    for run, verified in SAID.items():
        assert any(line.startswith(f"| {run} | {words[verified]} | proven | ") for line in lines)
    main([subcommand, *paths, "--format", "csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    rows = [row for row in rows if row.get("average") != "True"]
    spelled = {"True": True, "False": False, "": None}
    assert {row["run"]: spelled[row["verified"]] for row in rows} == SAID
    assert {row["grouping"] for row in rows} == {"proven"}


def test_a_run_of_a_list_without_any_checked_has_the_column_too():
    runs = index_runs([load(("a.parquet", table(outcomes())))])
    ((key, run),) = runs.items()
    questions = run_questions(key, run, View())
    listed = card.Card(
        key, run, View(), QuestionFilter(), ListedQuestions(questions, np.arange(30))
    )
    made = LISTED.frame([listed])
    assert made["verified"].dtype == "boolean"
    assert made["verified"].isna().all()


@pytest.mark.wide
@pytest.mark.parametrize("page", PAGES)
def test_every_page_warns_of_what_is_not_and_counts_what_is(doubted, page):
    app = visit(f"pages/{page}/page.py", ("r.zip", doubted))
    assert not app.exception
    (warning,) = [box.value for box in app.warning if "Not verified" in box.value]
    assert "alpha\\-7b\\-chat / gsm8k states other numbers" in warning
    assert "samples of 1 of 2 runs give" in "\n".join(
        caption.value for caption in app.sidebar.caption
    )


def test_runs_whose_files_state_nothing_are_not_taken_for_doubtful(doubted):
    app = visit(OVERVIEW, ("r.zip", doubted), ("a.parquet", table(outcomes())))
    said = [caption.value for caption in app.sidebar.caption]
    (at,) = [at for at, one in enumerate(said) if "samples of 1 of 3 runs give" in one]
    assert said[at + 1] == "The file of 1 run states no numbers to check\\."


@pytest.mark.parametrize("grouping", ["proven", "stated", "unknown"])
@pytest.mark.parametrize("verified", [True, False, None])
def test_a_run_is_called_verified_only_if_its_grouping_is_known(verified, grouping):
    run = Run("alpha", "maths", Outcomes([[1, 0]]), verified=verified, grouping=grouping)
    said = card.verified_in_words(run)
    assert card.is_verified(run) is (verified is True and grouping != "unknown")
    assert (said is None) is (verified is None)
    assert said is None or (said == Text("verified")) is card.is_verified(run)
    (row,) = cells(OF_RUN, [card.Card("alpha / maths", run, View(), None)])
    assert (row["verified"], row["grouping"]) == (verified, grouping)
    grouped = card.say(card.grouping_in_words(run))
    assert (grouped is None) is (verified is None and grouping == "proven")
    assert grouped is None or grouping in grouped


def test_nothing_is_said_of_the_grouping_of_a_run_without_verdicts():
    run = Run("alpha", "maths", None)
    (row,) = cells(OF_RUN, [card.Card("alpha / maths", run, View(), None)])
    assert row["grouping"] is None
    assert card.grouping_in_words(run) is None
