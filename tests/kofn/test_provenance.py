"""What leaves kofn says of what it was made, and is otherwise as it was."""

import io
import json
import zipfile
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from kofn import __version__
from kofn.command import main
from kofn.provenance import Provenance
from reports import load
from tests.reports.tables.outcome_tables import write_table

MADE = Provenance({"a</script>.csv": "9f86"}, {"level": 0.9})
TABLE = pd.DataFrame({"model": ["=1+1", "7B"], "value": [0.5, 0.25]})


def test_json_and_what_lies_beside_csv_say_of_what_and_how(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(write_table(tmp_path / "table.parquet"))
    target = str(tmp_path / "scores.csv")
    asked = ["score", path, "--level", "0.9"]
    assert main([*asked, "--format", "json"]) == 0
    made = json.loads(capsys.readouterr().out)["made"]
    assert made["kofn"] == __version__
    assert [each["sha256"] for each in made["inputs"]] == [load(path).digest]
    assert made["settings"]["view"]["level"] == 0.9
    assert made["command"] == f"kofn scorecard {path} --level 0.9 --format json"
    assert main([*asked, "-o", target]) == 0
    beside = json.loads(Path(f"{target}.json").read_text())
    assert beside["inputs"] == made["inputs"]
    assert beside["command"] == f"kofn scorecard {path} --level 0.9 -o {target}"
    assert len(pd.read_csv(target)) > 1
    Path(target).unlink()
    assert main([*asked, "-o", target]) == 2
    assert f"{target}.json already exists" in capsys.readouterr().err


def test_parquet_holds_it_in_its_metadata() -> None:
    found = pq.read_table(io.BytesIO(MADE.within_parquet(TABLE)))
    assert json.loads(found.schema.metadata[b"kofn"]) == MADE.document()
    pd.testing.assert_frame_equal(found.to_pandas(), TABLE)


def test_a_zip_holds_it_beside_the_csv() -> None:
    with zipfile.ZipFile(io.BytesIO(MADE.beside_csv(TABLE, "scores"))) as archive:
        assert archive.namelist() == ["scores.csv", "scores.csv.json"]
        assert json.loads(archive.read("scores.csv.json")) == MADE.document()
        assert archive.read("scores.csv").splitlines()[1] == b"'=1+1,0.5"


def test_a_web_page_holds_it_as_data() -> None:
    page = MADE.within_html("<html><head></head><body></body></html>")
    assert page.count("</script>") == 1
    said = page.partition('id="kofn">')[2].partition("</script>")[0]
    assert json.loads(said) == MADE.document()
