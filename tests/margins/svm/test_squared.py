"""Squared slack with a linear kernel: Newton's method in the plane's own variables."""

import random
from dataclasses import replace
from fractions import Fraction as Q

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass import SVC
from refclass.linear.vector import Vector, dot
from refclass.margins.svm import squared
from refclass.number.rational import RATIONAL
from refclass.optimise.active_set import solver as active_set
from tests.margins.machines import machine
from tests.numbers import COUNTED, STRICT, counting
from tests.strategies import samples

costs = st.sampled_from([Q(0), Q(1, 3), Q(1), Q(1), Q(20)])


@st.composite
def machines(draw):
    """Points on a small grid with duplicates and collinear points, costs of all sizes, zero among them."""
    X, labels = draw(samples(per_class=(1, 5), p=draw(st.integers(1, 3)), entries=st.integers(-2, 2)))
    C = draw(st.lists(costs, min_size=len(X), max_size=len(X)))
    return machine(X, [2 * k - 1 for k in labels], C=C, squared=True, intercept=draw(st.booleans()))


def over(F, m):
    """The machine and its points in another arithmetic."""
    points = [Vector([F.lift(v) for v in x]) for x in m.K.X]
    lifted = replace(m, y=Vector([F.lift(t) for t in m.y]), costs=tuple(map(F.lift, m.costs)))
    return F, lifted, points


@given(machines())
def test_on_fractions_the_multipliers_are_those_of_the_dual(m):
    """The dual with squared slack has one solution, and Newton's method ends at it, with == [SVC-L2.P4]
    [MMST-Ex11.3] [MMST-Ex11.3c]."""
    signed, _ = squared.solve(RATIONAL, m, m.K.X)
    assert signed == active_set.solve(m.dual().problem(), convex=True).x


@given(machines())
def test_multipliers_are_twice_the_cost_of_the_slack(m):
    """αᵢ = 2Cᵢξᵢ and Σ αᵢyᵢ = 0, with β = Σ αᵢyᵢxᵢ [MMST-Ex11.3b]."""
    signed, _ = squared.solve(RATIONAL, m, m.K.X)
    assert all(t * a >= 0 for t, a in zip(m.y, signed)) and (not m.intercept or signed.sum() == 0)
    beta = [sum(a * x[j] for a, x in zip(signed, m.K.X)) for j in range(len(m.K.X[0]))]
    lacks = [1 - t * dot(beta, x) - t * a / (2 * c) for a, t, c, x in _live(m, signed)]
    shifts = {t * v for v, (a, t, _, _) in zip(lacks, _live(m, signed)) if a}
    assert len(shifts) <= 1 if m.intercept else shifts <= {0}


def _live(m, signed):
    return [(a, t, c, x) for a, t, c, x in zip(signed, m.y, m.costs, m.K.X) if c]


@pytest.mark.parametrize("C", [1, 10**4])
def test_columns_of_all_sizes_are_no_hindrance(C):
    """One variable a thousand times as large as the other, where the ridge on the Gram matrix is 10⁻¹¹ of it: proven,
    and not called unbounded [SVC-DUALITY.P1]."""
    rng = random.Random(5)
    X, y = [[rng.gauss(0, 1000), rng.gauss(0, 1)] for _ in range(80)], [rng.randint(0, 1) for _ in range(80)]
    m = SVC(C=C, loss="squared_hinge").fit(X, y)
    assert m.certificate_.status == "optimal" and abs(m.certificate_.gap) <= 1e-7 * m.objective_


@pytest.mark.parametrize("C", [1, 100, 10**4])
@pytest.mark.parametrize("n, p, size", [(2, 2, 1000), (4, 10, 1), (8, 10, 1000), (15, 10, 1), (8, 3, 0.001)])
def test_small_multipliers_keep_their_digits_where_classes_separate(n, p, size, C):
    """Slack of 10⁻⁹ is 1 less almost as much; the multipliers it leads to are refined, and proven [MMST-Ex11.3b]."""
    rng = random.Random(n + p)
    X = [[rng.gauss(0, size), *(rng.gauss(0, 1) for _ in range(p - 1))] for _ in range(n)]
    for intercept in (True, False):
        m = SVC(C=C, loss="squared_hinge", intercept=intercept).fit(X, [i % 2 for i in range(n)])
        assert m.certificate_.status == "optimal" and abs(m.certificate_.gap) <= 1e-12 * m.objective_


@given(machines())
def test_numbers_of_one_kind_run_through(m):
    """No float comes in on the way [RC-21]."""
    signed, _ = squared.solve(*over(STRICT, m))
    assert all(type(a) is STRICT.kind for a in signed)


@pytest.mark.parametrize("n", [4, 8, 16])
def test_a_step_costs_a_square_of_the_variables_for_each_point(n):
    """With p variables and the intercept, below (p + 1)(p + 6) multiplications for each point and step."""
    m = machine([[i, i * i % 7] for i in range(n)], [1 if i % 2 else -1 for i in range(n)], squared=True)
    given_machine = over(COUNTED, m)
    with counting() as count:
        _, steps = squared.solve(*given_machine)
    assert count.multiply <= (steps + 1) * (n * 3 * 8 + 60)
