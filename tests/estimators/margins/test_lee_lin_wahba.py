"""The public face of the Lee–Lin–Wahba machine: parameters, attributes, refusals, arithmetics."""

from fractions import Fraction as Q

import pytest
from hypothesis import given, settings

from refclass import SVC, LeeLinWahbaSVC
from refclass.errors import InvalidInput, NotConverged
from tests.profiles import examples
from tests.strategies import samples

X = [[0, 0], [2, 0], [1, 1], [0, 3], [-1, 2], [4, 4], [3, 2], [1, 2]]
Y = ["a", "a", "a", "b", "b", "c", "c", "c"]


def fit(arithmetic="exact", X=X, y=Y, weights=None, **options):
    """A fitted machine."""
    return LeeLinWahbaSVC(arithmetic=arithmetic, **{"penalty": "1/10", **options}).fit(X, y, weights)


def test_the_attributes_have_the_promised_shapes():
    """alpha_ n × K in [0, 1] and 0 for the own class, intercept_ K numbers of zero sum, coef_ K × p, both objectives
    equal [MMST-11.77] [MMST-11.104] [MC-LLW-DUAL.P1]."""
    m = fit()
    own = [m.classes_.index(c) for c in Y]
    assert all(len(row) == 3 and row[k] == 0 and all(0 <= a <= 1 for a in row) for row, k in zip(m.alpha_, own))
    assert len(m.intercept_) == 3 and sum(m.intercept_) == 0
    assert [len(row) for row in m.coef_] == [2, 2, 2] and [sum(c) for c in zip(*m.coef_)] == [0, 0]
    assert m.objective_ == m.dual_objective_ == m.certificate_.primal
    assert m.support_ == [i for i, row in enumerate(m.alpha_) if any(row)]


def test_coefficients_are_those_of_the_multipliers():
    """β_k = −(nλ)⁻¹(α_k − ᾱ), and f = Σ β_ik K(xᵢ, ·) + b_k [MMST-11.107] [MMST-11.109] [MC-LLW-REP.P1]."""
    m = fit()
    scale = len(X) * Q(1, 10)
    assert all(b == (sum(a) / 3 - v) / scale for a, row in zip(m.alpha_, m.coefficients_) for v, b in zip(a, row))
    z = [Q(7, 3), Q(-1, 2)]
    products = [sum(u * v for u, v in zip(x, z)) for x in X]
    f = [sum(row[k] * p for row, p in zip(m.coefficients_, products)) + m.intercept_[k] for k in range(3)]
    assert m.decision_function([z]) == [f]


def test_a_tie_is_given_to_the_first_class():
    """Scores that are all equal say classes_[0] [MMST-11.108] [MC-LLW-PRED.P1] [GAP-1]."""
    m = fit(X=[[-1], [1]], y=["u", "v"], penalty=1)
    assert m.decision_function([[0]]) == [[0, 0]] and m.predict([[0], [1]]) == ["u", "v"]


def test_intercepts_that_are_not_unique_are_reported():
    """The interval of each class, the certificate's word, and the middle as the choice [RC-28] [GAP-6]."""
    m = fit(X=[[-1], [1]], y=["u", "v"], penalty=1)
    assert m.intercept_interval_ == [[Q(-1, 2), Q(1, 2)]] * 2 and m.intercept_ == [0, 0]
    assert m.certificate_.unique == {"h": True, "intercept": False, "f": False}
    assert fit().certificate_.unique == {"h": True, "intercept": True, "f": True}


@settings(max_examples=examples(15))
@given(samples(classes=2, per_class=(1, 3)))
def test_two_classes_are_the_two_class_classifier(sample):
    """With C = 1/(2nλ) f_2 is SVC's f, and its interval the intercept's [MMST-11.78] [MMST-11.80] [MC-LLW.P1]
    [RC-11]."""
    rows, labels = sample
    m = LeeLinWahbaSVC(penalty="1/7", arithmetic="exact").fit(rows, labels)
    b = SVC(C=Q(7, 2 * len(rows)), arithmetic="exact").fit(rows, labels)
    assert [f[1] for f in m.decision_function(rows)] == b.decision_function(rows)
    assert tuple(m.intercept_interval_[1]) == tuple(b.intercept_interval_)


