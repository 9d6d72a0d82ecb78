"""The exercises and theorems of the documents that join several modules; those within one module are tested with it."""

from fractions import Fraction as Q
from itertools import product
from math import factorial, prod

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import refclass
from refclass.kernels.kernel import kernel
from refclass.kernels.matrices.gram import gram
from refclass.kernels.polynomial import Polynomial
from refclass.linear.exact import fraction_free
from refclass.linear.factorisations import ldl
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.insensitive import QuadraticInsensitive
from refclass.margins.svm import conditions, primal
from refclass.margins.svm.geometry import hyperplane
from refclass.number.rational import RATIONAL
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.quadratic import certificate as quadratic
from refclass.oracle import table
from refclass.regress.kernel.ridge import kernel_ridge
from tests.margins.machines import plane, problems, solved
from tests.profiles import examples
from tests.strategies import fractions, matrices, positive, semidefinite, vectors

some = settings(max_examples=examples(12))
QUADRATIC = Polynomial(2, Q(1))


def polynomial_table(X):
    """The Gram matrix of (1 + ⟨x, z⟩)²."""
    return gram(RATIONAL, QUADRATIC, X)


# --- ridge regression with a constant that costs nothing


@some
@given(matrices(5, 2), vectors(5), positive)
def test_a_constant_that_is_not_penalised_solves_the_bordered_system(X, y, lam):
    """With H a basis of the kernel, Σ(yᵢ − β₀ − hᵢᵀβ)² + λ‖β‖² has its minimum where (K + λI)α + β₀1 = y, 1ᵀα = 0,
    β = Hᵀα: its gradient vanishes there, and β₀ is not in it  [EX-ESL-12.3] [ESL-Ex12.3] [KRR-CENTER.P1]."""
    K = X @ X.T
    model = kernel_ridge.fit(RATIONAL, K, y, Vector([Q(1)] * 5), penalty=lam, intercept=True)
    border = Matrix([[*[v + lam * (i == j) for j, v in enumerate(row)], Q(1)] for i, row in enumerate(K)])
    solution = fraction_free.solve(Matrix([*border, [Q(1)] * 5 + [Q(0)]]), Vector([*y, Q(0)]))
    assert solution == Vector([*model.alpha, model.beta0])
    beta = X.T @ model.alpha
    r = Vector([t - model.beta0 - x @ beta for x, t in zip(X, y)])
    assert X.T @ r == lam * beta and r.sum() == 0


# --- the 2-norm machine


@some
@given(problems(per_class=(1, 3)), positive)
def test_the_dual_of_squared_slack_has_no_gap(case, C):
    """The maximum of 1ᵀα − ½αᵀ(H + I/(2C))α over α ≥ 0, αᵀy = 0 is the minimum of ½‖β‖² + CΣξ², each solved as a
    programme of its own; there β = Σ αyx, Σ αy = 0, 2Cξ = α  [EX-MMST-11.3b] [EX-MMST-11.3c] [MMST-Ex11.3b]
    [MMST-Ex11.3c] [SVC-L2.P3]."""
    m, _ = solved(*case, C=C, squared=True)
    n, p = len(m.y), len(m.K.X[0])
    H = Matrix([[s * t * (x @ z) + Q(i == j) / (2 * C) for j, (z, t) in enumerate(zip(m.K.X, m.y))]
                for i, (x, s) in enumerate(zip(m.K.X, m.y))])  # fmt: skip
    dual = quadratic.Problem(H, Vector([Q(-1)] * n), (0,) * n, (None,) * n, Matrix([m.y]), Vector([Q(0)]))
    alpha = active_set.solve(dual).x
    programme = primal.soft(m.K.X, m.y, m.costs, squared=True, nonnegative=False)
    found = active_set.solve(programme)
    assert quadratic.objective(programme, found.x) == -quadratic.objective(dual, alpha)
    assert Vector(found.x[:p]) == conditions.weights(alpha, m.y, m.K.X) and alpha @ m.y == 0
    assert 2 * C * Vector(found.x[p + 1 :]) == alpha


# --- regression without a penalty inside a tube


@pytest.mark.parametrize("epsilon", [Q(0), Q(1), Q(9, 4)])
def test_the_printed_quadratic_loss_is_solved_with_a_proof(epsilon):
    """max(0, r² − ε) as printed: its machine's fit has no gap, and no other line is better on a lattice around it
    [EX-MMST-11.2] [MMST-Ex11.2] [LOSS-EPS2-MMST.P1]."""
    X, y = [[0], [1], [2], [3]], [0, 5, 1, 9]
    options = {"C": "1/2", "epsilon": epsilon, "loss": "quadratic_epsilon_insensitive", "arithmetic": "exact"}
    m = refclass.SVR(**options).fit(X, y)
    assert m.certificate_.gap == 0 and m.certificate_.status == "optimal"
    loss = QuadraticInsensitive(epsilon)

    def value(beta, beta0):
        return beta * beta / 2 + sum(loss(RATIONAL, t - beta * x[0] - beta0) for x, t in zip(X, y)) / 2

    best = value(m.coef_[0], m.intercept_[0])
    assert best == m.objective_
    steps = (Q(-1, 8), Q(0), Q(1, 8))
    assert all(value(m.coef_[0] + a, m.intercept_[0] + b) >= best for a, b in product(steps, steps))


