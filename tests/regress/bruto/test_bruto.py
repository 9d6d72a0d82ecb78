"""BRUTO: where its iteration settles, every term is the best of out, line and smooth, given the others."""

import math
import random
from fractions import Fraction

import pytest

from refclass.errors import InvalidInput, NotConverged, NotExact
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64 as F
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.regress.bruto import bruto, bruto_steps
from refclass.regress.linear import least_squares
from refclass.regress.spline.gcv import gcv as score

N = 60
CHANCE = random.Random(1)
X = Matrix([[CHANCE.random() for _ in range(3)] for _ in range(N)])
NOISE = [CHANCE.gauss(0, 0.1) for _ in range(N)]
BENT = Matrix([[math.sin(6 * a) + 2 * b + e] for (a, b, c), e in zip(X, NOISE)])


def states(X, Y, weights=None, **options):
    """Return the states of the iteration."""
    return list(bruto_steps.steps(F, bruto.asked(F, X, Y, weights, **options)))


def test_curves_lines_and_noise_are_distinguished():
    """A sine is smooth, a line is linear, a variable of pure noise is left out  [CMP-BRUTO]."""
    assert bruto.fit(F, X, BENT).types == ("smooth", "linear", "excluded")


def test_every_state_holds_together():
    """Residuals are what the functions leave; types, degrees of freedom and score belong together."""
    run = states(X, BENT)
    for state in run:
        state.check(F)
    assert {s.phase for s in run} == {"selection", "backfitting"}
    assert run[0].types == ("linear",) * 3 and run[-1].phase == "backfitting"


def test_where_it_settles_each_smoothing_is_the_best_given_the_others():
    """At the end no variable has a type or λ of clearly lower GCV, the other functions held  [GAP-9]."""
    problem = bruto.asked(F, X, BENT, threshold=1e-9)
    end = bruto.solve(F, problem)
    for j, smoother in enumerate(problem.sample.smoothers):
        partial = end.fit.partial(j)
        others = sum(df for k, df in enumerate(end.degrees) if k != j)
        tried = [score.gcv(partial.square, N, 2 * others)]
        for operator in [smoother.at(math.inf), *(smoother.at(smoother.unit * 4.0**k) for k in range(-5, 20))]:
            charge = 2 * (others + operator.degrees_of_freedom - 1)
            if charge < N:
                tried.append(score.gcv(operator.residual(partial), N, charge))
        assert end.gcv < min(tried) * (1 + 1e-6)


def test_where_it_settles_each_lambda_is_at_its_minimum():
    """A smoothing parameter a twentieth smaller or larger scores higher, the charge of all terms counted  [GAP-9]."""
    problem = bruto.asked(F, X, BENT, threshold=1e-12, tol=1e-10)
    end = bruto.solve(F, problem)
    for j, operator in enumerate(end.fit.operators):
        if end.types[j] == "smooth":
            partial = end.fit.partial(j)
            others = sum(df for k, df in enumerate(end.degrees) if k != j)

            def scored(lam, j=j, partial=partial, others=others):
                tried = problem.sample.smoothers[j].at(lam)
                return score.gcv(tried.residual(partial), N, 2 * (others + tried.degrees_of_freedom - 1))

            here = scored(operator.lam)
            assert here < scored(operator.lam * 0.95) and here < scored(operator.lam * 1.05)


def test_where_it_settles_each_function_is_the_spline_of_what_the_others_leave():
    """f_j = S_j (y − α − Σ_{k≠j} f_k) for every variable, up to the tolerance of backfitting."""
    end = bruto.solve(F, bruto.asked(F, X, BENT, tol=1e-13))
    for j, operator in enumerate(end.fit.operators):
        if operator is not None:
            again = operator.curve(end.fit.partial(j)).values[0]
            assert (again - end.fit.curves[j].values[0]).largest() < 1e-11


def test_the_score_is_recomputed_from_the_fitted_values():
    """gcv = (RSS/n)/(1 − cost Σ df/n)², the constant not charged; RSS from the fitted values."""
    for cost in (1.5, 2.0):
        model = bruto.fit(F, X, BENT, cost=cost)
        rss = sum((y - f) ** 2 for (y,), (f,) in zip(BENT, model.fitted))
        want = rss / N / (1 - cost * sum(model.term_degrees) / N) ** 2
        assert near(F, model.gcv, want, steps=N)
        assert model.degrees_of_freedom == 1 + sum(model.term_degrees)


