"""Small problems for the path: points on a grid, so that duplicates, collinear points and ties are the rule."""

from fractions import Fraction

from hypothesis import strategies as st

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.path import path_state


def linear(x, z):
    return sum(a * b for a, b in zip(x, z))


def quadratic(x, z):
    return (1 + linear(x, z)) ** 2


def narrow(x, z):
    """A strictly positive definite kernel with rational values: the product of 1/(1 + 3|xₖ − zₖ|²)."""
    value = Fraction(1)
    for a, b in zip(x, z):
        value /= 1 + 3 * (a - b) ** 2
    return value


def problem(X, labels, kernel=linear, kind=Fraction):
    K = Matrix([[kind(Fraction(kernel(x, z))) for z in X] for x in X])
    return path_state.Problem(K, Vector([kind(1 if k else -1) for k in labels]))


@st.composite
def problems(draw, kernels=(linear, linear, quadratic, narrow), kind=Fraction, most=6):
    p = draw(st.integers(1, 3))
    sizes = draw(st.sampled_from([(1, most), (most, 1), (most, most), (most, most // 2), (2, 2)]))
    rows = [
        ([draw(st.integers(-2, 2)) for _ in range(p)], k)
        for k, most_of_class in enumerate(sizes)
        for _ in range(draw(st.integers(1, most_of_class)))
    ]
    rows = draw(st.permutations(rows))
    return problem([x for x, _ in rows], [k for _, k in rows], draw(st.sampled_from(kernels)), kind)


def inquiries(found, count=12):
    """Values of λ above, at, between and below the break points."""
    lambdas = [s.lam for s in found.states]
    if not lambdas:
        one = found.start.kind(1)
        return [one / 10, one, 10 * one]
    between = [(a + 2 * b) / 3 for a, b in zip(lambdas, lambdas[1:])]
    every = [3 * lambdas[0], 5 * lambdas[0] / 4, *lambdas, *between, lambdas[-1] / 2, lambdas[-1] / 50]
    return every if len(every) <= count else every[:2] + every[2 : -2 : max(1, len(every) // count)] + every[-2:]


def violation(case, lam, alpha, alpha0):
    """The largest violation of the conditions of optimality at λ, relative to 1 + λ."""
    y, n = case.y, len(case.y)
    signed = alpha.times(y)
    worst = abs(sum(signed))
    for i in range(n):
        excess = y[i] * (case.K[i] @ signed + alpha0) - lam
        worst = max(worst, -alpha[i], alpha[i] - 1)
        if alpha[i] > 0:
            worst = max(worst, excess)
        if alpha[i] < 1:
            worst = max(worst, -excess)
    return worst / (1 + lam)
