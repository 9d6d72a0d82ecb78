"""What every solver owes that approaches the optimum of a machine and stops at a violation: smo and its relatives."""

from fractions import Fraction

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from refclass.errors import NoAnswer, NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.tolerance import near
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.decomposition import chunking, fixed_size
from refclass.optimise.decomposition import solver as decomposition
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic import problem as whole
from refclass.optimise.quadratic.problem import Problem
from tests.laws import solvers
from tests.laws.solvers import APPROACHING, cast, machine, machines, names, permuted
from tests.optimise import enumeration
from tests.profiles import examples
from tests.strategies import samples

ALL = [*APPROACHING, ("chunking", chunking), ("working_set", decomposition)]
BOOK = [*APPROACHING, ("chunking", chunking)]
TOL = 1e-7

approaching = pytest.mark.parametrize("module", [s for _, s in ALL], ids=names(ALL))
finite_costs = st.sampled_from([Fraction(1), Fraction(1), Fraction(0), Fraction(1, 3), Fraction(5)])
ROUNDED_RAY = Problem(  # in doubles the motion along its ray has an entry of 4e-16 towards a bound
    Matrix(
        [
            list(map(Fraction, row))
            for row in ([1, 1, 1, 1, 1], [1, 4, 1, 9, 9], [1, 1, 4, 9, 9], *[[1, 9, 9, 81, 81]] * 2)
        ]
    ),
    Vector(list(map(Fraction, (1, -1, -1, 1, -1)))),
    (Fraction(-1), Fraction(0), Fraction(0), None, Fraction(0)),
    (Fraction(0), Fraction(1), Fraction(1), Fraction(0), None),
)


@st.composite
def bounded(draw, per_class=(1, 6)):
    """Machines on a small grid with finite costs, zero among them: copies, collinear points and ties are the rule."""
    X, labels = draw(samples(per_class=per_class, p=draw(st.integers(1, 2)), entries=st.integers(-2, 2)))
    C = draw(st.lists(finite_costs, min_size=len(X), max_size=len(X)))
    return machine(X, labels, C, degree=draw(st.integers(1, 2)), intercept=draw(st.booleans()))


def lifted(x):
    """The same numbers as fractions."""
    return Vector([Fraction(v) for v in x])


def excess(problem, x):
    """How far the value of the exact problem at x lies above its minimum, and the minimum's x."""
    best = active_set.solve(problem, convex=True).x
    return quadratic.objective(problem, lifted(x)) - quadratic.objective(problem, best), best


def allowed(problem, tol=TOL):
    """The excess that violations of tol explain: every entry moves across its box at most, at the price tol."""
    module = sum(b - a for a, b in zip(problem.lower, problem.upper))
    return Fraction(tol) * module + Fraction(1, 10**12) * (1 + module) * (1 + module) * (1 + problem.Q.largest())


@approaching
@settings(max_examples=examples(40))
@given(problem=bounded())
def test_the_value_lies_above_the_minimum_by_no_more_than_the_tolerance_explains(module, problem):
    """f(x) − min f ≤ tol · Σ (upperᵢ − lowerᵢ), against the active-set method on fractions [OPT-SMO.P3]
    [OPT-CHUNK.P1] [OPT-DECOMP.P2]."""
    above, _ = excess(problem, module.solve(cast(problem, float), tol=TOL).x)
    assert -allowed(problem, 0) <= above <= allowed(problem)


@approaching
@settings(max_examples=examples(40))
@given(problem=bounded())
def test_the_point_is_in_the_box_and_keeps_the_sum(module, problem):
    """0 ≤ yᵢaᵢ ≤ Cᵢ with ==, a point of cost zero stays at zero, Σa = 0 up to roundoff [SVC-COST-I.P1]."""
    rounded = cast(problem, float)
    x = module.solve(rounded, tol=TOL).x
    assert all(a <= v <= b for v, a, b in zip(x, rounded.lower, rounded.upper))
    assert all(v == 0 for v, a, b in zip(x, rounded.lower, rounded.upper) if a == b)
    assert problem.E is None or abs(x.sum()) <= 1e-12 * (1 + sum(map(abs, x)))


@approaching
@settings(max_examples=examples(40))
@given(problem=bounded())
def test_decision_values_are_those_of_the_minimum(module, problem):
    """½(x − x*)ᵀQ(x − x*) ≤ f(x) − min f: the multipliers of copies may split, the function may not [SVC-L1.P2]
    [RC-16]."""
    x = module.solve(cast(problem, float), tol=TOL).x
    _, best = excess(problem, x)
    change = lifted(x) - best
    assert change @ (problem.Q @ change) <= 2 * allowed(problem)


@approaching
@settings(max_examples=examples(40))
@given(problem=bounded(per_class=(1, 5)), data=st.data())
def test_permuted_points_have_the_same_function(module, problem, data):
    """Points in another order: the two functions differ by less than either from the minimum, and the values too."""
    order = data.draw(st.permutations(range(problem.n)))
    x = lifted(module.solve(cast(problem, float), tol=TOL).x)
    other = lifted(module.solve(cast(permuted(problem, order), float), tol=TOL).x)
    back = Vector([other[order.index(i)] for i in range(problem.n)])
    difference = quadratic.objective(problem, x) - quadratic.objective(problem, back)
    assert abs(difference) <= allowed(problem)
    assert (x - back) @ (problem.Q @ (x - back)) <= 8 * allowed(problem)


@approaching
@settings(max_examples=examples(25))
@given(problem=bounded(per_class=(1, 4)))
def test_every_state_is_feasible_and_falls(module, problem):
    """Each state passes its own check, and the last violates optimality by no more than it was reported [OPT-SMO]."""
    states = list(module.steps(cast(problem, float), tol=1e-3))
    for state in states:
        state.check()
    assert states[-1].violation <= 1e-3


