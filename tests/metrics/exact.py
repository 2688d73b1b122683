"""What the metrics are, in rational arithmetic, 60 digits or by enumeration; all by definition.

A payoff is the list A_0 … A_k of what j right ones of k tries earn, as fractions. Long sums and
products of 60 digits are decimals, which are many times as fast as mpmath.
"""

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache, wraps
from itertools import accumulate, combinations, pairwise
from math import comb, gcd, lcm, prod

from mpmath import mp, mpf

DIGITS = 60
mp.dps = DIGITS


def number(x):
    if isinstance(x, Decimal):
        return mpf(str(x))
    return mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpf(x)


def decimal(x):
    if isinstance(x, mpf):
        return Decimal(str(x))
    exact = ratio(x)
    return Decimal(exact.numerator) / exact.denominator


def decimals(find):
    """Let a function reckon in decimals of as many digits as mpmath."""

    @wraps(find)
    def with_digits(*arguments):
        with localcontext(prec=DIGITS):
            return find(*arguments)

    return with_digits


def ratio(x):
    """The rational number that a float is."""
    return x if isinstance(x, Fraction) else Fraction(float(x))


def error(got, truth):
    """The absolute error of a float."""
    return abs(float(mpf(got) - number(truth)))


def relative(got, truth):
    """The error of a float relative to the truth; where that is 0, the float."""
    truth = number(truth)
    return abs(float((mpf(got) - truth) / truth)) if truth else abs(float(got))


def root(x):
    return mp.sqrt(max(number(x), mpf(0)))


# Payoffs, each by its own definition -----------------------------------------------------------


def threshold(first, k):
    return [Fraction(j >= first) for j in range(k + 1)]


def majority(k, ties="fail"):
    tie = {"fail": Fraction(0), "half": Fraction(1, 2), "pass": Fraction(1)}[ties]
    return [tie if 2 * j == k else Fraction(2 * j > k) for j in range(k + 1)]


