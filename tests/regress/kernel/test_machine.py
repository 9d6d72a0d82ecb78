"""The dual of a kernel machine: exact, with a gap of zero, equal to what every active set tried one by one gives."""

from dataclasses import replace
from fractions import Fraction as Q
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import NoAnswer
from refclass.kernels.matrices.gram import gram
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.conjugate_pieces import Piece
from refclass.losses.huber import Huber
from refclass.losses.insensitive import Insensitive, QuadraticInsensitive, SquaredInsensitive
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.optimise.quadratic import certificate as quadratic
from refclass.regress.kernel import certificate, fitted_machine, premises
from refclass.regress.kernel import fit as training
from refclass.regress.kernel import machine as dual
from refclass.regress.kernel.tube import insensitive
from tests.numbers import STRICT, Strict
from tests.optimise import enumeration
from tests.profiles import examples
from tests.regress.tables import LINEAR, QUADRATIC, costs, decision, ones, problems, svr, table, value, widths
from tests.strategies import positive

few = settings(max_examples=examples(15))
losses = st.sampled_from(
    [Insensitive(Q(1, 4)), Insensitive(Q(0)), SquaredInsensitive(Q(1, 2)), QuadraticInsensitive(Q(1)), Huber(Q(1))]
)


def machine(X, y, loss, C, kernel=LINEAR, intercept=True):
    """A machine with one cost."""
    K = gram(RATIONAL, kernel, X)
    return insensitive.machine(RATIONAL, K, y, ones(len(y), C), loss, intercept=intercept)


@few
@given(problems(), losses, costs, st.booleans())
def test_the_gap_of_a_fit_is_zero(problem, loss, C, intercept):
    """Primal and dual value are equal, as fractions, for every loss  [SVR-DUAL.P1] [SVR-L2.P1] [MMST-11.124]."""
    m = machine(*problem, loss, C, intercept=intercept)
    fitted = training.fit(RATIONAL, m)
    assert value(m, fitted) == fitted_machine.dual_objective(m, fitted.a, fitted.square)


@few
@given(problems(n=(1, 3), p=(1, 1)), losses, costs)
def test_a_fit_is_what_brute_force_finds(problem, loss, C):
    """The optimum over all active sets, tried one by one, has the same value and the same function  [ESL-12.41]."""
    m = machine(*problem, loss, C)
    fitted = training.fit(RATIONAL, m)
    tried = fitted_machine.fitted(m, enumeration.solve(m.problem()))
    assert value(m, fitted) == value(m, tried)
    assert fitted.values == tried.values


@few
@given(problems(), losses, costs, st.randoms())
def test_permuting_points_permutes_the_fit(problem, loss, C, rng):
    """The order of the points does not matter to the function  [ESL-12.40]."""
    X, y = problem
    order = list(range(len(y)))
    rng.shuffle(order)
    first = training.fit(RATIONAL, machine(X, y, loss, C))
    second = training.fit(RATIONAL, machine(Matrix([X[i] for i in order]), y.pick(order), loss, C))
    assert second.values == first.values.pick(order)
    assert second.interval == first.interval


@few
@given(problems(n=(2, 4)), losses, costs)
def test_an_integer_cost_stands_for_copies_of_a_point(problem, loss, C):
    """Doubling a point's cost is as good as giving it twice  [SVC-COST-I]."""
    X, y = problem
    K = gram(RATIONAL, LINEAR, X)
    doubled = insensitive.machine(RATIONAL, K, y, Vector([2 * C] + [C] * (len(y) - 1)), loss)
    twice = machine(Matrix([X[0], *X]), Vector([y[0], *y]), loss, C)
    one, two = training.fit(RATIONAL, doubled), training.fit(RATIONAL, twice)
    assert one.values == Vector(two.values[1:]) and one.interval == two.interval
    assert value(doubled, one) == value(twice, two)