def test_costs_come_as_rows_or_by_label():
    """A row for each class in the order of classes_, or a mapping from labels; dearer errors are avoided
    [MMST-11.4.2-cost] [MC-LLW.P3]."""
    rows = [[0, 1, 5], [1, 0, 1], [1, "1/2", 0]]
    by_label = {"c": rows[2], "a": rows[0], "b": rows[1]}
    m, u = fit(costs=rows), fit(costs=by_label)
    assert m.objective_ == u.objective_ and m.intercept_ == u.intercept_
    assert m.certificate_.gap == 0 and m.intercept_ != fit().intercept_
    assert all(a <= c for row, k in zip(m.alpha_, Y) for a, c in zip(row, map(Q, by_label[k])))


def test_weights_are_copies():
    """Whole weights are repeated rows, a weight of zero is an absent one [MMST-11.77]."""
    weights = [2, 1, 0, 1, 3, 1, 1, 1]
    again = [i for i, w in enumerate(weights) for _ in range(w)]
    m, u = fit(weights=weights), fit(X=[X[i] for i in again], y=[Y[i] for i in again])
    assert m.objective_ == u.objective_ and m.coef_ == u.coef_ and m.intercept_ == u.intercept_


@pytest.mark.parametrize("arithmetic", ["float", "decimal:40"])
@pytest.mark.parametrize("kernel", ["linear", {"name": "gaussian", "gamma": 0.5}, {"name": "polynomial", "degree": 2}])
def test_other_arithmetics_come_near_the_exact_answer(arithmetic, kernel):
    """Objective, bound and scores agree to the digits of the arithmetic, and are proven [MMST-11.104] [RC-21]."""
    m, exact = fit(arithmetic, kernel=kernel), fit(kernel=kernel)
    near = 1e-9 if arithmetic == "float" or kernel != "linear" else 1e-35
    assert abs(float(m.objective_) - float(exact.objective_)) <= near
    assert abs(float(m.dual_objective_) - float(m.objective_)) <= 1e-9 * float(m.objective_)
    assert m.certificate_.status == "optimal" and m.predict(X) == exact.predict(X)


@pytest.mark.parametrize("solver", ["auto", "decomposition", "active_set"])
def test_every_solver_has_the_same_functions(solver):
    """Exactly in fractions, nearly in doubles [MMST-11.104]."""
    f = fit().decision_function(X)
    assert fit(solver=solver).decision_function(X) == f
    g = fit("float", solver=solver).decision_function(X)
    assert all(abs(a - b) < 1e-10 for p, q in zip(f, g) for a, b in zip(map(float, p), q))


def test_a_precomputed_kernel_gives_the_same_answer():
    """The table of inner products in place of the points [K-NONVEC.P1]."""
    table = [[sum(a * b for a, b in zip(x, z)) for z in X] for x in X]
    m = fit(kernel={"name": "precomputed"}, X=table)
    assert m.objective_ == fit().objective_ and m.predict(table) == fit().predict(X)
    assert not hasattr(m, "coef_")


@pytest.mark.parametrize(
    ("options", "need"),
    [
        ({"penalty": 0}, "penalty a finite number > 0"),
        ({"penalty": "x"}, "penalty a finite number > 0"),
        ({"solver": "newton"}, "solver among"),
        ({"tol": -1}, "tol a finite number > 0"),
        ({"max_iter": 0}, "max_iter None or an integer"),
        ({"costs": 3}, "3 rows of costs"),
        ({"costs": [[0, 1], [1, 0]]}, "3 rows of costs"),
        ({"costs": {"a": [0, 1, 1]}}, "a row of costs for each of"),
        ({"costs": [[0, 1, 1], [1, 0, 1], [1, 1, 1]]}, "a cost of 0 for the class itself"),
        ({"y": ["a"] * 8}, "at least 2 classes"),
        ({"weights": [1, 1, 1, 0, 0, 1, 1, 1]}, "a positive weight in every class"),
    ],
)
def test_what_does_not_fit_is_refused(options, need):
    """Each refusal says what was needed: parameters, one class only, a class without weight."""
    with pytest.raises(InvalidInput, match=need):
        fit(**options)


def test_a_budget_that_runs_out_is_reported():
    """max_iter working sets, or steps of the active set [MMST-11.6-decomposition]."""
    for solver in ("decomposition", "active_set"):
        with pytest.raises(NotConverged):
            fit("float", solver=solver, max_iter=1, kernel={"name": "gaussian", "gamma": 1})


def test_nothing_is_said_before_fitting():
    """`predict` requires `fit`."""
    with pytest.raises(InvalidInput, match="call fit first"):
        LeeLinWahbaSVC().predict(X)
