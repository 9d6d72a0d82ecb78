import random

from hypothesis import given
from hypothesis import strategies as st

from refclass.linear.vector import Vector
from refclass.optimise.linear_svm.iteration import Iteration
from refclass.optimise.linear_svm.slacks import Slacks


def sample(seed, n=150, p=3):
    chance = random.Random(seed)
    X = [Vector([chance.gauss(0, 1) for _ in range(p)]) for _ in range(n)]
    return X, Vector([1.0 if sum(x) + chance.gauss(0, 1) > 0 else -1.0 for x in X]), chance


@given(st.integers(0, 10**6), st.booleans())
def test_no_point_moves_further_than_the_certain_distance(seed, intercept):
    """A slack changes by at most ‖x − c‖ ‖d_β‖ + |cᵀd_β + d₀| [ESL-12.16]."""
    X, y, chance = sample(seed)
    slacks = Slacks(X, y, intercept)
    slacks.reach = slacks.sure
    d = [chance.gauss(0, 1) for _ in slacks.columns]
    moved = [abs(a - b) for a, b in zip(slacks.measure(d), slacks.measure([0.0] * len(d)))]
    assert max(moved) <= slacks.distance(d)


@given(st.integers(0, 10**6))
def test_points_that_are_not_looked_at_keep_their_side(seed):
    """Within the budget, and with the certain distance, no slack outside the window changes sign [ESL-12.16]."""
    X, y, chance = sample(seed)
    slacks = Slacks(X, y, True)
    slacks.reach = slacks.sure
    theta = [chance.gauss(0, 1) for _ in slacks.columns]
    slack = slacks.measure(theta)
    slacks.look(theta, slack, [e > 0 for e in slack], (), 0.7)
    d = [chance.gauss(0, 0.1) for _ in theta]
    after = slacks.measure([v + w for v, w in zip(theta, d)])
    turned = {i for i, (a, b) in enumerate(zip(slack, after)) if (a > 0) != (b > 0)}
    assert turned <= set(slacks.near.names) or not slacks.covers(theta, d)


@given(st.integers(0, 10**6))
def test_looking_at_few_points_leads_to_the_same_optimum(seed):
    """With every point looked at, with certain and with likely distances the end is the same [SVC-L1.P2]."""
    X, y, _ = sample(seed)
    ends = []
    for choose in (
        lambda slacks: setattr(slacks, "lazy", False),
        lambda slacks: setattr(slacks, "reach", slacks.sure),
        id,
    ):
        current = Iteration(X, y, [1.0] * len(y), True)
        choose(current.slacks)
        for _ in current.go():
            pass
        ends.append(current.theta)
    assert all(abs(a - b) <= 1e-11 * (1 + abs(a)) for end in ends for a, b in zip(ends[0], end))


def test_points_on_other_sides_than_they_counted_are_found_at_the_end():
    """A distance that is far too small is corrected, and the iteration still ends at the optimum [SVC-L1-KKT.P1]."""
    X, y, _ = sample(7)
    right, hasty = Iteration(X, y, [1.0] * len(y), True), Iteration(X, y, [1.0] * len(y), True)
    hasty.slacks.reach = 1e-6
    for current in (right, hasty):
        for _ in current.go():
            pass
    assert all(abs(a - b) <= 1e-11 * (1 + abs(a)) for a, b in zip(right.theta, hasty.theta))