def test_without_curves_it_is_linear_regression():
    """Terms of one degree of freedom at most, all of use: least squares  [FDA-BRUTO.P1]."""
    Y = Matrix([[a + 2 * b - c + e] for (a, b, c), e in zip(X, NOISE)])
    model = bruto.fit(F, X, Y, most=1)
    linear = least_squares.fit(F, X, Y)
    assert model.types == ("linear",) * 3
    for x, (f,) in zip(X, model.fitted):
        assert near(F, f, linear.intercepts[0] + linear.coefficients.T[0] @ x, scale=4, steps=N)


def test_dearer_degrees_of_freedom_are_spent_more_sparingly():
    """The higher the cost, the fewer degrees of freedom in all; a limit for each term is kept."""
    spent = [sum(bruto.fit(F, X, BENT, cost=cost).term_degrees) for cost in (1, 2, 4)]
    assert spent[0] > spent[1] > spent[2] > 0
    assert max(bruto.fit(F, X, BENT, most=3).term_degrees) <= 3


def test_cheap_degrees_of_freedom_do_not_buy_interpolation():
    """At cost 1 the constant is free and interpolation would have the score 0; two thirds of m are the limit."""
    model = bruto.fit(F, Matrix(X[:20]), Matrix(BENT[:20]), cost=1)
    assert max(model.term_degrees) <= 2 * 20 / 3 and model.rss > 0


def test_responses_share_types_and_smoothing():
    """Two responses: a variable that either needs is in for both, with one λ; a response twice changes nothing."""
    both = Matrix([[math.sin(6 * a) + e, math.cos(7 * c) - e] for (a, b, c), e in zip(X, NOISE)])
    model = bruto.fit(F, X, both)
    assert model.types == ("smooth", "excluded", "smooth")
    one, twice = bruto.fit(F, X, BENT), bruto.fit(F, X, Matrix([[y, y] for (y,) in BENT]))
    assert one.types == twice.types and near(F, twice.gcv, 2 * one.gcv, steps=10**5)


def test_integer_weights_are_copies():
    """Rows with weights 1, 2 and 0 give the types, degrees of freedom and score of repeated rows."""
    w = [(1, 2, 0, 1)[k % 4] for k in range(N)]
    copies = [i for i, c in enumerate(w) for _ in range(c)]
    once = bruto.fit(F, X, BENT, Vector(map(float, w)))
    many = bruto.fit(F, *(Matrix([M[i] for i in copies]) for M in (X, BENT)))
    assert once.types == many.types and abs(once.gcv / many.gcv - 1) < 1e-6
    assert all(abs(a - b) < 1e-3 for a, b in zip(once.term_degrees, many.term_degrees))


def test_the_same_data_give_the_same_model_bit_for_bit():
    """The iteration is deterministic; predictions at the sample are the fitted values."""
    one, other = bruto.fit(F, X, BENT), bruto.fit(F, X, BENT)
    assert one == other and one.predict(X) == one.fitted


def test_constant_and_repeated_variables_are_left_out_or_harmless():
    """A constant column is out; of two equal columns the fit is that of one."""
    wide = Matrix([[a, 1.0, a] for a, _, _ in X])
    Y = Matrix([[math.sin(6 * a) + e] for (a, _, _), e in zip(X, NOISE)])
    model, single = bruto.fit(F, wide, Y), bruto.fit(F, Matrix([[a] for a, _, _ in X]), Y)
    assert model.types[1] == "excluded" and "excluded" in (model.types[0], model.types[2])
    assert abs(model.gcv / single.gcv - 1) < 1e-3


def test_a_variable_of_two_values_is_a_line_at_most():
    """With two distinct values there is nothing to bend."""
    flags = Matrix([[float(k % 2)] for k in range(20)])
    assert bruto.fit(F, flags, Matrix([[3.0 * (k % 2) + e] for k, e in zip(range(20), NOISE)])).types == ("linear",)


def test_more_variables_than_gcv_can_pay_for_start_from_the_means():
    """Where cost · p ≥ n the linear fit has no score; selection starts from nothing, and ends with a score."""
    few = Matrix([[float((k * j) % 7) for j in range(1, 6)] for k in range(8)])
    Y = Matrix([[float(k)] for k in range(8)])
    assert states(few, Y)[0].types == ("excluded",) * 5
    assert bruto.fit(F, few, Y).gcv is not None
    assert states(X, BENT, linear=False)[0].types == ("excluded",) * 3


def test_equal_responses_need_no_variable():
    """A constant response leaves every variable out."""
    model = bruto.fit(F, X, Matrix([[2.0]] * N))
    assert model.types == ("excluded",) * 3 and model.rss == 0


