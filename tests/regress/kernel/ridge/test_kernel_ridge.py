"""Kernel ridge: push-through, constants free and penalised, its dual, and what another penalty would lose."""

from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows, gram
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.regress.kernel import certificate
from refclass.regress.kernel import fit as training
from refclass.regress.kernel.ridge import kernel_ridge
from refclass.regress.linear import lasso as absolute
from tests.profiles import examples
from tests.regress.tables import LINEAR, QUADRATIC, ones, problems
from tests.strategies import matrices, positive, vectors

few = settings(max_examples=examples(20))


def fitted(X, y, lam, intercept=True, kernel=LINEAR):
    """The kernel ridge fit."""
    return kernel_ridge.fit(RATIONAL, gram(RATIONAL, kernel, X), y, ones(len(y)), penalty=lam, intercept=intercept)


@few
@given(matrices(3, 4), vectors(3), positive)
def test_the_gradient_is_zero_at_the_coefficients(H, y, lam):
    """−Hᵀ(y − Hβ̂) + λβ̂ = 0, exactly  [KRR.P1] [ESL-12.45] [ESL-12.47]."""
    assert set(kernel_ridge.gradient(H, y, kernel_ridge.coefficients(H, y, lam), lam)) == {0}


@few
@given(matrices(3, 4), vectors(3), positive)
def test_inner_products_of_points_are_enough(H, y, lam):
    """Hβ̂ from the M × M system is (HHᵀ + λI)⁻¹HHᵀy, and β̂ = Hᵀα̂
    [KRR.P2] [ESL-12.46] [ESL-12.48] [ESL-12.49] [ID-ESL-12.47] [OPT-LS.P2]."""
    beta, K = kernel_ridge.coefficients(H, y, lam), H @ H.T
    model = kernel_ridge.fit(RATIONAL, K, y, ones(3), penalty=lam, intercept=False)
    assert H @ beta == kernel_ridge.fitted_values(K, y, lam) == model.values
    assert beta == H.T @ model.alpha


def test_the_printed_right_side_cannot_be_formed():
    """H y has no meaning for an n × M matrix and n responses, M ≠ n; with HHᵀy it has  [ERR-ESL-01] [ESL-12.48]."""
    H, y = Matrix([[Q(1), Q(2), Q(0)], [Q(0), Q(1), Q(1)]]), Vector([Q(1), Q(2)])
    with pytest.raises(InvalidInput, match="length 3"):
        H @ y
    assert len(kernel_ridge.fitted_values(H @ H.T, y, Q(1))) == 2


@few
@given(matrices(3, 2), vectors(3), positive)
def test_half_the_penalty_on_the_norm_is_another_lambda(H, y, lam):
    """Σr² + (λ/2)‖β‖² is solved with K + (λ/2)I, Σr² + λ‖β‖² with K + λI: one problem, two conventions
    [ERR-ESL-07] [ESL-12.43] [ESL-12.45]."""
    beta = kernel_ridge.coefficients(H, y, lam / 2)
    half = Vector([lam * b for b in beta]) / 2
    assert H.T @ (y - H @ beta) == half
    if any(y) and any(beta):
        assert beta != kernel_ridge.coefficients(H, y, lam)


@few
@given(problems(n=(1, 5)), positive)
def test_a_free_constant_balances_residuals_and_multipliers(problem, lam):
    """Σα = 0 and the residuals sum to zero  [KRR-CENTER.P1] [ESL-Ex12.3] [EX-ESL-12.3]."""
    X, y = problem
    model = fitted(X, y, lam)
    r = Vector([t - v - model.beta0 for t, v in zip(y, model.values)])
    assert model.alpha.sum() == 0 and r.sum() == 0 and r == lam * model.alpha


@few
@given(problems(n=(1, 5)), positive)
def test_a_free_constant_is_centring(problem, lam):
    """It equals the fit without constant on y − ȳ and the doubly centred Gram matrix  [KRR-CENTER.P2] [ESL-Ex12.3]."""
    X, y = problem
    n = len(y)
    model = fitted(X, y, lam)
    J = Matrix([[Q(int(i == j)) - Q(1, n) for j in range(n)] for i in range(n)])
    centred = J @ gram(RATIONAL, LINEAR, X) @ J
    other = kernel_ridge.fit(RATIONAL, centred, J @ y, ones(n), penalty=lam, intercept=False)
    assert other.alpha == model.alpha
    assert [v + y.sum() / n for v in other.values] == [v + model.beta0 for v in model.values]