@approaching
@settings(max_examples=examples(25))
@given(size=st.integers(1, 5), cost=st.sampled_from([2.0**-10, 2.0**-7]), data=st.data())
def test_with_small_costs_every_multiplier_ends_at_its_bound(module, size, cost, data):
    """Equal classes at a cost too small to satisfy any point: |aᵢ| = C up to roundoff, none is free [SVC-L1-KKT.P1]."""
    X, labels = data.draw(samples(per_class=(size, size), p=2, entries=st.integers(-2, 2)))
    assume(2 * sum(labels) == len(labels))
    problem = machine(X, labels, [cost] * len(X), degree=1, kind=float)
    assert all(near(BINARY64, abs(v), cost, cost, problem.n) for v in module.solve(problem, tol=TOL).x)


@approaching
@settings(max_examples=examples(25))
@example(problem=ROUNDED_RAY)
@given(problem=machines(per_class=(1, 3)))
def test_what_has_no_minimum_is_refused_with_a_ray(module, problem):
    """Infinite costs without separation: a refusal, as that of the active-set method, whose ray leads down for ever
    [SVC-HARD-DUAL.P2]."""
    expected, _ = solvers.outcome(active_set.solve, problem)
    try:
        module.solve(cast(problem, float), tol=1e-4)
    except NoAnswer as refusal:
        assert expected == refusal.got == "an unbounded one"
        r, Q, c = lifted(refusal.witness["ray"]), problem.Q, problem.c
        assert c @ r < 0 and max(map(abs, Q @ r)) <= Fraction(1, 10**6) * r.largest()
        assert all((a is None or v >= 0) and (b is None or v <= 0) for v, a, b in zip(r, problem.lower, problem.upper))
    else:
        assert expected == "optimal"


@st.composite
def degenerate(draw):
    """Duals in doubles, held without rounding: copies, collinear points, far from the origin, of any scale and cost."""
    n, p = draw(st.integers(2, 5)), draw(st.integers(1, 2))
    offset, scale = draw(st.sampled_from([0, 0, 2**20])), 2.0 ** draw(st.sampled_from([0, 0, -20, 20]))
    X = draw(st.lists(st.lists(st.integers(-2, 2), min_size=p, max_size=p), min_size=n, max_size=n))
    K = Matrix([[scale * sum((a + offset) * (b + offset) for a, b in zip(u, v)) for v in X] for u in X])
    y = [1.0, -1.0, *draw(st.lists(st.sampled_from([1.0, -1.0]), min_size=n - 2, max_size=n - 2))]
    C = 2.0 ** draw(st.sampled_from([-20, 0, 0, 10]))
    lower, upper = tuple(0.0 if t > 0 else -C for t in y), tuple(C if t > 0 else 0.0 for t in y)
    sums = (Matrix([[1.0] * n]), Vector([0.0])) if draw(st.booleans()) else (None, None)
    return Problem(K, -Vector(y), lower, upper, *sums)


@pytest.mark.parametrize("module", [module for _, module in BOOK], ids=names(BOOK))
@settings(max_examples=examples(40), deadline=None)
@given(problem=degenerate())
def test_on_degenerate_problems_every_solver_ends_at_the_minimum_or_says_between_what_it_is(module, problem):
    """Within 2000 steps: a value that is the least one to eight digits, or NotConverged; never NoAnswer, as a
    machine's dual has a minimum [OPT-SMO.P1] [OPT-QP.P2]."""
    exact = whole.lifted(problem)
    best = quadratic.objective(exact, enumeration.solve(exact).x)
    try:
        x = module.solve(problem, max_steps=2000).x
    except NotConverged as refusal:
        assert refusal.witness["dual"] <= best <= refusal.witness["primal"]
        return
    value = quadratic.objective(exact, lifted(x))
    assert abs(value - best) <= abs(best) / 10**8


@approaching
@settings(max_examples=examples(25), deadline=None)
@given(problem=degenerate(), most=st.integers(0, 2))
def test_a_refusal_after_few_steps_tells_between_what_the_minimum_is(module, problem, most):
    """The primal bound is the value at a feasible point, the dual bound holds for all of them [OPT-QP.P2]."""
    try:
        module.solve(problem, max_steps=most)
    except NotConverged as refusal:
        exact = whole.lifted(problem)
        best = quadratic.objective(exact, enumeration.solve(exact).x)
        assert refusal.witness["dual"] <= best <= refusal.witness["primal"]


COARSE = Problem(
    Matrix([[2.0**61 + a * b * 2.0**41 for b in (-1, 0, 1)] for a in (-1, 0, 1)]),
    Vector([-1.0, 1.0, -1.0]),
    (0.0, -(2.0**-20), 0.0),
    (2.0**-20, 0.0, 2.0**-20),
)


@pytest.mark.parametrize("module", [chunking, fixed_size], ids=["chunking", "decomposition"])
def test_a_part_that_is_not_solved_within_its_steps_is_refused_with_bounds_of_the_whole(module, monkeypatch):
    """The solver of the part knows the part alone; the refusal has the whole's point and bounds [OPT-CHUNK.P1]."""

    def tired(part, **_):
        raise NotConverged("active_set", need="the minimum", got="none after 0 steps", x=part.c, gap=Fraction(1))

    monkeypatch.setattr(active_set, "solve", tired)
    with pytest.raises(NotConverged) as refusal:
        module.solve(COARSE, size=2)
    exact, witness = whole.lifted(COARSE), refusal.value.witness
    best = quadratic.objective(exact, enumeration.solve(exact).x)
    assert len(witness["x"]) == COARSE.n and witness["dual"] <= best <= witness["primal"]
