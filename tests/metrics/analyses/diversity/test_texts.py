"""How much texts differ, against tokens counted one by one."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics import text_diversity
from metrics.analyses.diversity.texts import MOST, tokens_of
from tests.metrics import plain_groups

WORDS = st.lists(st.sampled_from(["so", "it", "is", "42.", "π", "한국어"]), max_size=8)
GROUP = st.lists(WORDS.map(" ".join), min_size=2, max_size=6)


def overlap(one, other):
    """Twice the tokens in common, as a share of those of both; of no tokens at all, everything."""
    a, b = Counter(one.split()), Counter(other.split())
    both = (a + b).total()
    return 2 * (a & b).total() / both if both else 1.0


@settings(max_examples=40, deadline=None)
@given(GROUP)
def test_all_is_as_counted_one_by_one(texts):
    found = text_diversity([texts])
    for n, measured in ((1, found.distinct_1), (2, found.distinct_2)):
        counted = plain_groups.distinct(texts, n)
        assert measured[0] == pytest.approx(np.nan if counted is None else counted, nan_ok=True)
    most = [
        max(overlap(text, other) for j, other in enumerate(texts) if j != i)
        for i, text in enumerate(texts)
    ]
    assert found.apart[0] == pytest.approx(1 - np.mean(most), abs=1e-12)
    assert found.clones[0] == pytest.approx(np.mean([each > 0.9 - 1e-9 for each in most]))


def test_scripts_without_spaces_are_taken_by_character():
    assert tokens_of("答案是42，因为 x=7。") == [
        "答",
        "案",
        "是",
        "42",
        "，",
        "因",
        "为",
        "x=7",
        "。",
    ]
    assert tokens_of("ราคา 5 บาท") == [*"ราคา", "5", *"บาท"]
    assert tokens_of("정답은 42 입니다") == ["정답은", "42", "입니다"]
    assert tokens_of("naïve déjà-vu") == ["naïve", "déjà-vu"]
    chinese = text_diversity([["答案是四十二", "答案是四十三"]])
    assert chinese.apart[0] == pytest.approx(1 - 5 / 6)
    assert chinese.distinct_1[0] == pytest.approx(7 / 12)
    assert chinese.distinct_2[0] == pytest.approx(6 / 10)


def test_fewer_than_two_texts_have_nothing_to_differ_from():
    found = text_diversity([["alone"], [None, "alone", None], [], ["two", None, "texts"]])
    assert np.isnan(found.apart[:3]).all()
    assert found.texts.tolist() == [1, 1, 0, 2]
    assert found.apart[3] == found.distinct_1[3] == 1
    assert np.isnan(found.distinct_2[3])


def test_empty_texts_are_clones():
    found = text_diversity([["", "  "]])
    assert (found.apart[0], found.clones[0]) == (0, 1)
    assert np.isnan(found.distinct_1[0])


def test_of_many_candidates_some_are_compared():
    texts = [f"number {i}" for i in range(3 * MOST)]
    found = text_diversity([texts])
    assert found.texts[0] == 3 * MOST
    assert found.distinct_1[0] == pytest.approx((MOST + 1) / (2 * MOST))
