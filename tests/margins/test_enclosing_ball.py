"""The smallest enclosing ball."""

import random
from fractions import Fraction as Q
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass import enclosing_ball as public
from refclass.errors import NoAnswer
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows, gram
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins import enclosing_ball
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.optimise.active_set import crossover
from refclass.optimise.quadratic import certificate as quadratic
from tests.hunt import kinds
from tests.profiles import examples
from tests.strategies import SIZES, fractions

some = settings(max_examples=examples(15))


@st.composite
def points(draw, most=7):
    """Points in one to three dimensions; duplicates and collinear points happen."""
    p = draw(st.integers(1, 3))
    return Matrix(draw(st.lists(st.lists(fractions, min_size=p, max_size=p), min_size=1, max_size=most)))


def solved(X):
    """The ball around rational points, its Gram matrix, its centre."""
    K = X @ X.T
    found = enclosing_ball.solve(RATIONAL, K)
    return found, K, enclosing_ball.centre(found.weights, X)


def square(x, z):
    """The squared distance of two points."""
    return (x - z) @ (x - z)


@some
@given(points())
def test_every_point_is_inside_and_support_points_are_on_the_sphere(X):
    """‖xᵢ − c‖² ≤ R², with == where αᵢ > 0, and c is a convex combination of those points  [RC-26]."""
    found, _, c = solved(X)
    assert min(found.weights) >= 0 and found.weights.sum() == 1
    distances = [square(x, c) for x in X]
    assert max(distances) == found.square and all(distances[i] == found.square for i in found.support)


@some
@given(points())
def test_the_proof_has_no_gap(X):
    """Primal and dual are equal, with ==, nothing is violated; the quadratic problem's own proof agrees  [RC-26]."""
    found, K, _ = solved(X)
    proof = enclosing_ball.certify(K, found)
    assert (proof.status, proof.gap, proof.worst_violation) == ("optimal", 0, 0)
    assert proof.primal == proof.dual == found.square
    own = quadratic.certify(enclosing_ball.problem(K), crossover.solve(enclosing_ball.problem(K)))
    assert own.status == "optimal" and -2 * own.primal == found.square


def circumscribed(P):
    """Return the centre of the smallest sphere through the points, in their affine hull; None if there is none."""
    edges = [x - P[0] for x in P[1:]]
    if not edges:
        return P[0]
    G = Matrix([[2 * (a @ b) for b in edges] for a in edges])
    if fraction_free.rank(G) < len(edges):
        return None
    shares = fraction_free.solve(G, Vector([a @ a for a in edges]))
    return sum((s * a for s, a in zip(shares, edges)), P[0])


@some
@given(points(most=6))
def test_the_ball_is_the_smallest_of_those_through_some_of_the_points(X):
    """Of all spheres through up to p + 1 points that enclose the others none is smaller, and only this centre has it:
    the centre is unique  [RC-26]."""
    found, _, c = solved(X)
    best = []
    for size in range(1, len(X[0]) + 2):
        for P in combinations(X, size):
            z = circumscribed(P)
            if z is not None:
                best.append((max(square(x, z) for x in X), z))
    least = min(r for r, _ in best)
    assert found.square == least and {tuple(z) for r, z in best if r == least} == {tuple(c)}


@some
@given(points(), st.randoms(use_true_random=False))
def test_copies_and_the_order_of_points_change_nothing_but_weights(X, rng):
    """Centre and radius stay when points are repeated and shuffled  [RC-26]."""
    found, _, c = solved(X)
    rows = [*X, *X[:2]]
    rng.shuffle(rows)
    again, _, other = solved(Matrix(rows))
    assert (found.square, c) == (again.square, other)


@pytest.mark.parametrize("n", SIZES)
def test_points_on_a_line_are_enclosed_by_their_ends(n):
    """R is half the length, the centre the middle; one point is a ball of radius zero."""
    X = Matrix([[Q(2 * i), Q(-i)] for i in range(n)])
    found, K, c = solved(X)
    assert c == (X[0] + X[-1]) / 2 and found.square == Q(5 * (n - 1) ** 2, 4)
    assert enclosing_ball.certify(K, found).gap == 0


