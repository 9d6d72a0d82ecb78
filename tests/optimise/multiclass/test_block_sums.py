"""The engine for problems in blocks: it ends at roundoff, for every width of kernel and every cost."""

from fractions import Fraction as Q
from random import Random

import pytest
from hypothesis import given, settings

from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.matrices.gram import Rows
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.decomposition.reduced_basis import Basis
from refclass.optimise.decomposition.reduced_newton import polish
from refclass.optimise.decomposition.solver import Iteration
from refclass.optimise.multiclass import block_sums, zero_sum
from refclass.optimise.multiclass.block_sums import BlockSums
from refclass.optimise.quadratic import certificate as quadratic
from tests.optimise.groups import cast, clouds, dual, gaussian, linear, problems
from tests.profiles import examples


def assert_optimal(problem, answer, tol=1e-9):
    """The exact relative gap is below tol."""
    proof = zero_sum.certify(problem, answer)
    assert abs(proof.gap) <= tol * (abs(proof.primal) + tol)


@settings(deadline=None, max_examples=examples(40))
@given(problems(bounded=True))
def test_it_ends_where_the_active_set_method_does(problem):
    """On problems with any c and bounds, duplicates and singular Q; every state is feasible and the objective falls
    [MC-CS-DUAL] [ISML-27.2-qp]."""
    exact = quadratic.objective(problem.quadratic(), active_set.solve(problem.quadratic(), convex=True).x)
    rounded = cast(problem, float)
    for state in block_sums.steps(rounded):
        state.check()
    assert abs(state.objective - exact) <= 1e-11 * (1 + abs(exact))


@settings(deadline=None, max_examples=examples(40))
@given(problems())
def test_without_bounds_it_finds_the_optimum_or_a_ray(problem):
    """Where the exact method says unbounded, so does the iteration, with a direction along which no score changes
    [ISML-27.2-qp]."""
    try:
        exact = quadratic.objective(problem.quadratic(), active_set.solve(problem.quadratic(), convex=True).x)
    except NoAnswer:
        with pytest.raises(NoAnswer) as refusal:
            block_sums.solve(cast(problem, float))
        assert_ray(cast(problem, float), refusal.value.witness["ray"])
        return
    answer = block_sums.solve(cast(problem, float))
    assert abs(quadratic.objective(cast(problem, float).quadratic(), answer.x) - exact) <= 1e-9 * (1 + abs(exact))


def assert_ray(problem, ray):
    """The blocks' directions sum to zero, keep the bounds, lower the objective, and Q does not see them."""
    slope = 0.0
    d = [[0.0] * problem.n for _ in problem.c]
    for i, block in ray.items():
        size = sum(map(abs, block))
        assert abs(sum(block)) <= 1e-12 * size
        for k, v in enumerate(block):
            assert v <= 0 or problem.upper[k][i] is None
            slope += v * problem.c[k][i]
            d[k][i] = v
    assert slope < 0
    size = sum(sum(map(abs, part)) for part in d)
    assert all(abs(v) <= 1e-10 * size for part in d for v in problem.Q @ Vector(part))


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0, 1e5])
@pytest.mark.parametrize("gamma", [0.01, 0.5, 20.0])
def test_the_gap_is_a_billionth_or_less_for_every_width_and_cost(C, gamma):
    """From wide kernels, where a few numbers say everything, to narrow ones, where every point is free
    [MC-CS-DUAL.P1]."""
    X, labels = clouds(60, 3, seed=3)
    problem = dual(gaussian(X, gamma), labels, 3, C)
    answer = block_sums.solve(problem)
    assert answer.steps < 40
    assert_optimal(problem, answer)


@pytest.mark.parametrize("C", [1.0, 100.0, None])
def test_singular_matrices_end_at_a_vertex(C):
    """A linear kernel in the plane: at most 2(K − 1) exchanges are left  [MC-CS-DUAL.P1]."""
    X, labels = clouds(90, 3, spread=0.3 if C is None else 1.0, seed=2)
    iteration = Iteration(BlockSums(dual(linear(X), labels, 3, C)))
    while not iteration.done():
        iteration.advance()
    assert iteration.violation <= 1e-10
    assert len(iteration.basis.factor.members) <= 4


@pytest.mark.thorough
def test_five_hundred_points_of_five_classes():
    """A Gaussian kernel, n = 500, K = 5: the gap is a billionth or less in few rounds  [MC-CS-KERNEL]."""
    X, labels = clouds(500, 5)
    problem = dual(gaussian(X, 0.5), labels, 5, 1.0)
    answer = block_sums.solve(problem)
    assert answer.steps < 20
    n = problem.n
    x = [answer.x[k * n : (k + 1) * n] for k in range(5)]
    g = zero_sum.gradient(problem, x)
    top = [max(own) for own in zip(*g)]
    ends = [[0.0 if u is None else u for u in part] for part in problem.upper]
    gap = sum((u - v) * (t - w) for e, p, q in zip(ends, x, g) for u, v, t, w in zip(e, p, top, q))
    assert gap <= 1e-9 * -zero_sum.objective(problem, x, g)


def test_a_start_near_the_optimum_is_taken_up():
    """From its own answer the iteration has nothing to do  [MC-CS-DUAL]."""
    X, labels = clouds(40, 3)
    problem = dual(gaussian(X, 0.5), labels, 3, 1.0)
    x = block_sums.solve(problem).x
    start = [x[k * 40 : (k + 1) * 40] for k in range(3)]
    assert block_sums.solve(problem, start=start).steps <= 1


