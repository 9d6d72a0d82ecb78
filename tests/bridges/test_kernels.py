"""A kernel in place of features: what is fitted is the same, exactly."""

from fractions import Fraction

import pytest

from refclass import SVC
from refclass.kernels.combine import Mapped
from refclass.kernels.dirichlet import Dirichlet
from refclass.kernels.kernel import kernel
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import gram
from refclass.kernels.polynomial import Polynomial
from refclass.kernels.spaces import features
from refclass.kernels.spaces.rkhs import Expansion, squared_norm
from refclass.kernels.spline import Spline
from refclass.kernels.string import String
from refclass.linear.factorisations import ldl
from refclass.linear.factorisations.elimination import null_space
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.hinge import Hinge
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.quadratic.certificate import Problem

HALF = Fraction(1, 2)
X = [[0, 0], [1, 0], [0, 1], [2, 2], [3, 1], [1, 3], [-1, -1], [2, -1]]
Y = [0, 0, 0, 1, 1, 1, 1, 0]
QUERY = [[1, 1], [-2, HALF], [Fraction(7, 3), 0]]
WORDS, SIDES, MORE = ["cat", "car", "cart", "dog", "dot", "god"], [1, 1, 1, 0, 0, 0], ["cot", "tact", "door"]


def repeated_monomials(k, x):
    """Features without roots: each monomial as many times as its weight says, a whole number for s = 1, whole c."""
    lifted = Vector(map(Fraction, x))
    powers = features.terms(k, len(lifted))
    counts = map(int, features.weights(RATIONAL, k, len(lifted)))
    return [v for v, n in zip(features.monomials(lifted, powers), counts) for _ in range(n)]


def letters(k, words):
    """The features of words: one column for each subsequence that occurs."""
    found = [features.subsequences(k, w) for w in words]
    columns = sorted(set().union(*found))
    return [[f.get(u, Fraction(0)) for u in columns] for f in found]


def lift(F, x):
    return features.lifted(x)


POLYNOMIALS = [Polynomial(2, 1), Polynomial(2, 0), Polynomial(2, 3), Polynomial(3, 1)]
CASES = [(k, X, Y, QUERY, [repeated_monomials(k, x) for x in X + QUERY]) for k in POLYNOMIALS]
CASES += [(Mapped(lift, Linear()), X, Y, QUERY, [features.lifted(Vector(map(Fraction, x))) for x in X + QUERY])]
CASES += [(k, WORDS, SIDES, MORE, letters(k, WORDS + MORE)) for k in (String(2, HALF), String(1, Fraction(1, 3)))]


@pytest.mark.parametrize("k, x, y, query, h", CASES, ids=lambda v: type(v).__name__ if hasattr(v, "row") else "")
@pytest.mark.parametrize("C", [1, Fraction(1, 20)])
def test_a_machine_on_features_is_the_machine_with_their_kernel(k, x, y, query, h, C):
    """The support vector machine on h(x) and that with K(x, z) = ⟨h(x), h(z)⟩ have the same objective and the same
    decision function, exactly  [K-TRICK.P1] [MAP-POLY2.P3] [BASIS-SVC.P1] [ESL-12.21] [ESL-12.24] [MMST-11.52]
    [YANG-kernel-representation] [ISML-27.4-trick] [YANG-svm-for-classification]."""
    by_kernel = SVC(C=C, kernel=k, arithmetic="exact").fit(x, y)
    by_map = SVC(C=C, arithmetic="exact").fit(h[: len(x)], y)
    assert by_kernel.objective_ == by_map.objective_
    assert by_kernel.decision_function(query) == by_map.decision_function(h[len(x) :])


