"""Pairwise probabilities coupled into those of many classes."""

from fractions import Fraction
from itertools import combinations, permutations
from math import exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass import LinearDiscriminantAnalysis, OneVersusOne, PairwiseCoupling
from refclass.errors import InvalidInput, NotExact
from refclass.linear.vector import Vector
from refclass.margins.reduction import coupling
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.oracle import table
from tests.profiles import examples

WORST = Fraction(1, 10**13)  # relative, of the mass between two sets of classes: denormals are not drawn

chances = st.lists(st.floats(0.02, 1), min_size=3, max_size=5)


def pairwise(p, n=1.0):
    """Return the problem whose pairs are those of the probabilities p."""
    K = len(p)
    r = tuple(Vector([p[i] / (p[i] + p[j]) for j in range(K)]) for i in range(K))
    return coupling.Problem(r, (Vector([n] * K),) * K)


@given(chances)
def test_consistent_pairs_give_back_their_probabilities(weights):
    """Where r_ij = p_i/(p_i + p_j), the coupled probabilities are p  [MC-COUPLE.P1]."""
    p = [w / sum(weights) for w in weights]
    found = coupling.solve(BINARY64, pairwise(p))
    assert all(abs(a - b) < 1e-10 for a, b in zip(found, p)) and abs(sum(found) - 1) < 1e-14


@given(st.lists(st.floats(0.05, 0.95), min_size=3, max_size=3))
def test_the_equations_hold_whatever_the_pairs(values):
    """Σ n μ = Σ n r for every class, up to roundoff; classes in another order have their probabilities in that order
    [MC-COUPLE.P2]."""
    a, b, c = values
    r = [[0.5, a, b], [1 - a, 0.5, c], [1 - b, 1 - c, 0.5]]
    n = [[0.0, 3.0, 5.0], [3.0, 0.0, 7.0], [5.0, 7.0, 0.0]]
    problem = coupling.Problem(tuple(map(Vector, r)), tuple(map(Vector, n)))
    p = coupling.solve(BINARY64, problem)
    assert problem.violation(p) < 1e-11
    for order in permutations(range(3)):
        turned = [tuple(Vector([M[i][j] for j in order]) for i in order) for M in (r, n)]
        again = coupling.solve(BINARY64, coupling.Problem(*turned))
        assert all(abs(again[k] - p[i]) < 1e-9 for k, i in enumerate(order))


def test_two_classes_keep_their_own_probabilities_exactly():
    """There is nothing to couple; and each sweep lowers the violation of three fractions  [MC-COUPLE.P3]."""
    third = Fraction(1, 3)
    problem = coupling.Problem((Vector([third, third]), Vector([1 - third, third])), (Vector([Fraction(1)] * 2),) * 2)
    assert coupling.solve(RATIONAL, problem) == Vector([third, 1 - third])
    three = pairwise([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], Fraction(1))
    iteration = coupling.steps(three, Vector([third] * 3))
    sizes = [three.violation(next(iteration)) for _ in range(3)]
    assert sizes[0] > sizes[1] > sizes[2] > 0


def test_pairs_of_linear_discriminants_are_coupled():
    """Probabilities for each class, near those of all classes together where these are normal; decision values alone
    are refused."""
    rows = [[k / 10 + 3 * (k % 3), (k * 7 % 11) / 5] for k in range(60)]
    y = [str(k % 3) for k in range(60)]
    model = OneVersusOne("lda").fit(rows, y)
    found = model.coupled_probabilities(rows)
    whole = LinearDiscriminantAnalysis().fit(rows, y).predict_proba(rows)
    assert all(abs(sum(row) - 1) < 1e-12 and min(row) > 0 for row in found)
    assert sum(abs(a - b) for u, v in zip(found, whole) for a, b in zip(u, v)) / len(rows) < 0.1
    with pytest.raises(InvalidInput, match="with predict_proba"):
        OneVersusOne("svc").fit(rows, y).coupled_probabilities(rows)
    with pytest.raises(InvalidInput, match="with predict_proba; got 'svc'"):
        PairwiseCoupling("svc").fit(rows, y)
    with pytest.raises(InvalidInput, match="of sum 1"):
        coupling.solve(BINARY64, coupling.Problem((Vector([0.0, 1.0]), Vector([0.5, 0.0])), (Vector([1.0, 1.0]),) * 2))


