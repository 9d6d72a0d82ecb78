"""What every solver of quadratic problems owes, whatever the problem."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.certificate import relative_digits
from refclass.errors import NoAnswer, NotConverged
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.decimals import decimal
from refclass.optimise.active_set import primal
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic import exact_data
from refclass.optimise.quadratic.phase_one import contradiction
from refclass.optimise.quadratic.problem import Problem
from tests.laws import solvers
from tests.laws.solvers import GENERAL, MACHINES, is_ray, machines, names, outcome, quadratics
from tests.numbers import STRICT
from tests.optimise import enumeration
from tests.profiles import examples

general = pytest.mark.parametrize("module", [s for _, s in GENERAL], ids=names(GENERAL))
trained = pytest.mark.parametrize("module", [s for _, s in MACHINES], ids=names(MACHINES))
# The page of the active-set method solves a KKT system anew at each step; where Q is singular, doubles may take its
# flat direction for a curved one. It has a law of its own: nine digits, or a refusal with bounds.
ROUNDED = [(name, solver) for name, solver in MACHINES if name != "primal_active_set"]
rounding = pytest.mark.parametrize("module", [s for _, s in ROUNDED], ids=names(ROUNDED))


def optimum(module, problem):
    """Return the answer of a solver, or None if it refuses."""
    try:
        return module.solve(problem)
    except NoAnswer:
        return None


@general
@given(problem=quadratics())
def test_every_condition_holds_exactly_at_the_end(module, problem):
    """On fractions the gap is 0, every optimality condition holds with ==, and x is feasible [OPT-QP.P1] [KIM-3.6]."""
    answer = optimum(module, problem)
    if answer is not None:
        proof = module.certify(problem, answer)
        assert (proof.status, proof.gap, proof.worst_violation) == ("optimal", 0, 0)


@general
@settings(max_examples=examples(40))
@given(problem=quadratics(most=3))
def test_brute_force_finds_the_same_minimum_or_the_same_reason_for_none(module, problem):
    """The value is that of the best of all active sets; infeasible and unbounded ones are separated [OPT-QP.P2]."""
    assert outcome(module.solve, problem) == outcome(enumeration.solve, problem)


@general
@settings(max_examples=examples(40))
@given(problem=quadratics(most=3))
def test_the_minimum_is_at_one_place_where_that_is_proven(module, problem):
    """Where the certificate calls x unique, brute force has found the same x [OPT-QP.P2]."""
    answer = optimum(module, problem)
    if answer is not None and module.certify(problem, answer).unique["x"]:
        assert answer.x == enumeration.solve(problem).x


@general
@given(problem=quadratics())
def test_every_refusal_has_a_witness_that_proves_it(module, problem):
    """Infeasible: multipliers that contradict the constraints; unbounded: a ray [KIM-3.6]."""
    try:
        module.solve(problem)
    except NoAnswer as refusal:
        if "ray" in refusal.witness:
            assert is_ray(problem, refusal.witness["ray"])
        else:
            assert contradiction(problem, refusal.witness["nu"], refusal.witness["mu"]) > 0


@general
@given(problem=quadratics())
def test_every_state_of_the_iteration_passes_its_check(module, problem):
    """Each state passes its own check: feasible and falling, or stationary on its active set [OPT-QP.P1]."""
    try:
        for state in module.steps(problem):
            state.check()
    except NoAnswer:
        pass


@general
@given(problem=quadratics(), data=st.data())
def test_permuted_variables_permute_the_minimum(module, problem, data):
    """The order of the variables changes neither the value nor, where it is unique, x."""
    order = data.draw(st.permutations(range(problem.n)))
    turned = solvers.permuted(problem, order)
    answer, other = optimum(module, problem), optimum(module, turned)
    assert (answer is None) == (other is None)
    if answer is not None:
        proof = module.certify(problem, answer)
        assert module.certify(turned, other).primal == proof.primal
        if proof.unique["x"]:
            assert other.x == answer.x.pick(order)


@general
@given(problem=quadratics())
def test_a_concave_direction_is_refused_and_shown(module, problem):
    """If Q is not semidefinite where Ex = 0, the refusal carries p with Ep = 0 and pᵀQp < 0 [ERR-ISML-05]."""
    bent = replace(problem, Q=problem.Q - Matrix.diagonal_of([problem.Q.trace() + 1] * problem.n))
    if problem.E is not None and fraction_free.rank(problem.E) == problem.n:
        return
    with pytest.raises(NoAnswer) as refusal:
        module.solve(bent)
    p = refusal.value.witness["direction"]
    assert p @ (bent.Q @ p) < 0 and (bent.E is None or not any(bent.E @ p))


@general
@given(problem=quadratics())
def test_no_float_enters_an_exact_computation(module, problem):
    """On fractions that refuse every other number the answer is the same."""
    strict = solvers.cast(problem, STRICT.kind)
    answer = optimum(module, problem)
    other = optimum(module, strict)
    assert (answer is None) == (other is None)
    if answer is not None:
        assert [v.value for v in other.x] == list(answer.x)


@trained
@settings(max_examples=examples(40))
@given(problem=machines())
def test_machines_are_trained_to_the_minimum_of_brute_force(module, problem):
    """Duplicates, collinear points, classes of one point, zero and infinite costs: value and proof [OPT-QP.P2]."""
    assert outcome(module.solve, problem) == outcome(enumeration.solve, problem)


@trained
@given(problem=machines(per_class=(2, 6)))
def test_machines_are_trained_with_a_gap_of_exactly_zero(module, problem):
    """Primal and dual meet, and every condition holds with == [SVC-DUALITY.P1] [SVC-L1-KKT.P1]."""
    answer = optimum(module, problem)
    if answer is not None:
        proof = module.certify(problem, answer)
        assert (proof.status, proof.gap, proof.worst_violation) == ("optimal", 0, 0)


@rounding
@given(problem=machines(per_class=(1, 5)))
def test_machines_in_rounded_numbers_have_a_gap_of_roundoff(module, problem):
    """In binary64 and in thirty digits the exact gap is within thirty units of roundoff of what was summed."""
    exact = optimum(module, problem)
    for number, eps in ((float, Fraction(1, 2**52)), (decimal(30).lift, Fraction(1, 10**29))):
        rounded = solvers.cast(problem, number)
        answer = optimum(module, rounded)
        assert (answer is None) == (exact is None)
        if answer is not None:
            proof = module.certify(rounded, answer, convex=True)
            total = sum(abs(Fraction(*v.as_integer_ratio())) for v in answer.x)
            largest = max(Fraction(*v.as_integer_ratio()) for v in rounded.Q.diagonal())
            size = 30 * problem.n * eps * (1 + total) * (1 + largest * total)
            assert abs(proof.gap) <= size and proof.worst_violation <= size


@settings(max_examples=examples(40))
@given(problem=machines(per_class=(1, 5)))
def test_the_page_in_rounded_numbers_proves_nine_digits_or_refuses_with_bounds(problem):
    """Of singular matrices, too, where roundoff hides flat directions: the least value lies between the bounds."""
    exact = optimum(primal, problem)
    for number in (float, decimal(30).lift):
        rounded = solvers.cast(problem, number)
        try:
            answer = optimum(primal, rounded)
        except NotConverged as refusal:
            found = refusal.witness
            assert relative_digits(found["primal"], found["dual"]) < 9
            continue
        assert (answer is None) == (exact is None)
        if answer is not None:
            proof = primal.certify(rounded, answer, convex=True)
            assert relative_digits(proof.primal, proof.dual) >= 9


@trained
@given(problem=machines(per_class=(1, 4)), data=st.data())
def test_a_point_given_twice_shares_its_cost_and_changes_nothing_else(module, problem, data):
    """Two copies of a point with half its cost each have the same minimum: only α is split [SVC-COST-I.P1]."""
    i = data.draw(st.integers(0, problem.n - 1))
    places = [*range(problem.n), i]
    halves = [
        [None if v is None else v / 2 if k == i else v for k, v in enumerate(b)] for b in (problem.lower, problem.upper)
    ]
    lower, upper = [tuple(b[k] for k in places) for b in halves]
    E = None if problem.E is None else Matrix([[Fraction(1)] * len(places)])
    twice = Problem(problem.Q.block(places, places), problem.c.pick(places), lower, upper, E, problem.d)
    assert outcome(module.solve, twice) == outcome(module.solve, problem)


@trained
@given(problem=machines(per_class=(1, 4)))
def test_the_dual_of_a_machine_is_a_programme_with_inequalities_only(module, problem):
    """As min ½θᵀFθ + fᵀθ, Gθ ≤ g, without bounds and equalities, it has the same minimum [OPT-QP.P3] [ISML-27.2-qp]."""
    n = problem.n
    lines = [(-Vector.unit(n, i, Fraction), -v) for i, v in enumerate(problem.lower) if v is not None]
    lines += [(Vector.unit(n, i, Fraction), v) for i, v in enumerate(problem.upper) if v is not None]
    if problem.E is not None:
        lines += [(problem.E[0], problem.d[0]), (-problem.E[0], -problem.d[0])]
    free = (None,) * n
    G, g = Matrix([row for row, _ in lines]), Vector([v for _, v in lines])
    programme = Problem(problem.Q, problem.c, free, free, G=G, h=g)
    assert outcome(GENERAL[0][1].solve, programme) == outcome(module.solve, problem)


@given(problem=quadratics(), data=st.data())
def test_no_multipliers_bound_a_feasible_value_from_above(problem, data):
    """The dual at any point and multipliers is at most the minimum [SVC-DUALITY.P1] [ISML-27.2-maxmin]."""
    answer = optimum(GENERAL[0][1], problem)
    if answer is None:
        return
    numbers = st.builds(Fraction, st.integers(-3, 3))
    z = Vector(data.draw(st.lists(numbers, min_size=problem.n, max_size=problem.n)))
    nu = answer.nu and Vector([v + data.draw(numbers) for v in answer.nu])
    mu = answer.mu and Vector([abs(v + data.draw(numbers)) for v in answer.mu])
    trial = exact_data.answer(problem, z, nu, mu)
    if not quadratic.residuals(problem, trial)["stationarity"][0]:
        assert quadratic.dual(problem, trial) <= quadratic.objective(problem, answer.x)