def mean_threshold(k):
    """The mean of the thresholds i / k over i > k / 2, as Liu et al. define it."""
    thresholds = range((k + 1) // 2 + 1, k + 1)
    return [Fraction(2, k) * sum(j >= i for i in thresholds) for j in range(k + 1)]


@cache
def area(k):
    def solved(j):
        return [1 - Fraction(comb(k - j, i), comb(k, i)) for i in range(1, k + 1)]

    return [trapezoid(solved(j)) for j in range(k + 1)]


def spectrum(weights):
    return [Fraction(0), *accumulate(map(ratio, weights))]


def trapezoid(values):
    """The mean height under the lines from each value to the next."""
    if len(values) == 1:
        return values[0]
    return (sum(values) - (values[0] + values[-1]) / 2) / (len(values) - 1)


# Draws from the samples at hand ----------------------------------------------------------------


def enumerated(score, samples, k):
    """The mean score of every subset of k."""
    scores = [Fraction(score(chosen)) for chosen in combinations(samples, k)]
    return sum(scores) / len(scores)


def drawn(payoff, n, c):
    """E A(X), X right of k drawn from n samples with c right."""
    k = len(payoff) - 1
    first, last = max(0, k - (n - c)), min(c, k)
    (earned, unit), total = whole(payoff), 0
    ways = comb(c, first) * comb(n - c, k - first)
    for j in range(first, last + 1):
        total += earned[j] * ways
        ways = ways * (c - j) * (k - j) // ((j + 1) * (n - c - k + j + 1))
    return Fraction(total, unit * comb(n, k))


def none_right(n, c, k):
    """The chance that k drawn from n samples with c right are all wrong."""
    return 1 - drawn(threshold(1, k), n, c)


@decimals
def drawn_area(k, n, c):
    """AUC@k of c of n from the chances that i draws are all wrong, for any k."""
    left = (Decimal(max(n - c - i, 0)) / (n - i) for i in range(k))
    wrong = accumulate(left, lambda p, f: p * f)
    return trapezoid([1 - p for p in wrong])


# A success rate p ~ Beta(a, b) -----------------------------------------------------------------


def moments(first, second, a, b):
    """E g, E h and E gh of two payoffs' Bernstein polynomials, exactly."""
    k = len(first) - 1
    a, b = ratio(a), ratio(b)
    unit = a.denominator * b.denominator // gcd(a.denominator, b.denominator)
    a, b = int(a * unit), int(b * unit)
    up, down, both = (rising(x, 2 * k, unit) for x in (a, b, a + b))
    (g, g_unit), (h, h_unit) = whole(first), whole(second)
    g, h = ([x * comb(k, j) for j, x in enumerate(each)] for each in (g, h))
    means = (
        Fraction(sum(x * up[j] * down[k - j] for j, x in enumerate(each)), both[k])
        for each in (g, h)
    )
    gh = sum(d * up[m] * down[2 * k - m] for m, d in enumerate(product(g, h)))
    mean_g, mean_h = means
    return mean_g / g_unit, mean_h / h_unit, Fraction(gh, both[2 * k] * g_unit * h_unit)


def latent(payoff, a, b):
    """Mean and variance of g(p), exactly."""
    mean, _, square = moments(payoff, payoff, a, b)
    return mean, square - mean**2


@cache
def rising(x, steps, unit):
    """1, x, x (x + unit), x (x + unit) (x + 2 unit) …"""
    return list(accumulate((x + i * unit for i in range(steps)), lambda p, f: p * f, initial=1))


def whole(payoff):
    """A payoff as integers over one denominator."""
    unit = lcm(*(x.denominator for x in payoff))
    return [int(x * unit) for x in payoff], unit


def product(x, y):
    """Multiply polynomials with natural coefficients, packed into two integers."""
    size = (max(x).bit_length() + max(y).bit_length() + len(x).bit_length()) // 8 + 1
    left, right = (
        int.from_bytes(b"".join(v.to_bytes(size, "little") for v in each), "little")
        for each in (x, y)
    )
    data = (left * right).to_bytes(size * (len(x) + len(y)), "little")
    places = range(0, size * (len(x) + len(y) - 1), size)
    return [int.from_bytes(data[i : i + size], "little") for i in places]


@decimals
def latent_threshold(first, k, a, b):
    """Mean and variance of P(Bin(k, p) >= first), for any k.

    Of 2k tries with m right, two halves both reach the threshold with a chance that grows with m:
    by the chance that one half stands at first - 1 and takes the next right try.
    """
    mean = sum(beta_binomial(k, a, b)[first:])
    chance, reached, square = beta_binomial(2 * k, a, b), Decimal(0), Decimal(0)
    stands = None
    for m in range(2 * k + 1):
        square += chance[m] * reached
        other = m - first + 1
        if first <= other <= k and m < 2 * k:
            if stands is None:
                stands = Decimal(comb(k, first - 1)) * comb(k, other) / comb(2 * k, m)
            reached += 2 * stands * (k - first + 1) / (2 * k - m)
            stands *= Decimal(k - other) / (other + 1) * (m + 1) / (2 * k - m)
    return mean, square - mean**2


@decimals
def beta_binomial(k, a, b):
    """P(X = j), j = 0 … k."""
    exact_a, exact_b = number(ratio(a)), number(ratio(b))
    none = mp.beta(exact_a, exact_b + k) / mp.beta(exact_a, exact_b)
    a, b, chance = decimal(a), decimal(b), [decimal(none)]
    for j in range(k):
        chance.append(chance[-1] * (k - j) / (j + 1) * (a + j) / (b + k - j - 1))
    return chance


@cache
@decimals
def latent_powers(a, b, most):
    """E p^i, i = 0 … most."""
    a, total = decimal(a), decimal(a) + decimal(b)
    steps = ((a + i) / (total + i) for i in range(most))
    return list(accumulate(steps, lambda p, f: p * f, initial=Decimal(1)))


@decimals
def latent_all(k, a, b):
    """Mean and variance of p^k, for any k."""
    powers = latent_powers(a, b, 2 * k)
    return powers[k], powers[2 * k] - powers[k] ** 2


@decimals
def latent_area(k, a, b):
    """Mean and variance of the trapezoid mean of 1 - q^i, i = 1 … k, for any k."""
    powers = latent_powers(b, a, 2 * k)
    share = [0, 1] if k == 1 else [0, 1, *[2] * (k - 2), 1]
    unit = Decimal(sum(share))
    missed = sum(s * x for s, x in zip(share, powers, strict=False)) / unit
    square = sum(s * x for s, x in zip(product(share, share), powers, strict=False)) / unit**2
    return 1 - missed, square - missed**2


# Categories with rewards -----------------------------------------------------------------------


def category_counts(R, R0, categories):
    rows = zip(R, R0 or [[]] * len(R), strict=True)
    return [[list(r).count(j) + list(p).count(j) for j in range(categories)] for r, p in rows]


def bayes(R, w, R0=None):
    """Posterior mean and variance of the mean reward, one pseudo-outcome a category."""
    w, mean, variance = [ratio(x) for x in w], Fraction(0), Fraction(0)
    for counts in category_counts(R, R0, len(w)):
        total = sum(counts) + len(w)
        rates = [Fraction(c + 1, total) for c in counts]
        first = sum(r * x for r, x in zip(rates, w, strict=True))
        second = sum(r * x**2 for r, x in zip(rates, w, strict=True))
        mean += first
        variance += (second - first**2) / (total + 1)
    return mean / len(R), variance / len(R) ** 2


def best_of(k, rewards):
    """The expected best of k drawn from a question's rewards."""
    ordered = sorted(map(ratio, rewards))
    ways = sum(g * comb(i, k - 1) for i, g in enumerate(ordered))
    return ways / comb(len(ordered), k)


def latent_best(k, R, w, R0=None):
    """Posterior mean and variance of the mean over questions of E max of k tries."""
    w, mean, variance = [ratio(x) for x in w], Fraction(0), Fraction(0)
    levels = sorted(set(w))
    gaps = [high - low for low, high in pairwise(levels)]
    for counts in category_counts(R, R0, len(w)):
        total = sum(counts) + len(w)
        at_most = [
            sum(c + 1 for c, x in zip(counts, w, strict=True) if x <= level)
            for level in levels[:-1]
        ]
        below = [power(a, total, k) for a in at_most]
        mean += levels[-1] - sum(g * x for g, x in zip(gaps, below, strict=True))
        for i, a in enumerate(at_most):
            for j, b in enumerate(at_most):
                low, high = sorted((a, b))
                joint = power(high, total, 2 * k) * power(low, high, k)
                variance += gaps[i] * gaps[j] * (joint - below[i] * below[j])
    return mean / len(R), variance / len(R) ** 2


def power(a, total, k):
    """E A^k, A ~ Beta(a, total - a)."""
    return Fraction(prod(range(a, a + k)), prod(range(total, total + k)))