def test_a_pair_counts_with_the_weights_of_its_rows():
    """Whole weights couple as so many copies of the rows do: n_ij is the sum of the weights [MC-COUPLE]."""
    rows = [[k / 10 + (k % 3), (k * 7 % 11) / 5] for k in range(24)]
    y, weights = [str(k % 3) for k in range(24)], [1 + 4 * (k % 3 == 0) for k in range(24)]
    copies = [k for k in range(24) for _ in range(weights[k])]
    weighted = OneVersusOne("lda").fit(rows, y, weights).coupled_probabilities(rows)
    copied = OneVersusOne("lda").fit([rows[k] for k in copies], [y[k] for k in copies]).coupled_probabilities(rows)
    assert all(abs(a - b) < 1e-12 for u, v in zip(weighted, copied) for a, b in zip(u, v))


def test_consistent_fractions_give_back_their_probabilities_exactly():
    """1/p_i = 1 + Σ r_ji/r_ij where r_ij = p_i/(p_i + p_j), in fractions with ==; others have an irrational p."""
    p = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    assert list(coupling.solve(RATIONAL, pairwise(p, Fraction(2)))) == p
    half, most = Fraction(1, 2), Fraction(9, 10)
    r = [[half, most, most], [1 - most, half, most], [1 - most, 1 - most, half]]
    with pytest.raises(NotExact, match="agree"):
        coupling.solve(RATIONAL, coupling.Problem(tuple(map(Vector, r)), (Vector([Fraction(1)] * 3),) * 3))


def nearly_certain(log_odds, certain):
    """Return a problem of floats with these log-odds of the pairs, those of `certain` 0 and 1."""
    K = next(k for k in range(2, 9) if k * (k - 1) == 2 * len(log_odds))
    r = [[0.5] * K for _ in range(K)]
    for (i, j), d, sure in zip(combinations(range(K), 2), log_odds, certain):
        e = 0.0 if sure else exp(-abs(d))
        r[i][j], r[j][i] = (1 / (1 + e), e / (1 + e)) if d > 0 else (e / (1 + e), 1 / (1 + e))
    n = [Vector([float(1 + (i + j) % 3 * 500) for j in range(K)]) for i in range(K)]
    return coupling.Problem(tuple(map(Vector, r)), tuple(n))


def imbalance(problem, p):
    """Return the largest relative difference of Σ n μ and Σ n r over the pairs between two sets of classes.

    The sets are the classes of positive probability, cut everywhere in their order.
    """
    order = sorted((i for i in range(len(p)) if p[i]), key=lambda i: -p[i])
    worst = Fraction(0)
    for c in range(1, len(order)):
        pairs = [(i, j) for j in order[:c] for i in order[c:]]
        n = [Fraction(problem.n[i][j]) for i, j in pairs]
        a = sum(m * Fraction(p[i]) / (Fraction(p[i]) + Fraction(p[j])) for m, (i, j) in zip(n, pairs))
        small = [(Fraction(problem.r[i][j]), 1 - Fraction(problem.r[j][i])) for i, j in pairs]
        b = sum(m * (u if u <= Fraction(1, 2) else v) for m, (u, v) in zip(n, small))
        worst = max(worst, abs(a - b) / (a + b) if a + b else worst)
    return worst


@given(
    st.sampled_from([3, 6, 10]).flatmap(lambda k: st.lists(st.floats(-100, 100), min_size=k, max_size=k)),
    st.lists(st.integers(0, 9).map(lambda k: not k), min_size=10, max_size=10),
)
def test_nearly_certain_pairs_are_coupled_to_the_last_digits(log_odds, certain):
    """The equations hold for every cut of the classes in their order, probabilities of 10^−43 and 0 included
    [MC-COUPLE.P2]."""
    problem = nearly_certain(log_odds, certain)
    p = coupling.solve(BINARY64, problem)
    assert abs(sum(p) - 1) < 1e-15 * len(p) and imbalance(problem, p) < WORST
    for i, j in combinations(range(len(p)), 2):
        if p[i] and not p[j]:
            assert problem.r[i][j] == 1


@given(st.floats(-30, 30), st.floats(-30, 30), st.floats(-30, 30))
def test_sweeps_and_newtons_method_end_at_the_same_probabilities(a, b, c):
    """Where pairs are far from certain the sweeps of Hastie and Tibshirani reach what Newton's method does; everywhere
    they stay there  [MC-COUPLE.P1]."""
    problem = nearly_certain([a / 15, b / 15, c / 15], [False] * 3)
    p = coupling.solve(BINARY64, problem)
    iteration = coupling.steps(problem, Vector([1 / 3] * 3))
    for _ in range(400):
        found = next(iteration)
    assert max(abs(u - v) for u, v in zip(found, p)) < 1e-12
    problem = nearly_certain([a, b, c], [False] * 3)
    p = coupling.solve(BINARY64, problem)
    assert max(abs(u - v) for u, v in zip(next(coupling.steps(problem, p)), p)) < 1e-13


