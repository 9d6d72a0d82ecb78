"""The decomposition of centred problems: feasible falling iterations, and the exact minimum up to roundoff."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NotConverged
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba import problem
from refclass.number.binary64 import BINARY64
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.decomposition.reduced_basis import COMMON, Basis
from refclass.optimise.decomposition.reduced_newton import polish
from refclass.optimise.multiclass import coupled, equal_sums
from refclass.optimise.multiclass.coupled import Coupled, Problem
from refclass.optimise.multiclass.equal_sums import EqualSums
from tests.margins.columns import TOY, machine, machines
from tests.profiles import examples

FEW = settings(max_examples=examples(10))


def cloud(n, m, p=2, lam=0.01, kernel=None, seed=1, spread=1.0):
    """The problem of n points in m overlapping clouds."""
    rng = random.Random(seed)
    centres = [[rng.gauss(0, spread) for _ in range(p)] for _ in range(m)]
    labels = [i % m for i in range(n)]
    X = [[c + rng.gauss(0, 1) for c in centres[k]] for k in labels]
    K = Rows(BINARY64, kernel or Gaussian(1.0), Matrix(X))
    c = tuple(Vector([n * lam * (1.0 if g == k else -1 / (m - 1)) for g in labels]) for k in range(m))
    return Problem(K, c, tuple(Vector([0.0 if g == k else 1.0 for g in labels]) for k in range(m)))


CLOUDS = {
    "gaussian": cloud(60, 3),
    "few free": cloud(60, 4, lam=0.2),
    "many free": cloud(50, 3, lam=0.0005, spread=3.0),
    "linear": cloud(60, 3, kernel=Linear()),
    "two classes": cloud(40, 2),
}


@pytest.mark.parametrize("name", CLOUDS)
def test_every_state_is_feasible_and_the_objective_falls(name):
    """The box, the equal sums, the objective and its fall at every working set [OPT-DECOMP.P1]
    [MMST-11.6-decomposition]."""
    states = list(equal_sums.steps(CLOUDS[name]))
    for state in states:
        state.check()
    assert len(states) > 1 and states[-1].violation <= 1e-9


@pytest.mark.parametrize("name", CLOUDS)
def test_the_end_is_a_minimum_with_a_gap_of_roundoff(name):
    """Primal and dual in exact numbers differ by 10⁻¹² of the value [OPT-DECOMP.P2] [MMST-11.104]."""
    p = CLOUDS[name]
    proof = equal_sums.certify(p, equal_sums.solve(p), convex=True)
    assert abs(proof.gap) <= 1e-12 * abs(proof.primal)


@FEW
@given(machines())
def test_the_minimum_is_that_of_the_active_set(m):
    """Duplicates, singular Gram matrices, unequal costs: the objective of the exact active set [OPT-DECOMP.P2]."""
    p = m.problem()
    exact = p.objective(p.spread(active_set.solve(p.plain(), convex=True).x))
    found = equal_sums.solve(problem.over(BINARY64, m).problem())
    value = problem.over(BINARY64, m).problem().objective(found.alpha)
    assert abs(value - float(exact)) <= 1e-10 * abs(float(exact))


@FEW
@given(machines(), st.randoms(use_true_random=False))
def test_any_start_is_made_feasible(m, rng):
    """A start anywhere is cut to the box and to equal sums, and leads to the same minimum [OPT-DECOMP.P1]."""
    p = problem.over(BINARY64, m).problem()
    start = [[rng.uniform(-1, 2) for _ in range(p.n)] for _ in p.c]
    first = next(equal_sums.steps(p, start=start))
    first.check()
    a, b = (p.objective(equal_sums.solve(p, start=s).alpha) for s in (start, None))
    assert abs(a - b) <= 1e-10 * abs(b)


def test_a_start_with_the_smallest_of_sums_is_made_feasible():
    """One class has the least number above zero, the other larger ones: scaled, they would all be rounded to zero."""
    p = CLOUDS["gaussian"]
    start = [[min(0.1, top) for top in most] for most in p.upper]
    start[0] = [0.0] * p.n
    start[0][max(range(p.n), key=lambda i: p.upper[0][i])] = 5e-324
    next(equal_sums.steps(p, start=start)).check()


def test_an_iteration_that_starts_at_the_end_takes_no_step():
    """From the minimum itself there is nothing to do."""
    p = CLOUDS["gaussian"]
    assert equal_sums.solve(p, start=equal_sums.solve(p).alpha).steps == 0


def test_too_few_steps_are_reported():
    """The refusal holds the feasible multipliers reached [MMST-11.6-decomposition]."""
    with pytest.raises(NotConverged) as reported:
        equal_sums.solve(CLOUDS["gaussian"], max_steps=1)
    alpha = reported.value.witness["alpha"]
    assert max(map(sum, alpha)) - min(map(sum, alpha)) < 1e-12 < sum(map(sum, alpha))


def test_other_numbers_than_doubles_are_refused():
    """Fractions belong to the active set."""
    with pytest.raises(InvalidInput, match="doubles"):
        equal_sums.solve(machine(*TOY).problem())


def test_levels_are_those_of_the_free_entries():
    """m_ik = ν_k on entries between their bounds, up to roundoff [MMST-11.102]."""
    p = CLOUDS["gaussian"]
    found = equal_sums.solve(p)
    g = p.gradient(found.alpha)
    assert abs(found.nu.sum()) < 1e-12
    free = [(i, k) for k, own in enumerate(found.alpha) for i, v in enumerate(own) if 0 < v < 1]
    assert len(free) > 10 and all(abs(g[k][i] + found.nu[k]) < 1e-12 for i, k in free)


# --- pairs, tuples and the exact phase ---


def start(p):
    """All entries of a problem at zero, as one working set."""
    sums = EqualSums(p)
    x = sums.start(None)
    return sums.part([v for v, top in enumerate(sums.upper) if top], x, [-v for v in sums.gradient(x)])


def columns(part, p):
    """The columns that a part stands for."""
    out = [[0.0] * p.n for _ in p.c]
    for i, k, v in zip(part.rows.places, part.rows.own, part.x):
        out[k][i] = v
    return out


@pytest.mark.parametrize("name", CLOUDS)
def test_steps_of_pairs_and_tuples_keep_the_sums_and_lower_the_objective(name):
    """The first motion from zero raises an entry of every class; each lowers the objective by what it says
    [OPT-SMO.P1] [MMST-11.6-smo]."""
    p = CLOUDS[name]
    part = start(p)
    motion = part.steepest(0.0)
    assert sorted(part.rows.own[w] for w, s in motion if s > 0) == list(range(p.classes))
    for _ in range(60):
        before, value = part.value, p.objective(columns(part, p))
        motion = part.steepest(0.0)
        if motion is None:
            break
        part.take(motion)
        alpha = columns(part, p)
        sums = list(map(sum, alpha))
        assert max(sums) - min(sums) < 1e-12
        assert part.value <= before
        assert abs(p.objective(alpha) - value - (part.value - before)) < 1e-12
    g = p.gradient(columns(part, p))
    assert all(abs(v + g[k][i]) < 1e-12 for v, i, k in zip(part.m, part.rows.places, part.rows.own))


@pytest.mark.parametrize("name", CLOUDS)
def test_the_exact_phase_alone_reaches_the_minimum(name):
    """From zero, with all entries in the part: Newton steps and joins end at no violation [OPT-DECOMP.P2]."""
    p = CLOUDS[name]
    part = start(p)
    assert polish(part, Basis(EqualSums(p)), 1e-10) is None
    assert part.violation() <= 1e-9
    best = p.objective(equal_sums.solve(p).alpha)
    assert abs(p.objective(columns(part, p)) - best) <= 1e-9 * abs(best)


def test_curvatures_are_those_along_directions_that_keep_the_sums_equal():
    """zᵀHw for an entry that rises and its class's reference that falls, and for all references together [RC-29]."""
    p = CLOUDS["gaussian"]
    sums, n = EqualSums(p), p.n
    reference = {0: 3, 1: n + 5, 2: 2 * n}
    H = Coupled(p.K, 3, [(v % n, v // n) for v in range(3 * n)])
    members = [7, n + 2, 2 * n + 9]
    directions = {v: {v: 1.0, reference[v // n]: -1.0} for v in [*members, n + 4]}
    directions[COMMON] = dict.fromkeys(reference.values(), 1.0)
    for v in (n + 4, COMMON):
        entries, own = sums.curvature(v, members, reference)
        for w, found in zip([*members, v], [*entries, own]):
            z, d = directions[v], directions[w]
            assert found == pytest.approx(sum(a * b * H.row(i)[j] for i, a in z.items() for j, b in d.items()))


@pytest.mark.thorough
def test_three_hundred_points_of_four_classes_have_a_gap_of_roundoff():
    """n = 300, K = 4, a Gaussian kernel: a gap of 10⁻¹² of the value [OPT-DECOMP.P2]."""
    p = cloud(300, 4)
    proof = coupled.certify(p, equal_sums.solve(p), convex=True)
    assert abs(proof.gap) <= 1e-12 * abs(proof.primal)
