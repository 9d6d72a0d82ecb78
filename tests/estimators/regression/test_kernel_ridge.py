"""Kernel ridge regression as its users meet it."""

import copy
from dataclasses import replace
from fractions import Fraction as Q

import pytest

from refclass import SVR, KernelRidge, Ridge
from refclass.errors import InvalidInput, NoAnswer
from refclass.number.tolerance import near

X = [[0, 1], [1, 0], [2, 2], [3, 1], [1, 4], [0, 0]]
Y = [1, 0, 3, 2, 7, -1]
GAUSSIAN = {"name": "gaussian", "gamma": 1}
CONSTANTS = (True, False, "penalised", "absorbed")


@pytest.mark.parametrize("kernel", ["linear", GAUSSIAN])
@pytest.mark.parametrize("intercept", CONSTANTS)
@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:30"])
def test_the_fit_is_proven_and_exact_where_the_arithmetic_is(arithmetic, intercept, kernel):
    """λα = y − f at every point; gap 0 in fractions, roundoff elsewhere
    [KRR.P1] [KRR-CENTER.P1] [RIDGE-DUAL.P1] [ESL-12.49] [RC-21]."""
    m = KernelRidge(penalty="1/2", kernel=kernel, intercept=intercept, arithmetic=arithmetic).fit(X, Y)
    F, c = m.field(), m.certificate_
    assert c.status == "optimal" and (c.gap == 0 or arithmetic != "exact")
    assert all(near(F, a / 2, y - f, F.lift(7), 36) for a, y, f in zip(m.coefficients_, Y, m.predict(X)))
    assert near(F, m.objective_, F.lift(c.primal), steps=36) and near(F, m.dual_objective_, m.objective_, steps=36)


def test_penalised_and_absorbed_constants_are_one_function():
    """The constant is Σα, reported beside f or counted with the kernel K + 1  [KRR.P2] [ESL-12.45]."""
    one, two = (KernelRidge(intercept=c, arithmetic="exact").fit(X, Y) for c in ("penalised", "absorbed"))
    assert one.predict(X) == two.predict(X) and one.objective_ == two.objective_
    assert one.intercept_ == [sum(one.coefficients_)] and two.intercept_ == [0]
    assert one.degrees_of_freedom_ == two.degrees_of_freedom_
    f = [sum(a * (1 + x[0] * z[0] + x[1] * z[1]) for a, z in zip(two.coefficients_, X)) for x in X]
    assert f == two.predict(X)
    ridge = Ridge(intercept=False, arithmetic="exact").fit([[1, *x] for x in X], Y)
    assert ridge.coef_ == [*one.intercept_, *one.coef_]


def test_with_a_linear_kernel_it_is_ridge_regression():
    """The same coefficients, objective and degrees of freedom from n × n and from p × p systems  [KRR.P2]
    [ESL-12.48] [ID-ESL-12.47] [OPT-LS.P2]."""
    for intercept in (True, False):
        options = {"penalty": "2/3", "intercept": intercept, "arithmetic": "exact"}
        one, two = KernelRidge(**options).fit(X, Y), Ridge(**options).fit(X, Y)
        assert one.coef_ == two.coef_ and one.intercept_ == two.intercept_
        assert one.objective_ == two.objective_ and one.degrees_of_freedom_ == two.degrees_of_freedom_


def test_it_is_support_vector_regression_without_a_tube():
    """ε = 0 with the squared loss: λ = 1/(2C), the same coefficients  [SVR-L2.P2] [RC-17] [ERR-ESL-07]."""
    m = SVR(C=3, epsilon=0, loss="squared_epsilon_insensitive", kernel=GAUSSIAN, arithmetic="exact").fit(X, Y)
    ridge = KernelRidge(penalty="1/6", kernel=GAUSSIAN, arithmetic="exact").fit(X, Y)
    assert m.coefficients_ == ridge.coefficients_ and m.objective_ == 3 * ridge.objective_


def test_a_weight_stands_for_copies_of_a_row():
    """Weight two is the row twice, weight zero no row  [KRR.P2]."""
    one = KernelRidge(arithmetic="exact").fit(X, Y, sample_weight=[1, 2, 1, 1, 1, 0])
    two = KernelRidge(arithmetic="exact").fit([*X[:5], X[1]], [*Y[:5], Y[1]])
    assert one.coef_ == two.coef_ and one.coefficients_[-1] == 0
    assert one.degrees_of_freedom_ == two.degrees_of_freedom_


@pytest.mark.parametrize(
    ("options", "need"),
    [({"penalty": 0}, "penalty a finite number > 0"), ({"intercept": "free"}, "intercept among")],
)
def test_bad_parameters_are_refused(options, need):
    """Each in one line that says what was needed  [ESL-12.45]."""
    with pytest.raises(InvalidInput, match=need):
        KernelRidge(**options).fit(X, Y)


def test_an_indefinite_table_is_refused():
    """A table with a negative eigenvalue is no Gram matrix, whatever λ is added  [ERR-MMST-31]."""
    with pytest.raises(NoAnswer, match="negative curvature"):
        KernelRidge(kernel="precomputed", penalty=5, arithmetic="exact").fit([[0, 1], [1, 0]], [0, 1])


def test_a_second_fit_forgets_the_first():
    """Degrees of freedom, certificate and coefficients are those of the last fit  [ESL-12.46]."""
    m = KernelRidge(arithmetic="exact").fit(X, Y)
    first = m.degrees_of_freedom_, m.certificate_.primal
    m.set_params(penalty=10, kernel=GAUSSIAN).fit(X, Y)
    assert m.degrees_of_freedom_ != first[0] and m.certificate_.primal != first[1] and not hasattr(m, "coef_")
    assert type(m.coefficients_[0]) is Q


@pytest.mark.parametrize("kernel", ["linear", GAUSSIAN])
@pytest.mark.parametrize("intercept", [True, "penalised", "absorbed"])
@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:30"])
def test_a_constant_and_a_trace_are_proven_by_themselves(arithmetic, intercept, kernel):
    """By 10⁻⁶ another constant, or trace, in the model and in all that it shows: fewer digits than asked  [ESL-12.48].

    The objective alone has twelve digits then, of which a constant has half.
    """
    m = KernelRidge(arithmetic=arithmetic, intercept=intercept, kernel=kernel).fit(X, Y)
    assert m.degrees_of_freedom_ and m.certificate_.status == "optimal"
    more = type(m._model.beta0)(1000001) / 1000000
    constant, trace = copy.copy(m), copy.copy(m)
    constant._model = replace(m._model, beta0=m._model.beta0 * more)
    constant._fitted = replace(m._fitted, beta0=m._fitted.beta0 * more)
    constant._tell()
    trace.degrees_of_freedom_ = m.degrees_of_freedom_ * more
    for changed in (constant, trace):
        del changed.__dict__["certificate_"]
        assert changed.certificate_.status != "optimal" and (changed.certificate_.digits or 0) < 9


def test_a_constant_keeps_its_digits_beside_an_outlier():
    """A coefficient of 10⁻⁷ times an entry of 10⁹: an objective of twelve digits had left the constant eight."""
    points = [[v / 7] for v in range(-3, 20)] + [[1e9]]
    y = [1000 + v * v % 1.3 for (v,) in points]
    m, right = KernelRidge().fit(points, y), KernelRidge(arithmetic="exact").fit(points, y)
    assert m.certificate_.status == "optimal"
    assert abs(m.intercept_[0] - right.intercept_[0]) <= 1e-9 * right.intercept_[0]
