"""The Gram matrices of the kernel of trust: each kernel by its formula, in fractions, in decimals, in doubles."""

import math
from fractions import Fraction as Q

import pytest

from refclass.kernels.kernel import kernel as of_package
from refclass.kernels.kernel import kernels
from refclass.kernels.matrices.gram import gram
from refclass.linear.matrix import Matrix
from refclass.linear.polar import IN_C
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.oracle import kernel, kernel_gram

X = [[Q(v) for v in row] for row in (("1/2", "3", "1/4"), ("0", "1", "2"), ("7/3", "1/2", "1"), ("2", "2", "2"))]
SQUARE = {"name": "polynomial", "degree": 2, "c": "1/2", "scale": "2/3"}
NEAR = {"name": "gaussian", "gamma": "1/8"}
KERNELS = [
    "linear",
    "polynomial",
    SQUARE,
    {"name": "spline", "start": "1/3"},
    {"name": "interaction_spline", "start": "-1/2", "order": 2},
    {"name": "interaction_spline", "order": 5},
    NEAR,
    {"name": "laplacian", "sigma": "3/2"},
    {"name": "sigmoid", "a": "1/10", "b": -1},
    {"name": "thin_plate", "sigma": 2},
    {"name": "sum", "left": "linear", "right": SQUARE},
    {"name": "sum", "left": NEAR, "right": {"name": "scaled", "c": "1/3", "kernel": "spline"}},
    {"name": "product", "left": SQUARE, "right": {"name": "sum", "left": "linear", "right": "linear"}},
    {"name": "product", "left": NEAR, "right": "interaction_spline"},
    {"name": "scaled", "c": "2/7", "kernel": "polynomial"},
    {"name": "series", "coefficients": [1, "1/2", 0, "2/5"], "kernel": "linear"},
    {"name": "series", "coefficients": ["1/2", 2], "kernel": NEAR},
    {"name": "normalised", "kernel": SQUARE},
    {"name": "exponential", "kernel": {"name": "scaled", "c": "1/9", "kernel": "linear"}},
]


def table(description, points=X):
    """Return the Gram matrix of a description, in fractions, and whether it is positive by a theorem."""
    problem = kernel.Problem({"method": "svc", "x": points, "y": [0, 1, 0, 1], "parameters": {"kernel": description}})
    found = kernel.gram(problem)
    return [[Q(v, found.q) for v in found.row(i)] for i in range(found.n)], found.positive


@pytest.mark.parametrize("description", KERNELS, ids=str)
def test_its_values_are_those_of_the_formula(description):
    """Exactly where + − × ÷ suffice; else to 14 digits those of fifty, and to the last bit those of doubles."""
    own = of_package(RATIONAL, description)
    found, positive = table(description)
    assert positive == own.positive
    if own.exact and "normalised" not in str(description):  # whose roots are exact at some points only
        assert found == [list(row) for row in gram(RATIONAL, own, Matrix.of(X))]
        return
    F = decimal(50)
    right = gram(F, of_package(F, description), Matrix.of([F.lift_all(x) for x in X]))
    assert all(math.isclose(u, v, rel_tol=1e-14) for rows in zip(found, right) for u, v in zip(*rows))
    rounded = Matrix.of([BINARY64.lift_all(x) for x in X])
    if not IN_C:
        return  # PyPy sums squares of distances in the package one by one, and in `math.dist` otherwise
    assert found == [list(map(Q, row)) for row in gram(BINARY64, of_package(BINARY64, description), rounded)]


def test_values_by_hand():
    """k(1, 2) = 1·(6 − 1)/6 of the cubic spline; (1 + s)(1 + s) − 1 without a limit on the variables; e, tanh, log."""
    one, two = [Q(1), Q(1)], [Q(2), Q(0)]
    own = kernel_gram.described("spline", Q)
    row, q, *_ = kernel_gram.table(own, [one, two])
    assert [Q(v, q) for v in row(0)] == [Q(2, 3), Q(5, 6)]
    row, q, *_ = kernel_gram.table(kernel_gram.described("interaction_spline", Q), [one, two])
    assert [Q(v, q) for v in row(0)] == [Q(40, 9), Q(2) + Q(5, 6)]
    for name, want in (("exponential", math.exp(2)), ("normalised", Q(1))):
        own = kernel_gram.described({"name": name, "kernel": "linear"}, Q)
        row, q, *_ = kernel_gram.table(own, [one])
        assert math.isclose(Q(row(0)[0], q), want, rel_tol=1e-15)


def test_a_normalised_kernel_needs_positive_values_at_all_points():
    """However small; one point at the origin of a linear kernel is enough to refuse it."""
    own = kernel_gram.described({"name": "normalised", "kernel": "linear"}, Q)
    row, q, *_ = kernel_gram.table(own, [[Q(1, 2)], [Q(3)]])
    assert [Q(v, q) for v in row(0)] == [1, 1]
    with pytest.raises(ValueError, match="need points with k"):
        kernel_gram.table(own, [[Q(1)], [Q(0)]])


def test_every_kernel_that_a_problem_can_name_is_known_or_has_no_rows_of_numbers():
    """Strings and compositions of counts have no Gram matrix here; functions and matrices no description."""
    assert set(kernels()) - set(kernel_gram.PARAMETERS) == {"dirichlet", "string"}


BAD = [
    {},
    3,
    {"name": "string"},
    {"name": ["linear"]},
    {"name": "linear", "gamma": 1},
    {"name": "sum", "left": "linear"},
    {"name": "sum", "left": "linear", "right": "precomputed"},
    {"name": "product", "left": "linear", "right": {"name": "gaussian", "gamma": "scale"}},
    {"name": "scaled", "c": -1, "kernel": "linear"},
    {"name": "series", "coefficients": [], "kernel": "linear"},
    {"name": "series", "coefficients": [1, -1], "kernel": "linear"},
    {"name": "interaction_spline", "order": 0},
    {"name": "interaction_spline", "order": "3/2"},
    {"name": "thin_plate", "sigma": 0},
    {"name": "gaussian"},
    {"name": "normalised", "kernel": {"name": "scaled", "c": 0, "kernel": "linear"}},
]


@pytest.mark.parametrize("bad", BAD, ids=str)
def test_a_kernel_without_a_meaning_is_refused(bad):
    """What is unknown, missing, or out of its range."""
    with pytest.raises(ValueError, match="need|Invalid literal"):
        table(bad)


def test_points_below_zero_are_brought_into_range_as_those_above():
    """Distances of 2⁶⁰⁰ have no squares in doubles; "scale" divides by the largest size, of either sign."""
    far = [[Q(-(2**600) * v)] for v in (0, 1, 2, 4)]
    mirrored = [[-v for v in x] for x in far]
    description = {"name": "gaussian", "gamma": "scale"}
    found, _ = table(description, far)
    assert found == table(description, mirrored)[0] and found[0][1] < 1


def test_a_rate_that_follows_from_the_scale_leaves_the_values_at_any_unit():
    """Units of 2^±600, whose squares doubles do not hold, change no bit: points are scaled by a power of two."""
    own = kernel_gram.described({"name": "gaussian", "gamma": "scale"}, Q)
    points = [[Q(v) for v in row] for row in ((0.1, 0.7), (0.3, -1.9), (2.3, 0.9), (-1.7, 1.1))]
    want = kernel_gram.table(own, points)
    for power in (-600, 600):
        got = kernel_gram.table(own, [[v * Q(2) ** power for v in x] for x in points])
        assert [got.row(j) for j in range(4)] == [want.row(j) for j in range(4)]