@few
@given(problems(n=(1, 5)), positive)
def test_the_sum_of_kernels_lacks_the_constant(problem, lam):
    """f − Σ α K(·, xᵢ) is β₀, not zero in general: the printed right side of (12.44) omits it
    [ERR-ESL-06] [ESL-12.44]."""
    X, y = problem
    shifted = Vector([t + 7 for t in y])
    model, moved = fitted(X, y, lam), fitted(X, shifted, lam)
    assert moved.values == model.values and moved.beta0 == model.beta0 + 7


@few
@given(problems(n=(1, 5)), positive)
def test_an_absorbed_constant_is_a_penalised_one(problem, lam):
    """With h = (1, x) the fit is Σ α(K + 1), its constant Σα, penalised like any coefficient  [KRR.P2] [ESL-12.45]."""
    X, y = problem
    K = kernel_ridge.with_constant(gram(RATIONAL, LINEAR, X))
    model = kernel_ridge.fit(RATIONAL, K, y, ones(len(y)), penalty=lam, intercept=False)
    H = Matrix([[Q(1), *x] for x in X])
    beta = kernel_ridge.coefficients(H, y, lam)
    assert beta[0] == model.alpha.sum() and model.values == H @ beta


@few
@given(problems(n=(1, 5)), positive, st.booleans())
def test_the_proof_of_a_fit_has_no_gap(problem, lam, intercept):
    """The fit is the optimum of the machine ½‖f‖² + Σ r²/2λ; times 2λ primal and dual are the objective
    [RIDGE-DUAL.P1] [ESL-12.43] [ERR-ESL-07]."""
    X, y = problem
    model = fitted(X, y, lam, intercept, QUADRATIC)
    m = kernel_ridge.machine(RATIONAL, gram(RATIONAL, QUADRATIC, X), y, ones(len(y)), lam, intercept=intercept)
    proof = certificate.certify(m, model.alpha, model.beta0).times(2 * lam)
    assert proof.status == "optimal" and proof.gap == 0
    assert proof.primal == kernel_ridge.objective(model, y)
    assert training.fit(RATIONAL, m).a == model.alpha


@few
@given(problems(n=(1, 5)), positive, st.booleans())
def test_the_degrees_of_freedom_are_a_trace(problem, lam, intercept):
    """n − λ tr P is the trace of the map from y to the fitted values, built from unit responses  [KRR.P2]
    [ESL-12.46]."""
    X, y = problem
    n = len(y)
    trace = Q(0)
    for i in range(n):
        model = fitted(X, Vector.unit(n, i, Q), lam, intercept)
        trace += model.values[i] + model.beta0
    assert fitted(X, y, lam, intercept).degrees_of_freedom == trace


@few
@given(problems(n=(2, 4)), positive)
def test_an_integer_weight_stands_for_copies_of_a_row(problem, lam):
    """A weight of two is as good as the row twice  [KRR.P2]."""
    X, y = problem
    K = gram(RATIONAL, LINEAR, X)
    weights = Vector([Q(2)] + [Q(1)] * (len(y) - 1))
    one = kernel_ridge.fit(RATIONAL, K, y, weights, penalty=lam, intercept=True)
    two = fitted(Matrix([X[0], *X]), Vector([y[0], *y]), lam)
    assert one.beta0 == two.beta0 and one.values == Vector(two.values[1:])
    assert kernel_ridge.objective(one, y) == kernel_ridge.objective(two, Vector([y[0], *y]))
    assert one.degrees_of_freedom == two.degrees_of_freedom


def test_without_a_penalty_a_definite_kernel_interpolates_and_with_a_large_one_nothing_is_left():
    """λ = 0: f = y; λ → ∞: f → 0 like 1/λ; λ = 0 on a singular K is refused  [KRR.P3]."""
    K, y = Matrix([[Q(2), Q(1)], [Q(1), Q(2)]]), Vector([Q(3), Q(-1)])
    at = [kernel_ridge.fit(RATIONAL, K, y, ones(2), penalty=lam, intercept=False) for lam in (Q(0), Q(10**6))]
    assert at[0].values == y and at[1].values.largest() < Q(6, 10**6)
    with pytest.raises(NoAnswer):
        kernel_ridge.fit(RATIONAL, Matrix([[Q(1), Q(1)], [Q(1), Q(1)]]), y, ones(2), penalty=Q(0), intercept=False)
    with pytest.raises(InvalidInput, match="penalty ≥ 0"):
        kernel_ridge.fit(RATIONAL, K, y, ones(2), penalty=Q(-1), intercept=False)


