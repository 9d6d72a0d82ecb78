"""Functions fitted in doubles beside those of exact fits, on unscaled tables: an objective of nine digits hides others.

Coefficients, constants, lengths and intercepts that are the only ones have nine digits of what they are terms of.
"""

from fractions import Fraction as Q
from random import Random

import pytest

from refclass import (
    SVC,
    SVR,
    ActualDistanceSVC,
    KernelRidge,
    LinearDiscriminantAnalysis,
    NeuralNetwork,
    Ridge,
    SparseDiscriminant,
)
from refclass.errors import NoAnswer, NotConverged
from refclass.kernels.matrices import expansions
from refclass.linear.vector import Rounded
from tests.hunt.scaled_tables import UNSCALED

SEEDS = range(12)


def table(seed, *, labelled):
    """Return rows of one column or two, each with a label of two classes or a response."""
    r = Random(f"functions {seed}")
    n, p = r.choice([4, 6, 9]), r.choice([1, 2])
    X = r.choice(UNSCALED)(r, n, p)
    return X, [i % 2 if labelled else round(r.gauss(0, 2), 2) for i in range(n)]


def near(got, want, size, digits=9):
    """Return whether numbers agree to so many digits of a size."""
    return all(abs(Q(a) - Q(b)) * 10**digits <= size for a, b in zip(got, want))


@pytest.mark.long
def test_machines_have_the_intercepts_and_the_zero_functions_of_exact_ones():
    """Ends of intercepts to six digits of one; coefficients of zero, and no margin of roundoff  [KIM-3.49]."""
    compared = 0
    for seed in range(24):
        X, y = table(seed, labelled=True)
        C = Random(seed).choice([1, 100, 10**5])
        try:
            own, exact = (SVC(C=C, arithmetic=name).fit(X, y) for name in ("float", "exact"))
        except NotConverged:
            continue
        if not any(exact.coef_[0]):
            assert not any(own.coef_[0]) and not hasattr(own, "margin_"), seed
        low, high = exact.intercept_interval_
        if low is not None and high is not None and own.certificate_.digits >= 14 and low != high:
            assert near(own.intercept_interval_, (low, high), max(1, abs(low), abs(high)), 6), seed
            compared += 1
    assert compared > 2


def test_a_multiplier_of_roundoff_is_zero_and_fixes_no_intercept():
    """α = 2·10⁻³² of a point beyond its margin left one end of the interval out."""
    X = [[-0.2864224085752217], [-0.9399003554888945], [-0.2851825034624211], [0.6198826962205848]]
    X, y = [*X, [-0.25917192980877335]], [0, 1, 0, 1, 0]
    own, exact = (SVC(arithmetic=name).fit(X, y) for name in ("float", "exact"))
    low, high = exact.intercept_interval_
    assert low < high and near(own.intercept_interval_, (low, high), 1, 14) and own.alpha_[0] == 0


@pytest.mark.parametrize("seed", range(6))
def test_bounds_that_balance_in_doubles_alone_leave_one_end(seed):
    """Costs of 10⁻¹⁰⁰ beside others of one: the slope between the ends is a bound of 10⁻¹⁰⁰, not zero."""
    r = Random(seed)
    X, y = [[0]] * 5, [round(r.gauss(0, 1), 2) for _ in range(5)]
    w = [r.choice([Q(1, 10**100), 1, 1]) for _ in y]
    own, exact = (SVR(arithmetic=name).fit(X, y, list(map(kind, w))) for name, kind in (("float", float), ("exact", Q)))
    assert near(own.intercept_interval_, exact.intercept_interval_, 1)


def test_a_constant_function_has_coefficients_of_zero():
    """Points whose classes have equal weighted means: 27 digits of the optimum left coefficients of 10⁻⁵²."""
    X = [(1020000, 7), (980000, 7), (1020000, 7), (1000000, 7), (990000, 7), (1020000, 7)]
    m = SVC(C=1e5).fit(X, [0, 1] * 3, [1, 0.5, 2, 0.5, 2, 1])
    assert m.coef_ == [[0.0, 0.0]] and not hasattr(m, "margin_") and m.intercept_ == [-1.0]


def test_a_function_that_is_nearly_constant_keeps_its_coefficients():
    """Columns and costs of 10⁻⁶: f varies by 10⁻¹⁸, which the objective does not show; β is that of the multipliers."""
    X = [[-4.895e-07], [-1.0384e-06], [-8.7813e-07], [4.3716e-07], [-1.13536e-06]]
    m = SVC(C=1e-6).fit(X, [0, 2, 0, 2, 0], [1, 1000, 1, 0.5, 2])
    beta = sum(Q(v) * Q(X[i][0]) for i, v in zip(m.support_, m.dual_coef_[0]))
    assert beta and near(m.coef_[0], [beta], abs(beta), 12)