def test_a_looser_tolerance_is_kept_to():
    """The iteration stops at the violation asked for, no later than without  [MC-CS-DUAL]."""
    X, labels = clouds(60, 3)
    problem = dual(gaussian(X, 0.5), labels, 3, 10.0)
    loose, tight = list(block_sums.steps(problem, tol=0.1)), list(block_sums.steps(problem))
    assert loose[-1].violation <= 0.1 and len(loose) <= len(tight)


def test_rows_are_asked_for_only_where_blocks_enter():
    """Points of no cost never require theirs, and a store that keeps few rows gives the same answer  [ISML-27.2-qp]."""
    X, labels = clouds(30, 3)
    points = tuple(map(Vector, X))
    asked = set()

    class Asked(Rows):
        def row(self, i):
            asked.add(i)
            return super().row(i)

    costs = [1.0 if i < 20 else 0.0 for i in range(30)]
    whole = block_sums.solve(dual(Asked(BINARY64, Gaussian(0.5), points), labels, 3, costs))
    assert len(asked) > 10 and asked <= set(range(20))
    few = dual(Rows(BINARY64, Gaussian(0.5), points, limit=60), labels, 3, costs)
    assert block_sums.solve(few).x == whole.x


def test_what_it_cannot_take_is_refused():
    """Other numbers than doubles, a start above its bounds, and too few rounds  [ISML-27.2-qp]."""
    X, labels = clouds(20, 3)
    problem = dual(gaussian(X, 0.5), labels, 3, 1.0)
    with pytest.raises(InvalidInput):
        block_sums.solve(dual(Matrix.identity(2, Q), [0, 1], 2, 1, kind=Q))
    with pytest.raises(InvalidInput):
        block_sums.solve(problem, start=[[1.0] * 20, [-1.0] * 20, [0.0] * 20])
    with pytest.raises(NotConverged) as refusal:
        block_sums.solve(problem, max_steps=1)
    assert len(refusal.value.witness["x"]) == 3


def inside(problem, labels, seed=1):
    """A point with every variable below its bound, as the constraints hold it."""
    rng, n = Random(seed), problem.n
    x = [0.0] * (n * problem.size)
    for i, g in enumerate(labels):
        for k in range(problem.size):
            if k != g:
                x[k * n + i] = -rng.uniform(0.1, 0.4)
        x[g * n + i] = -sum(x[k * n + i] for k in range(problem.size))
    return x


def polished(problem, x, tol=1e-11):
    """The working set of all blocks after the exact phase from x, the basis, and the ray."""
    sums = BlockSums(problem)
    part, basis = sums.part(list(range(len(x))), x, [-v for v in sums.gradient(x)]), Basis(sums)
    return part, basis, polish(part, basis, tol)


def test_curvatures_are_those_along_exchanges():
    """zᵀHw for a variable of a block that rises and the block's reference that falls [RC-31]."""
    X, labels = clouds(5, 3)
    problem = dual(gaussian(X, 0.5), labels, 3, 1.0)
    sums, H = BlockSums(problem), problem.quadratic().Q
    reference = {i: (i % 3) * 5 + i for i in range(5)}
    members = [v for v in range(15) if v not in reference.values()]
    for v in members:
        entries, own = sums.curvature(v, members, reference)
        for w, found in zip([*members, v], [*entries, own]):
            z, d = (((1.0, u), (-1.0, reference[u % 5])) for u in (v, w))
            assert found == pytest.approx(sum(a * b * H.row(i)[j] for a, i in z for b, j in d))


def test_the_exact_phase_ends_where_no_exchange_pays():
    """From a point with everything below its bound: no violation, blocks that sum to zero, bounds kept  [RC-31]."""
    X, labels = clouds(20, 3)
    problem = dual(gaussian(X, 0.5), labels, 3, 1.0)
    part, _, ray = polished(problem, inside(problem, labels))
    assert ray is None and part.violation() <= 1e-10
    assert all(abs(sum(part.block(part.x, j))) <= 1e-15 for j in range(20))
    assert all(v <= u for v, u in zip(part.x, part.ends))


def test_dependent_exchanges_are_moved_to_a_bound():
    """Twenty points in the plane: at most four exchanges of three classes stay, the others meet bounds  [RC-31]."""
    X, labels = clouds(20, 3)
    problem = dual(linear(X), labels, 3, 1.0)
    part, basis, ray = polished(problem, inside(problem, labels))
    assert ray is None and part.violation() <= 1e-10
    assert len(basis.factor.members) <= 4


def test_a_reference_that_meets_its_bound_hands_over():
    """The own class, at its cost, stops being what the others are exchanged with  [RC-31]."""
    part, basis, _ = polished(dual(Matrix([[1.0]]), [0], 3, 0.25), [0.2, -0.1, -0.1])
    assert part.x[0] == 0.25 and basis.reference[0] != 0
    assert max(abs(part.x[k] + 0.125) for k in (1, 2)) < 1e-15


def test_a_direction_without_end_is_a_ray():
    """A point at the origin without a bound on its own class  [ISML-27.5-hard]."""
    assert polished(dual(Matrix([[0.0]]), [0], 2, None), [1.0, -1.0])[2] is not None