@few
@given(positive, positive, positive)
def test_one_point_has_a_closed_form(y, k, lam):
    """α = y/(K + λ)  [M-X7] [ESL-12.49]."""
    model = kernel_ridge.fit(RATIONAL, Matrix([[k]]), Vector([y]), ones(1), penalty=lam, intercept=False)
    assert model.alpha == Vector([y / (k + lam)])


@few
@given(matrices(3, 2), vectors(3), positive)
def test_the_dual_of_the_exercise_has_the_value_of_the_primal(X, y, lam):
    """α = 2λ(K + λI)⁻¹y, β = Xᵀα/(2λ) is the ridge solution, α = 2ξ, and αᵀy − αᵀKα/4λ − αᵀα/4 = λ‖β‖² + Σξ²
    [RIDGE-DUAL.P1] [RIDGE-DUAL.P2] [MMST-Ex11.5] [EX-MMST-11.5]."""
    K = X @ X.T
    alpha = kernel_ridge.dual_solution(y, K, lam)
    beta = X.T @ alpha / (2 * lam)
    xi = y - X @ beta
    assert beta == kernel_ridge.coefficients(X, y, lam) and alpha == 2 * xi
    assert kernel_ridge.dual_objective(alpha, y, K, lam) == lam * (beta @ beta) + xi @ xi


@few
@given(matrices(3, 2), vectors(3), vectors(3), positive)
def test_every_dual_value_of_the_exercise_is_below_every_primal_value(X, y, alpha, lam):
    """αᵀy − αᵀKα/4λ − αᵀα/4 ≤ λ‖β‖² + ‖y − Xβ‖²  [RIDGE-DUAL.P1] [MMST-Ex11.5]."""
    beta = X.T @ alpha
    xi = y - X @ beta
    assert kernel_ridge.dual_objective(alpha, y, X @ X.T, lam) <= lam * (beta @ beta) + xi @ xi


def lasso(H, y, lam):
    """The fitted values of Σ(y − Hβ)² + λ|β|₁."""
    return H @ absolute.fit(H, y, lam)


def test_with_the_absolute_norm_inner_products_are_not_enough():
    """Rotating the features leaves HHᵀ and the ridge fit as they are, but moves the lasso fit: no kernel could give it
    [KRR-COST.P1] [L1-NO-KERNEL] [ESL-12.3.7-cost] [CMP-LASSO]."""
    H, y, lam = Matrix([[Q(1), Q(0)], [Q(0), Q(1)]]), Vector([Q(3), Q(1)]), Q(2)
    turn = Matrix([[Q(3, 5), Q(4, 5)], [Q(-4, 5), Q(3, 5)]])
    R = H @ turn
    assert R @ R.T == H @ H.T
    assert R @ kernel_ridge.coefficients(R, y, lam) == H @ kernel_ridge.coefficients(H, y, lam)
    assert lasso(H, y, lam) == Vector([Q(2), Q(0)]) != lasso(R, y, lam)


@pytest.mark.parametrize("n", [1, 2, 5, 10])
def test_half_a_table_of_kernel_values_is_enough(n):
    """HHᵀ needs n(n + 1)/2 evaluations of K, however many features M there are  [KRR-COST.P1] [ESL-12.3.7-cost]."""
    evaluated = []

    class Watched(Linear):
        def row(self, F, x, Z):
            evaluated.extend(Z)
            return super().row(F, x, Z)

    gram(RATIONAL, Watched(), Matrix([[Q(i), Q(1)] for i in range(n)]))
    assert len(evaluated) == n * (n + 1) // 2


def test_doubles_come_near_the_exact_fit():
    """The corrected solution agrees with exact elimination to roundoff  [KRR.P2] [OPT-LS.P1]."""
    X = Matrix([[Q(i, 3), Q(i * i % 5)] for i in range(8)])
    y = Vector([Q(i % 4) - 1 for i in range(8)])
    exact = fitted(X, y, Q(1, 8), kernel=QUADRATIC)
    K = Matrix([[float(v) for v in row] for row in gram(RATIONAL, QUADRATIC, X)])
    found = kernel_ridge.fit(BINARY64, K, Vector(map(float, y)), Vector([1.0] * 8), penalty=0.125, intercept=True)
    size = K.largest() * float(exact.alpha.largest())
    assert all(near(BINARY64, v, float(w), size, 64) for v, w in zip(found.values, exact.values))


