"""Trust offers those whose reference is worth checking."""

import numpy as np

from tests.metrics.analyses.references.made import made
from tests.pages.visiting import look_closer, parts, table, visit

TRUST = "pages/data/trust/page.py"


def test_several_models_tell_which_references_are_worth_checking():
    outcomes, codes, _ = made(60, 2, 3, "open", np.random.default_rng(1), faulty=2)
    uploads = [
        (f"{name}.parquet", table(each.correct, name, extracted=codes[name].ravel().astype(str)))
        for name, each in outcomes.items()
    ]
    app = visit(TRUST, *uploads)
    assert any(each.startswith("References worth checking") for each in parts(app)[0])
    look_closer(app, "references")
    assert not app.exception
    said = "\n".join(each.value for each in app.markdown)
    assert "on 2 the models agree on one wrong answer" in said
    captions = [each.value.replace("\\", "") for each in app.caption]
    assert any("Left out: Models agree" in each for each in captions), captions