def test_a_multiplier_put_at_its_bound_moves_no_function():
    """3·10⁻²⁶ beside 100 is all of f where the kernel is 6·10²⁵: the fit had no digit, and said 200."""
    m = SVC(C=100.0, kernel={"name": "polynomial", "degree": 3}).fit([[0], [20000], [-20000], [0]], [0, 1, 0, 1])
    assert m.certificate_.digits >= 9 and m.predict([[20000], [-20000]]) == [1, 0]


@pytest.mark.parametrize("seed", SEEDS)
def test_regressions_have_the_values_of_exact_ones(seed):
    """Kernel ridge and ridge regression, at the rows and away from them  [ESL-12.45] [ESL-12.47]."""
    X, y = table(seed, labelled=False)
    Z = [X[0], [v * 1.5 for v in X[-1]], [X[i][j] for j, i in enumerate(range(len(X[0])))]]
    for kind, given in ((KernelRidge, {}), (Ridge, {"penalty": Q(1, 100)}), (KernelRidge, {"intercept": False})):
        try:
            own, exact = (kind(arithmetic=name, **given).fit(X, y) for name in ("float", "exact"))
        except NotConverged:
            continue
        want = exact.predict(Z)
        few = kind is KernelRidge and own.certificate_.digits < 14  # the multipliers have no more
        assert near(own.predict(Z), want, max(1, *map(abs, want), *map(abs, y)), 5 if few else 8), kind


def test_multipliers_of_six_digits_leave_the_coefficients_all():
    """Weights, λ = 1/100 and a column of 10⁴: an objective of ten digits had values of five."""
    X, y = [[24160], [15020], [-20900], [13530], [-6550], [-3220]], [3.77, 1.77, -1.18, 0.03, -1.13, -2.19]
    w = [1, 0.5, 0.5, 0.5, 2, 1]
    own = KernelRidge(penalty=0.01).fit(X, y, w)
    exact = KernelRidge(penalty=Q(0.01), arithmetic="exact").fit(X, y, w)
    assert near(own.coef_, exact.coef_, abs(exact.coef_[0]), 13) and near(own.predict(X), exact.predict(X), 1, 13)


@pytest.mark.parametrize("seed", SEEDS)
def test_slack_in_actual_distance_has_the_length_of_the_exact_normal(seed):
    """Of one column the margin 1/|β| is rational  [ESL-12.5] [RC-31]."""
    X, y = table(seed, labelled=True)
    X = [row[:1] for row in X]
    try:
        exact = ActualDistanceSVC(arithmetic="exact").fit(X, y)
    except NoAnswer:
        with pytest.raises(NoAnswer):
            ActualDistanceSVC().fit(X, y)
        return
    own = ActualDistanceSVC().fit(X, y)
    M = exact.distance_
    assert near([own.distance_, *own.slack_], [M, *exact.slack_], M, 13) and own.coef_ == [[float(exact.coef_[0][0])]]


@pytest.mark.parametrize("spread", [1, Q(1, 100), Q(1, 10**4)])
def test_discriminants_far_away_have_the_constants_of_exact_ones(spread):
    """At 10⁷ a score is a sum of terms 10⁷ to 10¹¹ times as large  [ESL-4.10]."""
    X = [[10**7 + spread * v for v in row] for row in ((1, -1), (-2, -1), (-2, -1), (-2, 2), (0, 3), (4, 1))]
    y = [0, 1] * 3
    own, exact = (LinearDiscriminantAnalysis(arithmetic=name).fit(X, y) for name in ("float", "exact"))
    assert near(own.coef_[0], exact.coef_[0], max(map(abs, exact.coef_[0])), 13)
    assert near(own.intercept_, exact.intercept_, max(1, abs(exact.intercept_[0])), 13)
    other, sparse = (SparseDiscriminant(penalty=0, arithmetic=name).fit(X, y) for name in ("float", "exact"))
    values = sparse.decision_function(X)
    assert near(other.decision_function(X), values, max(map(abs, values)), 9)


def test_coefficients_of_denormal_columns_are_summed_from_what_was_read():
    """5·10⁻³²⁰ in doubles is another number in its fourth digit; so was β  [ESL-12.10]."""
    rows = [[Q(5 * k, 10**320)] for k in (3, -7, 2)]
    points, w = [Rounded.from_given(map(float, row), row) for row in rows], [2.5e99, -1.5e99, -1e99]
    want = float(sum(Q(a) * row[0] for a, row in zip(w, rows)))
    assert list(expansions.normal(w, points)) == [want] != [sum(a * float(row[0]) for a, row in zip(w, rows))]


def test_a_network_that_stalls_in_doubles_goes_on():
    """Weights of 1,000 hid what steps gain while the gradient was above tol  [CMP-MLP]."""
    r, met = Random(5), []
    for seed in range(2):
        X = [[round(r.gauss(0, 1) * 1e6), 7] for _ in range(10)]
        w = [r.choice([0.5, 1, 1000, 1000]) for _ in X]
        m = NeuralNetwork(hidden=2, penalty=0.5, tol=1e-8, seed=seed).fit(X, [i % 3 for i in range(10)], w)
        met.append(m.certificate_.status)
        assert m.objective_ == m.objectives_[-1]
    assert met == ["stationary"] * 2
