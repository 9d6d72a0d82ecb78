"""Pairwise probabilities coupled into those of many classes."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass import LinearDiscriminantAnalysis, OneVersusOne
from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.margins.reduction import coupling
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL

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
    with pytest.raises(InvalidInput, match="inside"):
        coupling.solve(BINARY64, coupling.Problem((Vector([0.0, 1.0]), Vector([0.0, 0.0])), (Vector([1.0, 1.0]),) * 2))


def test_a_pair_counts_with_the_weights_of_its_rows():
    """Whole weights couple as so many copies of the rows do: n_ij is the sum of the weights [MC-COUPLE]."""
    rows = [[k / 10 + (k % 3), (k * 7 % 11) / 5] for k in range(24)]
    y, weights = [str(k % 3) for k in range(24)], [1 + 4 * (k % 3 == 0) for k in range(24)]
    copies = [k for k in range(24) for _ in range(weights[k])]
    weighted = OneVersusOne("lda").fit(rows, y, weights).coupled_probabilities(rows)
    copied = OneVersusOne("lda").fit([rows[k] for k in copies], [y[k] for k in copies]).coupled_probabilities(rows)
    assert all(abs(a - b) < 1e-12 for u, v in zip(weighted, copied) for a, b in zip(u, v))
