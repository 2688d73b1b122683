"""Addresses of engines: what they name, what they hide, and what they need."""

import pickle

import pytest

from reports import LoadError, load
from reports.engines.connecting import EngineTable
from reports.files.addresses import Address


@pytest.mark.parametrize(
    ("address", "server", "names"),
    [
        ("spark+sc://host:15002/c.s.t", "spark+sc://host:15002", ("c", "s", "t")),
        ("spark+sc://host/t;token=x;use_ssl=true", "spark+sc://host;token=x;use_ssl=true", ("t",)),
        (
            "postgres://me@host/db/s.t?sslmode=require",
            "postgres://me@host/db?sslmode=require",
            None,
        ),
        ("duckdb:///runs/of.duckdb/main.t%2Eb", "duckdb:///runs/of.duckdb", ("main", "t.b")),
    ],
)
def test_the_last_part_of_an_address_names_the_table(address, server, names) -> None:
    place = EngineTable.of(Address.read(address))
    assert (place.server, place.names) == (server, names or ("s", "t"))
    assert pickle.loads(pickle.dumps(place)) == place


@pytest.mark.parametrize(
    "address",
    ["spark+sc://host:15002", "spark+sc://host:15002/", "spark+sc://h/a..b", "mysql://h/a.b.c.d"],
)
def test_an_address_without_a_table_is_refused(address: str) -> None:
    with pytest.raises(LoadError, match="does not end in the name of a table"):
        load(address)


def test_nothing_shows_what_may_be_secret() -> None:
    place = EngineTable.of(Address.read("spark+sc://host/c.t;token=a%2Fsecret;user_id=somebody"))
    assert "secret" not in f"{place!r}{place.shown}{place.error('x', 'y')}"
    assert set(place.secrets()) >= {"a/secret", "a%2Fsecret", "somebody"}


def test_what_is_not_installed_is_one_sentence(monkeypatch) -> None:
    monkeypatch.setattr("reports.engines.connecting.find_spec", lambda name: None)
    with pytest.raises(LoadError) as refused:
        load("spark+sc://host/c.t;token=secret")
    assert str(refused.value) == (
        "spark+sc://host/c.t: needs packages that are not installed. In a checkout of kofn, run "
        'uv sync --inexact --extra spark, or uv tool install ".[spark]" if kofn was installed '
        "that way."
    )
