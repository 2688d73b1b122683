"""What groups of candidates are worth, one after the other, as it is written down at first.

Undefined is None here, where a plain harness would say 0.
"""

from math import ceil, log2


def any_pass(passes):
    return int(any(passes))


def majority(passes):
    """Half is enough."""
    return int(sum(passes) >= ceil(len(passes) / 2))


def dcg(gains, k):
    return sum(gain / log2(j + 2) for j, gain in enumerate(gains[:k]))


def ngrams(text, n):
    tokens = text.split()
    return [" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def distinct(texts, n):
    grams = [gram for text in texts for gram in ngrams(text, n)]
    return len(set(grams)) / len(grams) if grams else None
