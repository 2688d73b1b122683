"""Of which report a finding is, and a run, where several hold a like one."""

import pytest

from metrics.data.words import Text
from pages.data.reports.notes import kinds_of
from reports.files.notes import Note
from tests.pages.visiting import REPORTS, outcomes, table, visit

OPEN = b"model,dataset,id,correct\nm,d,a,1\nm,d,a,\nm,d,b,0\nm,d,b,%d\n"


@pytest.mark.wide
@pytest.mark.parametrize(
    ("names", "place", "files"),
    [
        (["a.csv"], "m / d", ["a.csv"]),
        (["a.csv", "b.csv"], "m / d (a.csv); likewise m / d (b.csv)", ["a.csv", "b.csv"]),
        (["a.csv", "a.csv"], "m / d (a.csv); likewise m / d (a.csv #2)", ["a.csv", "a.csv #2"]),
        (
            ["x/a.csv", "y/a.csv"],
            "m / d (x/a.csv); likewise m / d (y/a.csv)",
            ["x/a.csv", "y/a.csv"],
        ),
    ],
)
def test_a_report_is_named_only_where_another_holds_a_like_run(names, place, files):
    uploads = [(name, OPEN % i) for i, name in enumerate(names)]
    app = visit(REPORTS, *uploads, ("other.parquet", table(outcomes())))
    assert app.dataframe[0].value["File"].tolist() == [*files, "other.parquet"]
    shown = [getattr(each, "value", "") for each in app.main.children.values()]
    (at,) = (i for i, value in enumerate(shown) if "1 sample has no verdict" in str(value))
    assert shown[at + 1].replace("\\", "") == place
    listed = [
        each.value.replace("\\", "") for each in app.markdown if "outcome table" in each.value
    ]
    last = [file.rpartition("/")[2] for file in files]
    assert [line.split("**")[1] for line in listed] == [*last, "other.parquet"]


def test_notes_that_say_other_things_by_one_frame_are_apart():
    """Such as what was measured of requests, or why a file cannot be read."""

    def measured(what, mean):
        return Note(Text("{what}: mean {mean}", what=Text(what), mean=mean))

    found = [
        ("a", measured("Seconds", 1)),
        ("a", measured("Tokens", 2)),
        ("b", measured("Seconds", 3)),
    ]
    assert [[name for name, _ in kind] for kind in kinds_of(found)] == [["a", "b"], ["a"]]