def test_any_ball_gets_a_true_gap():
    """For weights that are not the best, the gap is by how much R² could fall at most; errors in them are named."""
    X = Matrix([[Q(0)], [Q(1)], [Q(4)]])
    K = X @ X.T
    guess = enclosing_ball.Ball(Vector([Q(1, 2), Q(0), Q(1, 2)]), Q(4))
    assert enclosing_ball.certify(K, guess).gap == 0
    poor = enclosing_ball.certify(K, enclosing_ball.Ball(Vector([Q(1), Q(0), Q(0)]), Q(16)))
    assert (poor.status, poor.primal, poor.dual) == ("not converged", 16, 0)
    wrong = enclosing_ball.certify(K, enclosing_ball.Ball(Vector([Q(1), Q(0), Q(1)]), Q(4)))
    assert wrong.status == "not converged" and (wrong.where, wrong.worst_violation) == ("sum of the weights", 1)
    wrong = enclosing_ball.certify(K, enclosing_ball.Ball(Vector([Q(1, 2), Q(0), Q(1, 2)]), Q(3)))
    assert (wrong.where, wrong.worst_violation, wrong.status) == ("R²", 1, "not converged")
    wrong = enclosing_ball.certify(K, enclosing_ball.Ball(Vector([Q(1), Q(-1, 2), Q(1, 2)]), Q(64, 9)))
    assert wrong.where == "sign of a weight"


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.5)], ids=str)
def test_in_doubles_the_gap_is_small(kernel):
    """At 200 points, rows on demand or a matrix: R² is within a billionth of the least, proven exactly  [RC-26]."""
    rng = random.Random(2)
    X = Matrix([[rng.gauss(0, 1), rng.gauss(0, 2), rng.random()] for _ in range(200)])
    rows = enclosing_ball.solve(BINARY64, Rows(BINARY64, kernel, X))
    K = gram(BINARY64, kernel, X)
    for found in (rows, enclosing_ball.solve(BINARY64, K)):
        proof = enclosing_ball.certify(K, found)
        assert 0 <= proof.gap <= proof.primal * Q(1, 10**9) and proof.worst_violation < Q(1, 10**12)


@pytest.mark.parametrize("kernel", ["linear", {"name": "polynomial", "degree": 2}, {"name": "polynomial", "degree": 3}])
@pytest.mark.parametrize("kind", [kinds.offset, kinds.mixed, kinds.outlier, kinds.copies, kinds.prices])
def test_in_doubles_the_ball_is_proven_on_hard_tables(kind, kernel):
    """Nine digits of R² where doubles of K have none of the distances between points."""
    for seed in range(examples(4)):
        r = random.Random(seed)
        X = kind(r, r.choice([2, 5, 9]), r.choice([1, 2, 3]))
        found, exact = public(X, kernel=kernel), public(X, kernel=kernel, arithmetic="exact")
        assert found.certificate.digits >= 9 and found.certificate.status == "optimal"
        assert abs(Q(found.square) - exact.square) <= exact.square / 10**9


def test_a_constant_diagonal_leaves_the_shortest_mean():
    """Where K(x, x) = 1 the centre is the point of the convex hull nearest to the origin, and R² = 1 − ‖c‖² < 1."""
    X = Matrix([[Q(1), Q(0)], [Q(0), Q(1)], [Q(3, 5), Q(4, 5)]])
    found, _, c = solved(X)
    assert found.square == 1 - c @ c == Q(1, 2) and c == Vector([Q(1, 2), Q(1, 2)])
    dense = gram(BINARY64, Gaussian(50.0), Matrix([[0.0], [1.0], [2.0]]))
    assert abs(enclosing_ball.solve(BINARY64, dense).square - 2 / 3) < 1e-9  # orthonormal points: R² = 1 − 1/n


def test_points_that_coincide_have_a_radius_of_zero():
    """In doubles as in fractions."""
    for F in (RATIONAL, BINARY64):
        one = F.lift(3)
        assert enclosing_ball.solve(F, Matrix([[one * one] * 3] * 3)).square == 0


