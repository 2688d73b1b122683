"""What a text that names a source is, and what lies within another."""

import pytest

from reports import load
from reports.files.addresses import Address, entries
from reports.files.archive import open_tree
from reports.files.errors import LoadError


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("run", "path"),
        ("a:b/run.zip", "path"),
        ("C:/runs/run.zip", "path"),
        ("C:\\runs\\run.zip", "path"),
        ("C://runs", "path"),
        ("https:/run", "path"),
        ("runs/*.parquet", "glob"),
        ("C:/runs/[ab]?.csv", "glob"),
        ("s3://evals", "place"),
        ("S3://evals/a?b#c%2e/", "place"),
        ("https://evals.example/a/b.csv?version=2", "place"),
        ("http://127.0.0.1:9000/a", "place"),
        ("http://[::1]:9000/a", "place"),
        ("spark+sc://host:15002/catalog.schema.table", "engine"),
        ("duckdb:///data/*.db", "engine"),
    ],
)
def test_what_a_text_is_it_says_itself(text, kind):
    assert Address.read(text).kind == kind


def test_a_name_that_there_is_is_no_pattern(tmp_path):
    (tmp_path / "run[1].csv").touch()
    assert Address.read(str(tmp_path / "run[1].csv")).kind == "path"
    assert Address.read(tmp_path / "run[2].csv").kind == "path"
    assert Address.read(str(tmp_path / "run[2].csv")).kind == "glob"


def test_an_address_is_written_in_one_way():
    assert Address.read("HTTPS://Evals.Example:443/A#top").text == "https://evals.example/A"
    assert Address.read("https://evals.example:8443/A").text == "https://evals.example:8443/A"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("file:///etc/passwd", "is the address of a file"),
        ("http://evals.example/a", "is not encrypted"),
        ("http://169.254.169.254/latest", "is not encrypted"),
        ("https:///a", "is not an address"),
        ("https://[a/b", "is not an address"),
        ("https://a:b/c", "is not an address"),
        ("https://evals.example/a\nb", "is not an address"),
        ("s3:///a", "does not begin with the name of a bucket"),
        ("s3://a/../b", "does not begin with the name of a bucket"),
        ("s3://evals/a/../b", "leads elsewhere"),
        ("s3://evals/a//b", "leads elsewhere"),
        ("https://evals.example/a/../b", "leads elsewhere"),
        ("https://evals.example/a/%2E%2e/b", "leads elsewhere"),
        ("https://evals.example/a%2fb", "leads elsewhere"),
        ("https://evals.example/a%252e%252e/b", "leads elsewhere"),
        ("https://evals.example/a\\..\\b", "leads elsewhere"),
    ],
)
def test_an_address_that_means_another_than_it_says_is_refused(text, said):
    with pytest.raises(LoadError, match=said):
        Address.read(text)


@pytest.mark.parametrize("scheme", ["s3", "https", "http", "postgres"])
def test_a_password_in_an_address_is_refused_and_not_repeated(scheme):
    with pytest.raises(LoadError, match="a user name or password") as refused:
        Address.read(f"{scheme}://me:hunter2@evals/run?token=hunter2")
    assert "hunter2" not in str(refused.value)


def test_parameters_of_an_address_are_not_shown():
    for text in ("https://evals.example/a?signature=1", "spark+sc://host:1/;token=1"):
        assert "1" not in Address.read(text).shown.removeprefix("spark+sc://host:1")


@pytest.mark.parametrize(
    ("given", "inside", "outside"),
    [
        ("/data/runs", ["/data/runs", "/data/runs/a", "/data/runs/*.csv"], ["/data", "/data/*"]),
        ("s3://evals", ["s3://evals/", "s3://evals/a"], ["s3://other", "s3://evals-2/a"]),
        ("s3://evals/a/", ["s3://evals/a/b"], ["s3://evals/ab", "https://evals/a/b", "/a/b"]),
        (
            "https://evals.example/a",
            ["https://evals.example/a/b", "https://EVALS.example:443/a/b"],
            [
                *("https://evals.example/ab", "https://evals.example/a/b?to=c"),
                *("https://evals.example.net/a/b", "https://evals.example:8443/a/b"),
            ],
        ),
        ("https://evals.example/a?b", ["https://evals.example/a?b"], ["https://evals.example/a/c"]),
        (
            "spark+sc://host:1/evals",
            ["spark+sc://host:1/evals.runs", "spark+sc://host:1/evals/runs"],
            [
                *("spark+sc://host:1/evals2", "spark+sc://host:11/evals.runs"),
                *("spark+sc://host:1/evals.a;b", "spark+sc://host:1/evals/../a"),
                *("spark+sc://host:1/evals/%2e%2e/a", "sc://host:1/evals.runs"),
            ],
        ),
        ("duckdb:///a", ["duckdb:///a/b.db"], ["duckdb:///a.db"]),
    ],
)
def test_what_lies_within_an_address(given, inside, outside):
    given = Address.read(given)
    assert [text for text in inside if not given.covers(Address.read(text))] == []
    assert [text for text in outside if given.covers(Address.read(text))] == []


def test_a_pattern_covers_what_it_matches_and_no_link_that_leads_out(tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    for name in ("a.csv", "b.txt", "../c.csv"):
        (folder / name).touch()
    (folder / "link.csv").symlink_to(tmp_path / "c.csv")
    given = Address.read(str(folder / "*.csv")).absolute()
    names = ("a.csv", "b.txt", "link.csv", "../c.csv", "*.csv", "*")
    inside = [each for each in names if given.covers(Address.read(str(folder / each)).absolute())]
    assert inside == ["a.csv", "*.csv"]


def test_a_list_of_sources_is_split_unless_it_is_a_path(tmp_path):
    assert entries("C:/runs;s3://evals/a:b; https://evals.example/,a;;") == [
        *("C:/runs", "s3://evals/a:b", "https://evals.example/,a")
    ]
    odd = tmp_path / "a;b"
    odd.mkdir()
    assert entries(str(odd)) == [str(odd)]


def test_an_engine_is_no_tree():
    with pytest.raises(LoadError, match="but a file is needed here"):
        open_tree("spark+sc://host:15002/a.b.c")
    with pytest.raises(LoadError, match=r"needs packages|cannot be reached"):
        load("spark+sc://host:15002/a.b.c")