def test_ridge_regression_on_fourier_series_is_that_with_the_dirichlet_kernel():
    """h(x)ᵀ(HᵀH + λI)⁻¹Hᵀy = k(x)ᵀ(K + λI)⁻¹y: seven features or the kernel of order three  [K-TRICK.P1]
    [K-DIRICHLET.P1] [MMST-Ex11.7]."""
    D = decimal(40)
    k, lam = Dirichlet(3), D.lift(HALF)
    points = [D.lift(Fraction(i, 3)) for i in (-4, -1, 0, 2, 5)]
    y, new = Vector([D.lift(v) for v in (1, -1, 2, 0, 3)]), D.lift(Fraction(1, 2))
    H = Matrix([features.fourier(D, k, z) for z in points])
    beta = ldl.solve(H.T @ H + lam * Matrix.identity(7, D.kind), H.T @ y)
    rows = [Vector([z]) for z in points]
    alpha = ldl.solve(gram(D, k, rows) + lam * Matrix.identity(5, D.kind), y)
    by_map, by_kernel = beta @ features.fourier(D, k, new), alpha @ k.row(D, Vector([new]), rows)
    assert near(D, by_map, by_kernel, scale=y.largest(), steps=100)


def test_a_scale_of_the_kernel_is_a_scale_of_the_cost():
    """With (γ⟨x, z⟩)^d and cost C the decision function is that of ⟨x, z⟩^d with cost Cγ^d, and the multipliers are
    1/γ^d times its own  [K-POLYG.P1]."""
    scaled = SVC(C=4, kernel={"name": "polynomial", "degree": 3, "c": 0, "scale": HALF}, arithmetic="exact").fit(X, Y)
    plain = SVC(C=HALF, kernel={"name": "polynomial", "degree": 3, "c": 0}, arithmetic="exact").fit(X, Y)
    assert scaled.decision_function(QUERY) == plain.decision_function(QUERY)
    assert scaled.predict(QUERY) == plain.predict(QUERY) and scaled.objective_ == 8 * plain.objective_


def test_a_machine_on_a_table_is_the_machine_with_its_kernel():
    """Given nothing but the Gram matrix of words, a machine says of new words what the string kernel's machine says
    [K-NONVEC.P1]."""
    k = String(2, HALF)
    by_words = SVC(C=2, kernel=k, arithmetic="exact").fit(WORDS, SIDES)
    by_table = SVC(C=2, kernel="precomputed", arithmetic="exact").fit(gram(RATIONAL, k, WORDS), SIDES)
    assert by_table.alpha_ == by_words.alpha_
    assert by_table.decision_function(gram(RATIONAL, k, MORE, WORDS)) == by_words.decision_function(MORE)


@pytest.mark.parametrize(
    "description", ["linear", {"name": "polynomial", "degree": 2}, {"name": "spline", "start": -1}]
)
def test_the_objective_is_half_the_squared_norm_and_the_losses(description):
    """½‖f‖² + C Σ[1 − yᵢf(xᵢ)]₊ with ‖f‖² = αᵀKα in the space of the kernel  [REPRESENTER.P3] [ESL-12.25] [ESL-12.28]
    [ESL-12.29]."""
    k, C = kernel(RATIONAL, description), Fraction(1, 3)
    machine = SVC(C=C, kernel=description, arithmetic="exact").fit(X, Y)
    y = [2 * v - 1 for v in Y]
    points = tuple(Vector(map(Fraction, x)) for x in X)
    f = Expansion(k, points, Vector([a * s for a, s in zip(machine.alpha_, y)]))
    margins = [s * v for s, v in zip(y, machine.decision_function(X))]
    losses = sum(Hinge()(RATIONAL, m) for m in margins)
    assert machine.objective_ == squared_norm(RATIONAL, f) / 2 + C * losses


def test_the_best_linear_function_is_a_combination_of_the_points():
    """Ridge regression in three variables on two points: w = (XᵀX + λI)⁻¹Xᵀy = Xᵀα, in the span of the points
    [REPRESENTER.P2] [ESL-12.28]."""
    A = Matrix([[Fraction(1), Fraction(2), Fraction(-1)], [Fraction(0), Fraction(1), Fraction(4)]])
    y, lam = Vector([Fraction(3), Fraction(-2)]), Fraction(1, 5)
    w = ldl.solve(A.T @ A + lam * Matrix.identity(3, Fraction), A.T @ y)
    alpha = ldl.solve(A @ A.T + lam * Matrix.identity(2, Fraction), y)
    assert w == A.T @ alpha and all(w @ v == 0 for v in null_space(RATIONAL, A))


