"""A table that every subcommand has something to say of."""

import pytest


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