@pytest.mark.parametrize("weights", [(0, 1), (1, 0), (-1, 1), (2, -1)])
def test_a_weight_that_is_not_positive_is_refused(weights):
    """Every weight divides the penalty  [ESL-12.49]."""
    K = Matrix.identity(2, Q)
    with pytest.raises(InvalidInput, match="weights > 0"):
        kernel_ridge.fit(RATIONAL, K, ones(2), Vector(map(Q, weights)), penalty=Q(1), intercept=True)


def test_a_constant_in_the_basis_adds_one_to_every_entry():
    """K + 11ᵀ, of a matrix and of the rows of a linear kernel alike, one point and one column too  [ESL-12.45]."""
    for X in (Matrix([[Q(3)]]), Matrix([[Q(1), Q(2)], [Q(3), Q(4)], [Q(0), Q(5)]])):
        more = Matrix([[v + 1 for v in row] for row in gram(RATIONAL, LINEAR, X)])
        assert kernel_ridge.with_constant(gram(RATIONAL, LINEAR, X)) == more
        rows = kernel_ridge.with_constant(Rows(RATIONAL, LINEAR, X))
        assert [rows.row(i) for i in range(len(X))] == list(more)
        assert list(rows.X) == [Vector([*x, Q(1)]) for x in X]


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("kernel", [LINEAR, QUADRATIC], ids=["coefficients", "multipliers"])
def test_the_trace_in_long_numbers_is_that_in_fractions(kernel, intercept):
    """n − Σ κP of the points, p − tr (XᵀX/κ + I)⁻¹ of a linear kernel's coefficients: 27 digits of the exact trace
    [ESL-12.48]."""
    X = Matrix([[Q(i), Q(i * i % 5)] for i in range(5)])
    y, w, lam = Vector.unit(5, 0, Q), Vector([Q(1), Q(2), Q(1, 3), Q(5), Q(1)]), Q(3, 2)
    K = Rows(RATIONAL, kernel, X)
    exact = kernel_ridge.fit(RATIONAL, gram(RATIONAL, kernel, X), y, w, penalty=lam, intercept=intercept)
    machine = kernel_ridge.machine(RATIONAL, K, y, w, lam, intercept=intercept)
    found = kernel_ridge.degrees_of_freedom(machine)
    assert 1 < exact.degrees_of_freedom < 5 and abs(found - exact.degrees_of_freedom) < Q(1, 10**27)


@pytest.mark.parametrize("intercept", [True, False])
def test_the_bounds_of_a_trace_are_exact_for_a_kernel_that_is_not_definite(intercept):
    """Of K + λ/w with a negative eigenvalue the trace itself; else n units of 10⁻²⁵ on both sides  [ESL-12.48]."""
    y, w = Vector([Q(1), Q(0), Q(2)]), Vector([Q(1), Q(2), Q(3)])
    for K, width in (
        (Matrix([[Q(0), Q(2), Q(0)], [Q(2), Q(0), Q(1)], [Q(0), Q(1), Q(0)]]), 0),
        (2 * Matrix.identity(3, Q), 6),
    ):
        machine = kernel_ridge.machine(RATIONAL, K, y, w, Q(1, 2), intercept=intercept)
        low, high = kernel_ridge.trace_bounds(machine)
        exact = kernel_ridge.fit(RATIONAL, K, y, w, penalty=Q(1, 2), intercept=intercept).degrees_of_freedom
        assert low <= exact <= high == low + Q(width, 10**25)


def test_a_system_is_positive_where_the_kernel_and_the_penalty_are():
    """K + λI of a semidefinite K is known to be definite for λ > 0 alone, however small  [ESL-12.49]."""
    K, y = Matrix.identity(2, Q), ones(2)
    for definite, penalty in ((True, Q(1, 2)), (True, Q(0)), (False, Q(1, 2))):
        model = kernel_ridge.fit(RATIONAL, K, y, y, penalty=penalty, intercept=False, positive=definite)
        assert model.equations.positive is (definite and penalty > 0)