def test_a_machine_with_the_spline_kernel_is_additive():
    """On every rectangle f(a, b) − f(a, d) − f(c, b) + f(c, d) = 0: a sum of a function of x₁ and one of x₂
    [K-ADDSPLINE.P1] [ESL-12.3.3-additive]."""
    machine = SVC(C=2, kernel={"name": "spline", "start": -1}, arithmetic="exact").fit(X, Y)
    for a, b, c, d in ((0, 1, 2, 3), (-1, HALF, 3, 2), (1, -1, HALF, 0)):
        f = machine.decision_function([[a, b], [a, d], [c, b], [c, d]])
        assert f[0] - f[1] - f[2] + f[3] == 0 != f[0] - f[3]


LINE = [Fraction(v) for v in (0, 1, 2, 3, 5, 6)]
TURNS = Vector([Fraction(v) for v in (1, -1, -1, 1, 1, -1)])


def spline_machine(lam):
    """The minimum of Σ[1 − yᵢf(xᵢ)]₊ + (λ/2) ∫f″², lines free of charge: the value, and f at the points."""
    rows = [Vector([v]) for v in LINE]
    K = gram(RATIONAL, Spline(Fraction(0)), rows)
    zero, top = Fraction(0), 1 / lam
    lower = tuple(min(zero, y * top) for y in TURNS)
    upper = tuple(max(zero, y * top) for y in TURNS)
    E = Matrix([[Fraction(1)] * len(LINE), LINE])
    found = active_set.solve(Problem(K, -TURNS, lower, upper, E, Vector([zero, zero])))
    f = K @ found.x + found.nu[0] * E[0] + found.nu[1] * E[1]
    losses = sum(Hinge()(RATIONAL, y * v) for y, v in zip(TURNS, f))
    return losses + lam / 2 * (found.x @ (K @ found.x)), f, found.x


def least_line():
    """The least Σ[1 − yᵢ(b0 + b xᵢ)]₊: at a line through two points of the margins, or a constant."""
    lines = [(Fraction(c), Fraction(0)) for c in (-1, 0, 1)]
    for i, (s, y) in enumerate(zip(LINE, TURNS)):
        for t, z in list(zip(LINE, TURNS))[:i]:
            b = (y - z) / (s - t)
            lines.append((y - b * s, b))
    return min(sum(Hinge()(RATIONAL, y * (a + b * x)) for x, y in zip(LINE, TURNS)) for a, b in lines)


def test_heavy_penalties_leave_the_line():
    """As λ → ∞ the cubic spline machine tends to the linear machine without penalty: its value falls short of the
    least hinge loss of a line by a multiple of 1/λ  [K-ADDSPLINE.P2] [ESL-12.30] [ESL-12.3.3-additive]."""
    line = least_line()
    short = [line - spline_machine(Fraction(lam))[0] for lam in (10**4, 2 * 10**4, 4 * 10**4)]
    assert short[0] == 2 * short[1] == 4 * short[2] > 0


def test_light_penalties_let_the_spline_bend():
    """With λ small the spline meets every margin, which no line does  [K-ADDSPLINE.P2] [ESL-12.30]."""
    value, f, _ = spline_machine(Fraction(1, 1000))
    assert all(y * v >= 1 for y, v in zip(TURNS, f)) and value < least_line()


def test_the_coefficients_of_a_spline_machine_are_contrasts():
    """Σαᵢ = Σαᵢxᵢ = 0: beyond the points f is a line, a natural cubic spline  [K-ADDSPLINE] [ESL-12.30]."""
    a = spline_machine(Fraction(1, 10))[2]
    assert sum(a) == 0 and sum(c * x for c, x in zip(a, LINE)) == 0 and any(a)
