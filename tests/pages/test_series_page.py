"""Compare follows checkpoints where runs are some."""

import numpy as np

from tests.pages.visiting import COMPARE, parts, table, visit


def solving(count):
    return np.repeat([[1], [0]], [count, 60 - count], axis=0)


def test_checkpoints_are_followed():
    solved = {"m-ckpt-500": 20, "m-ckpt-1000": 45, "m-ckpt-2000": 50}
    uploads = [(f"{name}.parquet", table(solving(c), name)) for name, c in solved.items()]
    app = visit(COMPARE, *uploads)
    assert "Along the series" in parts(app)[1]
    said = "\n".join(each.value.replace("\\", "") for each in app.markdown)
    assert "m-ckpt-1000 is the first that is surely better than m-ckpt-500" in said
    assert any("All 2 differences hold at once" in each.value for each in app.caption)
    (against,) = (each for each in app.selectbox if each.label == "Each set against")
    against.select("best").run()
    assert any("all 3 pairs" in each.value for each in app.caption)
    assert not app.exception