# --- kernels


@some
@given(st.integers(1, 3), st.integers(1, 4), st.data())
def test_a_power_of_the_inner_product_is_a_sum_over_monomials(p, d, data):
    """⟨x, z⟩^d = Σ d!/(e₁!…e_p!) xᵉzᵉ over |e| = d: weights above zero, so that it is a kernel  [EX-MMST-11.8]
    [MMST-Ex11.8] [K-POLYH.P1]."""
    x, z = data.draw(vectors(p)), data.draw(vectors(p))
    total = Q(0)
    for e in product(range(d + 1), repeat=p):
        if sum(e) == d:
            weight = Q(factorial(d), prod(map(factorial, e)))
            total += weight * prod((a * b) ** k for a, b, k in zip(x, z, e))
    assert total == (x @ z) ** d == kernel(RATIONAL, {"name": "polynomial", "degree": d, "c": 0})(RATIONAL, x, z)


@some
@given(st.integers(1, 4).flatmap(lambda n: st.integers(1, n).flatmap(lambda r: semidefinite(n, r))))
def test_a_positive_table_is_a_kernel_on_its_points(K):
    """Pᵀ K P = L D Lᵀ with D ≥ 0 gives features √dₖ Lᵢₖ of the points: Kᵢⱼ is their inner product  [EX-MMST-11.10]
    [MMST-Ex11.10] [K-GRAM-PSD.P1]."""
    known = ldl.factor(K)
    assert all(len(block) == 1 and block[0] >= 0 for block in known.blocks)
    rows = dict(zip(known.order, known.lower))
    d = [block[0] for block in known.blocks]
    for i, j in product(range(len(K)), repeat=2):
        assert K[i][j] == sum(w * a * b for w, a, b in zip(d, rows[i], rows[j]))


# --- a table of C and γ


def test_the_best_cell_of_a_table_is_compared_with_other_methods():
    """A table of ten-fold error rates over (C, γ): the cell found has the least, the first of equals, and its rate is
    that of a cross-validation of its machine; LDA and a tree on the same folds err more here
    [EX-MMST-11.12] [MMST-11.3.6-grid] [GRID-2STAGE.P1]."""
    t = table.embedded("mixture")
    X, y = t.numbers(["x1", "x2"], float)[::3], t.column("y")[::3]
    gaussian = {"name": "gaussian", "gamma": 1}
    axes = {"C": [1, 10, 100], "kernel.gamma": [0.5, 1]}
    search = refclass.GridSearch(estimator=refclass.SVC(kernel=gaussian), grid=axes, refit=False).fit(X, y)
    errors = [cell.validation.errors for cell in search.cells_]
    assert [tuple(cell.parameters.values()) for cell in search.cells_] == list(product(*axes.values()))
    assert search.best_index_ == errors.index(min(errors))
    C, gamma = search.best_params_.values()
    own = refclass.cross_validate(refclass.SVC(C=C, kernel={**gaussian, "gamma": gamma}), X, y)
    assert own.errors == min(errors) and own.rate == Q(min(errors), len(y))
    others = [refclass.LinearDiscriminantAnalysis(), refclass.ClassificationTree()]
    assert all(refclass.cross_validate(other, X, y).errors > min(errors) for other in others)


# --- planes and points


@some
@given(vectors(3), vectors(3), fractions, st.integers(1, 5))
def test_a_plane_is_the_plane_through_the_origin_moved(x, w, b, k):
    """x − proj x lies on wᵀx = 0; moved by −bw/‖w‖² it lies on wᵀx + b = 0, which gives every point of that plane; and
    a point is |wᵀx + b|/‖w‖ away from it, whatever the length of w  [TH-KIM-3.2.1] [KIM-3.2-shift] [HYP-DIST.P1]."""
    assume(any(w))
    through = x - w * ((w @ x) / (w @ w))
    on_plane = hyperplane.shifted(through, w, b)
    assert w @ through == 0 and w @ on_plane + b == 0
    assert on_plane == hyperplane.foot(x, w, b)
    apart = x - on_plane
    assert (apart @ apart) * (w @ w) == (w @ x + b) ** 2
    assert hyperplane.foot(x, w * k, b * k) == on_plane


# --- functions that sum to zero


def function_sum(X, beta, beta0, x):
    """Σₖ (β₀ₖ + Σᵢ βᵢₖ K(xᵢ, x))."""
    row = Vector([QUADRATIC(RATIONAL, x, z) for z in X])
    return sum(level + row @ own for own, level in zip(beta, beta0))


def penalty(K, beta):
    """Σₖ ‖hₖ‖²."""
    return sum(own @ (K @ own) for own in beta)


