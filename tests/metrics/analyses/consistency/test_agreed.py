"""Agreement on one answer, right or wrong, beside the decision matrix."""

import numpy as np
import pytest

from metrics import Outcomes, guidance
from metrics.analyses.guidance.decision_matrix import CELLS


def test_agreement_on_one_wrong_answer_is_systematic_bias():
    wrong = np.zeros((60, 5), dtype=int)
    found = guidance(wrong, answers=np.full((60, 5), 7))
    assert found.agreement.value == 1
    assert found.bias > 0.99
    assert found.probability["low", "low", "high"] == 0
    scattered = guidance(wrong, answers=np.tile(np.arange(5), (60, 1)))
    assert scattered.agreement.value == 0
    assert scattered.bias == 0


def test_agreement_is_the_share_of_questions_with_a_majority_for_one_answer():
    rng = np.random.default_rng(8)
    codes = rng.integers(0, 3, (200, 4))
    correct = (codes == 0).astype(int)
    found = guidance(correct, answers=codes)
    most = np.array([max(np.bincount(row)) for row in codes])
    assert found.agreement.value == pytest.approx((2 * most > 4).mean())
    assert found.probability == guidance(correct, answers=codes).probability
    alone = guidance(correct)
    for cell in CELLS:
        assert found.probability[cell] == pytest.approx(alone.probability[cell], abs=0.02)


def test_without_answers_or_with_one_sample_there_is_no_agreement():
    assert guidance([[0, 0]]).agreement is None
    found = guidance([[0], [1]], answers=[[1], [2]])
    assert (found.agreement, found.bias) == (None, None)


@pytest.mark.wide
@pytest.mark.parametrize("missing", ["wrong", "omit", "right"])
@pytest.mark.parametrize("clusters", [None, np.arange(60) // 3])
def test_agreement_goes_with_failures_segments_and_clusters(missing, clusters):
    rng = np.random.default_rng(9)
    codes = rng.integers(0, 2, (60, 5))
    correct = np.where(rng.random((60, 5)) < 0.2, -1, codes == 0)
    correct[7], correct[8] = -2, -1
    segments = {"half": np.where(np.arange(60) < 30, "first", "second")}
    data = Outcomes(correct, segments=segments, clusters=clusters)
    settings = {"missing": missing, "segment": ("half", "first")}
    found = guidance(data, answers=codes, **settings)
    agreed = []
    for row, verdicts in zip(codes[:30], correct[:30], strict=True):
        asked = np.count_nonzero(verdicts >= (0 if missing == "omit" else -1))
        if asked:
            votes = np.bincount(row[verdicts >= 0], minlength=2).max()
            agreed.append(2 * votes > asked)
    assert (found.agreement is None) == (found.n < 2)
    if found.agreement is not None:
        assert found.agreement.value == pytest.approx(np.mean(agreed))
        assert sum(found.probability.values()) == pytest.approx(1)
