"""Patterns of others, run by RE2, find what Python's engine finds."""

import random
import re

import pytest

from reports.rescoring.patterns import NotRegular, found, has_one_group

PATTERNS = (
    r"(?i)答案\s*:\s*[\W]*([A-D])[\W]*",
    r"(?i)ANSWER\s*:\s*([A-P])",
    r"(\w+)",
    r"([^\w\s]+)",
    r"([\S]+)\s",
    r"([\D]+)\d",
    r"[]\w]+(.)",
    r"[^]\s]+(.)",
    r"\\w(.)",
)
LETTERS = "答案:：AcD\u3000\n\t ]1２²_[\\w·，é़ΩⅣ\u00a0ꙮ‿.("


@pytest.mark.wide
@pytest.mark.parametrize("pattern", PATTERNS)
def test_classes_hold_what_they_hold_in_python(pattern):
    rng = random.Random(0)
    texts = ["".join(rng.choices(LETTERS, k=rng.randrange(13))) for _ in range(1_500)]
    first = [next(iter(re.findall(pattern, text)), None) for text in texts]
    assert found(pattern, texts, 0) == first


def test_a_pattern_that_could_take_forever_is_not_used():
    assert not has_one_group(r"(?=a)(a+)+$")
    with pytest.raises(NotRegular):
        found("(" * 2000, ["a"], 0)
    assert found(r"(a+)+$", ["a" * 10_000 + "b"], 0) == [None]