def test_decimals_are_the_exact_answer_rounded():
    """Weights and R² to the last digit."""
    F = decimal(30)
    X = Matrix([[F.lift(v)] for v in (0, 1, 3)])
    found = enclosing_ball.solve(F, X @ X.T)
    assert found.square == F.lift(Q(9, 4)) and found.weights[1] == 0


def test_a_table_that_is_no_gram_matrix_is_refused():
    """Without distances there is no ball: the direction proves it."""
    K = Matrix([[Q(0), Q(1)], [Q(1), Q(0)]])
    with pytest.raises(NoAnswer) as refusal:
        enclosing_ball.solve(RATIONAL, K, positive=False)
    v = refusal.value.witness["direction"]
    assert v.sum() == 0 and v @ (K @ v) < 0


def test_points_far_from_the_origin_have_a_ball_as_precise_as_their_spread():
    """In doubles R² lies within 2⁻³³ of the spread from the exact one, wherever the points lie; equal points have the
    ball of radius zero about the first  [ESL-12.50]."""
    r = random.Random(4)
    rows = [[[100 + Q(r.randint(-64, 64), 8) for _ in range(3)] for _ in range(16)] for _ in range(3)]
    for X in (*rows, [[11], [10]], [[0], [Q(1, 2)]], [[12], [10], [11]]):
        exact = enclosing_ball.solve(RATIONAL, gram(RATIONAL, Linear(), Matrix([[Q(v) for v in x] for x in X])))
        found = enclosing_ball.solve(BINARY64, gram(BINARY64, Linear(), Matrix([[float(v) for v in x] for x in X])))
        spread = max(sum((u - v) ** 2 for u, v in zip(x, X[0])) for x in X)
        assert abs(found.square - exact.square) <= spread * 2.0**-33 and abs(found.weights.sum() - 1) < 2**-50
    same = enclosing_ball.solve(BINARY64, gram(BINARY64, Linear(), Matrix([[3.0], [3.0]])))
    assert list(same.weights) == [1, 0] and same.square == 0


def test_rounded_weights_that_are_worse_than_those_in_doubles_are_not_returned(monkeypatch):
    """Three points at a distance of 5 from the fourth, their centre: its weight alone gives R² = 25 and a dual of 0,
    the optimal 1/4, 5/12 and 1/3 rounded a larger R²  [ESL-12.50]."""
    X = Matrix([[5.0, 0.0], [-3.0, 4.0], [0.0, -5.0], [0.0, 0.0]])
    monkeypatch.setattr(enclosing_ball, "_in_doubles", lambda K: Vector([0.0, 0.0, 0.0, 1.0]))
    found = enclosing_ball.solve(BINARY64, X @ X.T)
    assert list(found.weights) == [0, 0, 0, 1] and found.square == 25


def test_in_decimals_the_ball_is_that_of_the_rounded_weights():
    """(0, 0), (0, 4) and (3, 1) lie at √5 from (1, 2), of weights 1/4, 5/12 and 1/3: about the centre of their four
    digits R² is 5.001, and the dual 5.000  [ESL-12.50]."""
    F = decimal(4)
    X = Matrix([[F.lift(v) for v in x] for x in [[0, 0], [0, 4], [3, 1]]])
    found = enclosing_ball.solve(F, X @ X.T)
    primal, dual = enclosing_ball.bounds(X @ X.T, found.weights)
    assert found.square == F.lift(primal) == F.lift(Q(5001, 1000)) and F.lift(dual) == 5


def test_weights_in_doubles_of_nine_digits_need_no_exact_optimum(monkeypatch):
    """The answer is the same where there is no solver in fractions."""
    K = gram(BINARY64, Linear(), Matrix([[0.0, 1.0], [2.0, 5.0], [-3.0, 4.0], [7.0, 0.5]]))
    found = enclosing_ball.solve(BINARY64, K)
    monkeypatch.setattr(crossover, "solve", None)
    assert enclosing_ball.solve(BINARY64, K) == found and enclosing_ball.certify(K, found).digits >= 9