def test_pairs_without_a_least_divergence_have_its_limit():
    """A class that wins with certainty has p = 1; a set of classes that wins against the others with certainty has the
    probabilities of its own pairs; for the limit the equations of r = 10^−200 instead of 0 vouch."""
    sure = [False, False, True, False, True, True]
    problem = nearly_certain([1.0, -0.5, 9.0, 0.25, 9.0, 9.0], sure)
    p = coupling.solve(BINARY64, problem)
    inner = nearly_certain([1.0, -0.5, 0.25], [False] * 3)
    assert list(p) == [*coupling.solve(BINARY64, inner), 0.0]
    r = [[v or 1e-200 for v in row] for row in problem.r]
    near = coupling.solve(BINARY64, coupling.Problem(tuple(map(Vector, r)), problem.n))
    assert max(abs(u - v) for u, v in zip(near, p)) < 1e-15 and 0 < near[3] < 1e-198
    assert list(coupling.solve(BINARY64, nearly_certain([9.0, 9.0, 1.0], [True, True, False]))) == [1.0, 0.0, 0.0]
    decimals = decimal(30)
    for digits in (2000, 9000):  # the second is an integer that Python does not print
        half, tiny = 1 / decimals.kind(2), decimals.kind(10) ** -digits
        one, even = decimals.kind(1), (Vector([decimals.kind(1)] * 3),) * 3
        r, zero = ([[half, v, half], [one, half, half], [half, half, half]] for v in (tiny, 0 * tiny))
        found, limit = (coupling.solve(decimals, coupling.Problem(tuple(map(Vector, M)), even)) for M in (r, zero))
        assert list(found) == list(limit)  # all three classes stay: that of zero, but for 10⁻²⁰⁰⁰
        r[0][2], r[2][0] = tiny, one
        found = coupling.solve(decimals, coupling.Problem(tuple(map(Vector, r)), even))
        assert list(found) == [tiny / 2, half, half]  # 2p₀/(p₀ + ½) = 2 · 10⁻²⁰⁰⁰


@settings(max_examples=examples(5))
@given(st.sampled_from([3, 6]).flatmap(lambda k: st.lists(st.floats(-20000, 20000), min_size=k, max_size=k)))
def test_pairs_of_any_rarity_are_coupled_to_the_last_digits(log_odds):
    """Decimals hold the probabilities of classes that lose but for 10^−8000: the equations of every cut of the classes
    hold to the last digits but a few, and doubles are these, rounded  [MC-COUPLE.P2]."""
    D, K = decimal(30), 3 if len(log_odds) == 3 else 4
    r = [[D.kind(1) / 2] * K for _ in range(K)]
    for (i, j), d in zip(combinations(range(K), 2), log_odds):
        e = D.exp(-abs(D.lift(d)))
        r[i][j], r[j][i] = (1 / (1 + e), e / (1 + e)) if d > 0 else (e / (1 + e), 1 / (1 + e))
    n = [Vector([D.lift(1 + (i + j) % 3 * 500) for j in range(K)]) for i in range(K)]
    p = coupling.solve(D, coupling.Problem(tuple(map(Vector, r)), tuple(n)))
    assert imbalance(coupling.Problem(tuple(map(Vector, r)), tuple(n)), p) < Fraction(1, 10**26)
    doubles = coupling.Problem(*(tuple(Vector([float(v) for v in row]) for row in M) for M in (r, n)))
    assert max(abs(a - float(b)) for a, b in zip(coupling.solve(BINARY64, doubles), p)) < 1e-13


@pytest.mark.slow
@pytest.mark.parametrize("base", ["lda", "qda", "nearest_neighbors", "tree"])
def test_pairs_that_floats_round_to_certainty_are_coupled(base):
    """Iris, of whose pairs many have probabilities that are 1 in floats: each row has a probability for each class, and
    the largest is that of the label but for few rows."""
    t = table.embedded("iris")
    x, y = t.numbers([name for name in t.names if name != "species"], float), t.column("species")
    model = PairwiseCoupling(base).fit(x, y)
    found = model.predict_proba(x[::6])
    assert all(abs(sum(row) - 1) < 1e-14 and min(row) >= 0 for row in found)
    assert sum(a == b for a, b in zip(model.predict(x[::6]), y[::6])) >= 24
