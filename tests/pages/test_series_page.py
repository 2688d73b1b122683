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


def test_of_two_series_one_is_chosen_by_its_ends():
    names = [f"m-{size}B-ckpt-{step}" for size, step in ((1, 1), (1, 2), (1, 3), (2, 1), (4, 1))]
    app = visit(COMPARE, *((f"{name}.parquet", table([[1, 0]] * 4, name)) for name in names))
    (series,) = (each for each in app.selectbox if each.label == "Series")
    assert series.options == [
        "size: m-1B-ckpt-1 / maths … m-4B-ckpt-1 / maths",
        "checkpoint: m-1B-ckpt-1 / maths … m-1B-ckpt-3 / maths",
    ]
    app = series.select_index(1).run()
    assert any(list(each.value.get("Run", ())) == names[:3] for each in app.dataframe)