@some
@given(matrices(5, 1), st.integers(2, 4), st.data())
def test_functions_without_a_common_part_that_sum_to_zero_at_the_points_do_so_everywhere(X, m, data):
    """If (Σₖ β₀ₖ)1 + K(Σₖ βₖ) = 0 and K(Σₖ βₖ) = 0, of a singular K, then Σₖ fₖ(x) = 0 at every x
    [ID-MMST-11.91] [MMST-11.88] [MMST-11.90] [MMST-11.91] [MC-LLW-SUM0.P1]."""
    K = polynomial_table(X)
    beta, beta0 = [data.draw(vectors(5)) for _ in range(m - 1)], data.draw(vectors(m - 1))
    null = [data.draw(fractions) * u for u in fraction_free.null_space(K)]
    assert len(null) >= 2  # five points, three features
    beta.append(sum(null, Vector([Q(0)] * 5)) - sum(beta[1:], beta[0]))
    beta0 = Vector([*beta0, -beta0.sum()])
    assert not any(K @ sum(beta[1:], beta[0]))
    assert not any(function_sum(X, beta, beta0, x) for x in [*X, *(data.draw(vectors(1)) for _ in range(3))])


@some
@given(st.sets(st.integers(1, 6), min_size=2, max_size=2), st.integers(2, 4), positive, st.data())
def test_a_common_part_costs_and_can_be_taken_away(places, m, c, data):
    """Two points, three features: a sum can vanish at the points and nowhere else. Less their mean the functions have
    the same values at the points, a norm smaller by m β̄ᵀKβ̄ > 0, and the sum zero everywhere: what costs least has no
    common part  [ID-MMST-11.91] [MMST-11.87] [MMST-11.88] [MMST-11.89] [MMST-11.90]."""
    X = Matrix([[Q(v)] for v in sorted(places)])
    K = polynomial_table(X)
    beta, beta0 = [data.draw(vectors(2)) for _ in range(m - 1)], data.draw(vectors(m - 1))
    beta.append(fraction_free.solve(K, Vector([-c, -c])) - sum(beta[1:], beta[0]))
    beta0 = Vector([*beta0, c - beta0.sum()])
    assert not any(function_sum(X, beta, beta0, x) for x in X)
    elsewhere = [Vector([Q(v)]) for v in (0, -1, 10)]
    assert all(function_sum(X, beta, beta0, x) for x in elsewhere)
    mean, mean0 = sum(beta[1:], beta[0]) / m, beta0.sum() / m
    less, less0 = [own - mean for own in beta], [level - mean0 for level in beta0]
    for own, level, other, other0 in zip(beta, beta0, less, less0):
        assert [v + level for v in K @ own] == [v + other0 for v in K @ other]
    lost = m * (mean @ (K @ mean))
    assert penalty(K, less) == penalty(K, beta) - lost and lost > 0
    assert not any(function_sum(X, less, less0, x) for x in elsewhere)


# --- what is said to happen, and need not


def errors(X, y, C):
    """How many training errors a machine makes, its optimum unique in the intercept."""
    m, t = solved([[v] for v in X], y, C=C)
    beta, beta0 = plane(m, t)
    assert t.interval[0] == t.interval[1]
    return sum(s * (x @ beta + beta0) < 0 for s, x in zip(m.y, m.K.X))


def test_larger_costs_may_bring_more_support_vectors_and_more_errors():
    """Both tend to fall as C grows; at these points they rise: a tendency is no theorem  [TREND-SV] [RC-32]."""
    X, y = [[-1], [-5], [1], [-3], [0], [-4]], [1, 0, 1, 1, 1, 0]
    kernel = {"name": "gaussian", "gamma": 0.05}
    machines = [refclass.SVC(C=C, kernel=kernel, arithmetic="exact").fit(X, y) for C in (Q(1, 2), 5)]
    assert [len(m.support_) for m in machines] == [4, 5]
    assert [m.certificate_.status for m in machines] == ["optimal", "optimal"]
    X, y = [-4, -2, -4, 4, 0, 1], [1, -1, 1, -1, 1, -1]
    assert [errors(X, y, C) for C in (Q(1, 20), Q(1, 5))] == [1, 2]


def test_narrower_kernels_may_have_fewer_support_vectors():
    """The number tends to rise with γ; from a kernel so wide that all points are alike it falls  [TREND-SV] [RC-32]."""
    X, y = [[-3], [-2], [-1], [1], [2], [3]], [0, 0, 0, 1, 1, 1]
    kernels = [{"name": "gaussian", "gamma": g} for g in (0.001, 0.05)]
    machines = [refclass.SVC(C=10, kernel=k, arithmetic="exact").fit(X, y) for k in kernels]
    assert [len(m.support_) for m in machines] == [6, 2]
    assert [m.certificate_.status for m in machines] == ["optimal", "optimal"]


@some
@given(problems(per_class=(1, 3)), positive)
def test_the_primal_has_a_variable_more_for_each_dimension_the_dual_has_not(case, C):
    """n + p + 1 unknowns against n  [CAPACITY-PARAMS] [RC-32]."""
    m, _ = solved(*case, C=C)
    n, p = len(m.y), len(m.K.X[0])
    assert primal.soft(m.K.X, m.y, m.costs).n == n + p + 1 and m.dual().problem().n == n