@few
@given(problems(n=(2, 5)), widths, costs)
def test_every_intercept_of_the_interval_is_optimal_and_none_outside(problem, epsilon, C):
    """The objective is the same on the interval, and larger beyond its ends  [SVR-KKT.P1] [MMST-11.126]."""
    m, fitted = svr(*problem, C, epsilon)
    low, high = fitted.interval
    best = value(m, fitted)
    for beta0, optimal in ((low, True), (high, True), (low - 1, False), (high + 1, False)):
        f = Vector.of([v + beta0 for v in fitted.values])
        assert (fitted_machine.primal_objective(m, fitted.square, f) == best) == optimal


@few
@given(problems(n=(2, 5)), losses, costs)
def test_the_certificate_of_an_exact_fit_is_optimal(problem, loss, C):
    """Gap and violation are exactly zero, and whether the intercept is unique is said  [SVR-DUAL.P1] [SVR-KKT.P1]."""
    m = machine(*problem, loss, C, kernel=QUADRATIC)
    fitted = training.fit(RATIONAL, m)
    c = certificate.certify(m, fitted.a, fitted.beta0)
    assert c.status == "optimal" and c.gap == 0 and c.worst_violation == 0 and c.where == ""
    assert c.unique == {"f": True, "intercept": fitted.interval[0] == fitted.interval[1]}


@few
@given(problems(n=(2, 5)), losses, costs, st.integers(0, 4), positive)
def test_the_certificate_of_another_answer_says_how_far_it_is(problem, loss, C, i, step):
    """A multiplier moved away is not optimal, and the bound still lies below the optimum  [RC-4]."""
    m = machine(*problem, loss, C)
    fitted = training.fit(RATIONAL, m)
    i %= len(fitted.a)
    moved = Vector([v + (step if j == i else 0) for j, v in enumerate(fitted.a)])
    c = certificate.certify(m, moved, fitted.beta0)
    best = value(m, fitted)
    assert c.dual <= best <= c.primal and c.worst_violation > 0 and c.where
    assert c.digits < inf or c.primal == best


@few
@given(problems(n=(2, 5)), losses, costs)
def test_strict_fractions_pass_through_a_fit(problem, loss, C):
    """Nothing but fractions of the one kind meets in an exact fit  [ESL-12.41]."""
    m = machine(*problem, loss, C)
    strict = training.fit(STRICT, m.over(STRICT))
    plain = training.fit(RATIONAL, m)
    assert all(type(v) is Strict for v in strict.a)
    assert [v.value for v in strict.values] == list(plain.values)


@pytest.mark.parametrize("loss", [Insensitive, SquaredInsensitive, QuadraticInsensitive])
@pytest.mark.parametrize("F", [BINARY64, decimal(30)], ids=lambda F: F.name)
def test_rounded_numbers_come_near_the_exact_optimum(F, loss):
    """Doubles and decimals reach the exact objective to roundoff, their certificates say optimal  [SVR-L1.P1]."""
    X, y = [[0], [1], [2], [3], [5], [8]], [0, 2, 1, 5, 3, 9]
    exact, fitted = svr(Matrix([[Q(v) for v in x] for x in X]), Vector(map(Q, y)), Q(2), Q(1, 4), loss)
    K = exact.over(F).K
    m = insensitive.machine(F, K, Vector(map(F.lift, y)), Vector([F.lift(2)] * 6), loss(F.lift(Q(1, 4))))
    found = training.fit(F, m)
    assert near(F, value(m, found), F.lift(value(exact, fitted)), steps=36)
    c = certificate.certify(exact, found.a, found.beta0)
    assert c.status == "optimal" and c.gap >= 0


@pytest.mark.parametrize("n", [1, 2, 3, 5, 10])
def test_machines_of_every_size_are_fitted(n):
    """Sizes 1 to 10; one point, or two on the tube's edges, have no slope  [SVR-L1.P2]."""
    X = Matrix([[Q(i)] for i in range(n)])
    y = Vector([Q(i % 3) for i in range(n)])
    m, fitted = svr(X, y, Q(1), Q(1))
    assert certificate.certify(m, fitted.a, fitted.beta0).status == "optimal"
    assert fitted.square == 0 or n > 2


