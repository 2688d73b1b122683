"""A table that every subcommand has something to say of, and what is asked of it only once."""

from functools import cache, partial

import pytest

from kofn.terminal import inputs
from kofn.terminal.subcommand import Listing
from metrics.analyses.plan import plan as planning


@pytest.fixture(scope="session")
def table(tmp_path_factory):
    """Three checkpoints, with scores, log-probabilities and tokens."""
    path = tmp_path_factory.mktemp("table") / "r.csv"
    lines = [
        f"ckpt-{m}00,maths,q{q},{s},{int((q * 7 + s * 3 + m) % 5 > 1)},"
        f"{s % 2},{(q + s) % 7},{9 + s}"
        for m in (1, 2, 3)
        for q in range(12)
        for s in range(4)
    ]
    head = "model,dataset,question_id,sample,correct,score,logprob,tokens_out"
    path.write_text("\n".join([head, *lines]))
    return str(path)


@pytest.fixture(scope="session")
def _answers():
    """What was read and computed for `asked_once`."""
    return cache(inputs.load), {}


@pytest.fixture
def asked_once(monkeypatch, _answers):
    """Read a file once, and compute once what is asked of its runs in several formats."""
    read, known = _answers

    def compute(listing, runs, *asked):
        key = id(listing), planning.FARTHEST, *map(id, runs.values()), *asked
        if key not in known:
            known[key] = runs, vars(listing)["compute"](runs, *asked)
        return known[key][1]

    class Once:
        """In the place of `Listing.compute`, also of a subcommand that is imported later."""

        def __get__(self, listing, _kind=None):
            return partial(compute, listing)

        def __set__(self, listing, value):
            vars(listing)["compute"] = value

    monkeypatch.setattr(inputs, "load", lambda source, **_: read(source))
    monkeypatch.setattr(Listing, "compute", Once(), raising=False)