def test_decimals_agree_with_doubles():
    """In 20 digits the types are the same, and the score agrees to what the threshold leaves open."""
    D = decimal(20)
    rows, responses = (Matrix([[D.lift(v) for v in row] for row in M[::3]]) for M in (X, BENT))
    fine = bruto.fit(D, rows, responses, tol=Fraction(1, 10**6))
    rough = bruto.fit(F, Matrix(X[::3]), Matrix(BENT[::3]), tol=1e-6)
    assert fine.types == rough.types and abs(float(fine.gcv) / rough.gcv - 1) < 1e-6


def test_the_smoothing_of_lowest_score_is_not_exact():
    """In exact arithmetic BRUTO is refused, with the reason."""
    rows = Matrix([[Fraction(k)] for k in range(5)])
    with pytest.raises(NotExact):
        bruto.fit(RATIONAL, rows, rows)


def test_a_budget_that_runs_out_keeps_the_state():
    """NotConverged carries the state at which the sweeps ran out."""
    with pytest.raises(NotConverged) as refusal:
        bruto.fit(F, X, BENT, max_select=1)
    assert refusal.value.witness["state"].phase == "selection"


def test_costs_that_mean_nothing_are_refused():
    """A cost must be positive, a threshold must not be negative."""
    for option in ({"cost": 0}, {"cost": -1}, {"threshold": -1}):
        with pytest.raises(InvalidInput):
            bruto.fit(F, X, BENT, **option)


def test_an_exact_line_settles_though_roundoff_moves_its_score():
    """Responses on a line of one variable, weighed unequally: no more than roundoff is left, and the iteration ends."""
    X = [[1, 3]] * 4 + [[2, 1]] * 4 + [[3, 3]] * 4 + [[4, 1]] * 4
    y = ([[1]] * 4 + [[2]] * 4) * 2
    X, y = (Matrix([[float(v) for v in row] for row in rows]) for rows in (X, y))
    model = bruto.fit(F, X, y, Vector([10.0] + [1.0] * 15))
    assert model.gcv < 1e-30 and model.types[1] == "linear"


def exact_responses(seed):
    """Return rows of two columns, a constant, y = 3x or y = 3x − 2z, weights, and the types that explain it."""
    chance = random.Random(seed)
    n = chance.choice([6, 12, 30])
    rows = [[chance.gauss(0, 1), chance.choice([0.0, 1e6]) + chance.gauss(0, 1)] for _ in range(n)]
    kind, power = chance.choice(["constant", "one", "both", "copy"]), chance.choice([0, 0, 3, 6])
    if kind == "copy":
        rows = [[a, 2 * a] for a, _ in rows]
    y = {"constant": lambda a, b: 0.1, "both": lambda a, b: 3 * a - 2 * b}.get(kind, lambda a, b: 3 * a)
    used = {"constant": 0, "both": 2}.get(kind, 1)
    weights = Vector([10.0 ** chance.randint(-power, power) for _ in rows])
    return Matrix(rows), Matrix([[y(*row)] for row in rows]), weights, used


@pytest.mark.parametrize("seed", range(12))
def test_what_a_constant_or_lines_fit_but_for_roundings_takes_no_curve(seed):
    """y = 0.1, 3x, 3x − 2z, a column and its double; with weights: as few lines as explain it, no curve  [GAP-9]."""
    X, Y, weights, used = exact_responses(seed)
    model = bruto.fit(F, X, Y, weights)
    assert sorted(model.types) == ["excluded"] * (2 - used) + ["linear"] * used
    for choice in bruto.certify_choices(X, Y, model, weights, gap=Fraction(1, 10**6), eps=F.eps):
        assert choice is None or choice.digits > 9


@pytest.mark.slow
def test_functions_that_depend_on_each_other_are_computed_at_once_where_sweeps_take_as_long(monkeypatch):
    """Weights of 1,000 make degrees of freedom cheap; functions then depend on each other, and sweeps go on: after so
    many that one step of all points would have been as fast the limit is reached  [GAP-9]."""
    r = random.Random(0)
    X = Matrix([[r.gauss(0, 1) for _ in range(3)] for _ in range(60)])
    Y = Matrix([[x[0] ** 2 + x[1] + r.gauss(0, 0.5)] for x in X])
    weights = Vector([float(r.choice([1, 1000])) for _ in X])
    monkeypatch.setattr(bruto_steps, "FEW", (0, 0))
    monkeypatch.setattr(bruto_steps, "EVEN", 60)
    found = bruto.fit(F, X, Y, weights)
    assert found.gcv is not None and bruto.additive.certify(X, Y, found, weights).digits > 6
    monkeypatch.setattr(bruto_steps, "MANY", 0)
    with pytest.raises(NotConverged, match="1000 sweeps"):
        bruto.fit(F, X, Y, weights)