def test_a_kernel_that_is_not_positive_is_refused_with_a_direction():
    """A direction p with Σp = 0 and pᵀKp < 0 is the witness  [SVR-KERNEL] [ERR-MMST-31]."""
    K = Matrix([[Q(0), Q(1)], [Q(1), Q(0)]])
    m = insensitive.machine(RATIONAL, K, ones(2), ones(2), Insensitive(Q(1)), positive=False)
    with pytest.raises(NoAnswer, match="negative curvature") as refusal:
        premises.refuse_indefinite(m)
    p = refusal.value.witness["direction"]
    assert p.sum() == 0 and p @ (K @ p) < 0


def test_a_kernel_is_judged_at_its_exact_worth_on_the_motions_that_are_left():
    """A Gram matrix whose least eigenvalue is −10⁻¹⁸ is refused; one that is negative only where Σ aᵢ ≠ 0 is not
    [RC-20]."""
    tiny = Q(1, 10**18)
    K = Matrix([[Q(1), 1 + tiny], [1 + tiny, Q(1)]])
    m = insensitive.machine(RATIONAL, K, Vector([Q(0), Q(1)]), ones(2), Insensitive(Q(0)), positive=False)
    with pytest.raises(NoAnswer):
        premises.refuse_indefinite(m)
    premises.refuse_indefinite(replace(m, K=Matrix([[Q(-3), Q(-4)], [Q(-4), Q(-3)]])))


@few
@given(problems(n=(2, 4)), losses, costs)
def test_the_problem_in_parts_has_the_dual_objective(problem, loss, C):
    """At the parts of a fit the quadratic problem's objective is minus the dual's  [ESL-12.41] [MMST-11.125]."""
    m = machine(*problem, loss, C)
    fitted = training.fit(RATIONAL, m)
    x = Vector([v for own in fitted.parts for v in own])
    assert quadratic.objective(m.problem(), x) == -fitted_machine.dual_objective(m, fitted.a, fitted.square)


def test_a_point_without_bounds_on_the_intercept_leaves_it_open():
    """Where nothing bounds the intercept from a side the interval has no end there  [GAP-6]."""
    half = (Piece(Q(0), Q(0), Q(0), Q(1)),)
    m = dual.Machine(table([[1]]), Vector([Q(3)]), (half,))
    fitted = training.fit(RATIONAL, m)
    assert fitted.interval == (3, None) and fitted.beta0 == 3
    free = dual.Machine(table([[1]]), Vector([Q(3)]), ((Piece(Q(0), Q(0), Q(0), Q(0)),),))
    assert training.fit(RATIONAL, free).interval == (None, None) and training.fit(RATIONAL, free).beta0 == 0


def test_the_decision_values_include_the_intercept():
    """f = Ka + β₀ at every point  [MMST-11.123]."""
    _, fitted = svr(Matrix([[Q(0)], [Q(2)]]), Vector([Q(0), Q(4)]), Q(5), Q(1, 2))
    assert decision(fitted) == Vector([Q(1, 2), Q(7, 2)])


@pytest.mark.parametrize(
    "loss, only", [(Insensitive(Q(1, 4)), False), (SquaredInsensitive(Q(1, 2)), True), (Huber(Q(1)), True)]
)
def test_no_other_optimum_is_looked_for_where_there_is_one(loss, only, monkeypatch):
    """Of multipliers that pay for their squares one point of the dual is the best, however K is: copies, here."""
    own, solved = machine([[1], [1], [2]], [0, 1, 3], loss, 1), []
    assert own.strict == only
    monkeypatch.setattr(training, "_fractions", lambda *given: solved.append(given))
    training._another(own, None)
    assert bool(solved) != only
