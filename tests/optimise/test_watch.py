"""How far points may stray while nobody looks at them."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.optimise import path, standing
from refclass.optimise.march import March
from refclass.optimise.watch import Watch
from tests.optimise import paths


def sample(seed, n=90, p=2):
    chance = random.Random(seed)
    X = [[chance.gauss(0, 1) for _ in range(p)] for _ in range(n)]
    y = Vector([1.0 if sum(x) + chance.gauss(0, 1) > 0 else -1.0 for x in X])
    return Matrix([[(1 + paths.linear(x, z)) ** 2 for z in X] for x in X]), y, chance


def rates(K, y, drift, members, slopes):
    return [t - drift - sum(a * K[i][j] for j, a in zip(members, slopes)) for i, t in enumerate(y)]


def segment(K, y, members):
    """A segment's slopes: those that keep these points on the edge."""
    edge = March(K.row, y, y, 0.0)
    edge.settle(members)
    return edge.edge.solve(0.0, [y[j] for j in members])


@given(st.integers(0, 10**6))
def test_no_rate_differs_by_more_than_the_speed(seed):
    """|rate′ − rate| ≤ |u′ − u| + ‖g′ − g‖ ‖h − c‖ for every point [RC-33]."""
    K, y, chance = sample(seed)
    watch = Watch(K.row, y, y, K.diagonal())
    first, then = (sorted(chance.sample(range(len(y)), 4)) for _ in range(2))
    drift, slopes = segment(K, y, first)
    watch.refer(drift, first, slopes, [y[j] for j in first])
    before = rates(K, y, drift, first, slopes)
    drift, slopes = segment(K, y, then)
    after = rates(K, y, drift, then, slopes)
    watch.compare(drift, then, slopes, [y[j] for j in then], [y[j] - after[j] for j in first])
    assert max(abs(a - b) for a, b in zip(before, after)) <= watch.speed


def test_the_reference_does_not_differ_from_itself():
    """Compared with itself, the speed of a segment is roundoff [RC-33]."""
    K, y, _ = sample(3)
    watch, members = Watch(K.row, y, y, K.diagonal()), [1, 5, 8]
    drift, slopes = segment(K, y, members)
    paces = [y[j] for j in members]
    watch.refer(drift, members, slopes, paces)
    found = rates(K, y, drift, members, slopes)
    watch.compare(drift, members, slopes, paces, [t - found[j] for t, j in zip(paces, members)])
    assert watch.speed <= 1e-3 * max(map(abs, found))


def test_what_is_allowed_is_used_up():
    """Falls and disturbances add up; beyond either limit nothing is covered [RC-33]."""
    K, y, _ = sample(1)
    watch = Watch(K.row, y, y, K.diagonal())
    watch.allow(2.0, 1.0)
    watch.speed = 0.25
    assert watch.covers(1.9) and not watch.covers(2.1)
    watch.advance(1.0)
    assert watch.covers(0.9) and not watch.covers(1.1)
    watch.disturb(0.6)
    assert watch.covers(0.5) and not watch.covers(0.7)


@settings(max_examples=8)
@given(st.integers(0, 10**6))
def test_points_that_are_not_looked_at_are_off_the_edge(seed):
    """At every event the residual of each point has the sign of its side [ESL-12.3.5-sets] [RC-33]."""
    K, y, _ = sample(seed)
    found = path.solve(path.Problem(K, y))
    for state in found.states[::9]:
        state.check()
    signed = found.states[-1].alpha.times(y)
    size = sum(map(abs, signed)) * max(K.diagonal())
    for i, side in enumerate(found.states[-1].below):
        residual = y[i] * (found.states[-1].lam * y[i] - dot(signed, K[i]) - found.states[-1].alpha0)
        assert side * residual >= -1e-10 * size


def test_looking_at_all_points_leads_to_the_same_path(monkeypatch):
    """With few points looked at and with all the events are the same, and λ up to roundoff [OPT-PATH.P2] [RC-33]."""
    K, y, _ = sample(11)
    few = path.solve(path.Problem(K, y))
    monkeypatch.setattr("refclass.optimise.standing.FEW", len(y))
    narrowed = []
    monkeypatch.setattr(standing.Standing, "narrow", lambda *given: narrowed.append(given))
    every = path.solve(path.Problem(K, y))
    assert not narrowed and [s.events for s in few.states] == [s.events for s in every.states]
    assert max(abs(a.lam / b.lam - 1) for a, b in zip(few.states, every.states)) <= 1e-8


def test_computing_the_residuals_anew_invents_no_event(monkeypatch):
    """Before every segment or before none, the events are the same [OPT-PATH.P2]."""
    K, y, _ = sample(12)
    seldom = path.solve(path.Problem(K, y))
    monkeypatch.setattr("refclass.optimise.march.OFTEN", 1)
    always = path.solve(path.Problem(K, y))
    assert [s.events for s in seldom.states] == [s.events for s in always.states]
