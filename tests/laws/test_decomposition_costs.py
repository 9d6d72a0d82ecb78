"""Costs of decompositions, their starts and their parts: rows of Q, sizes of parts, leading orders, counted."""

import dataclasses
from fractions import Fraction
from functools import partial
from types import SimpleNamespace
from unittest import mock

import pytest

from refclass.kernels.gaussian import Gaussian
from refclass.linear import polar
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm.path.model import Model
from refclass.optimise.decomposition import chunking, conjugate_gradient, fixed_size, solver, sparse_start
from refclass.optimise.decomposition.one_sum import OneSum
from refclass.optimise.linear_svm import smoothed_start
from refclass.optimise.multiclass import block_sums, class_factors, equal_sums
from refclass.optimise.path import initial, path_state
from refclass.optimise.path.segment import Segment
from refclass.optimise.path.solution import Path, State
from refclass.optimise.quadratic.problem import Problem
from refclass.oracle import true_kernel
from refclass.regress.kernel import intercept
from tests.laws.test_engine_costs import TUBE, counted, dominant, doubles, machine, orders
from tests.laws.test_machine_costs import grows, signs
from tests.laws.test_unit_costs import calls
from tests.optimise import gram, groups
from tests.optimise.multiclass.test_equal_sums import cloud

pytestmark = pytest.mark.slow

F = Fraction


class Asked:
    """A Gram matrix that remembers which rows it was asked for."""

    def __init__(self, K):
        self.K, self.rows = K, []

    def row(self, i):
        self.rows.append(i)
        return self.K.row(i)

    def diagonal(self):
        return self.K.diagonal()

    def __len__(self):
        return len(self.K)


def trained(n):
    """Return the dual of a machine of n points."""
    X, labels = gram.clouds(n)
    return gram.trained_on(gram.gaussian(X), labels, 1.0)


def asked(made, constraints, field):
    """Return the rows that a decomposition asks for, and the points whose variables it leaves elsewhere than zero."""
    K = Asked(getattr(made, field))
    iteration, moved = solver.Iteration(constraints(dataclasses.replace(made, **{field: K})), None, None), set()
    while not iteration.done():
        iteration.advance()
        moved |= {i % len(K) for i, v in enumerate(iteration.x) if v}
    return len(set(K.rows)), len(moved)


def parts(module, n, size):
    """Return the sizes of the parts that are solved."""
    call = partial(module.solve, trained(n), size=size)
    return [given[0].n for given in calls(chunking.active_set, "solve", call)]


def renewed(n, s):
    """Return the gradient and the objective of a part, s of its n variables other than zero."""
    K = dominant(n, float)
    made = Problem(K, Vector([1.0] * n), (0.0,) * n, (1.0,) * n)
    part = chunking.Part(made, "chunking", 0.5, [1.0] * s + [0.0] * (n - s))
    return part.renew


def conjugate(f, count):
    """Return so many conjugate steps along f free variables."""
    c = Vector([(i + 1) * (0.01 if i % 2 else -0.01) for i in range(f)])
    made = Problem(dominant(f, float), c, (-1e3,) * f, (1e3,) * f, Matrix([[1.0] * f]), Vector([0.0]))
    part = OneSum(made).part(list(range(f)), [0.0] * f, [-v for v in c])
    own = conjugate_gradient.Products(conjugate_gradient._copies(part, list(range(f))))
    return partial(conjugate_gradient._Run(part, list(range(f)), own, [True] * f).descend, 0.0, count)


def smoothed(n, p):
    """Return n points in p variables, with the quadratic that fits their rounded hinge losses for a corner h wide."""
    columns = [tuple(v * t for v, t in zip(column, signs(n, float))) for column in zip(*doubles(n, p, 2))]
    part = smoothed_start.Part(columns, [1.0] * n, False)

    def fitted(h):
        with mock.patch.object(polar, "FASTER", False):  # sums of products in every version of Python
            part.newton([1.0] * n, h)

    return part, lambda h: partial(fitted, h)


def block(w, K):
    """Return the minimum over one block of w, and how many of its entries move."""
    points, labels = groups.clouds(w, K)
    made = groups.dual(groups.gaussian(points, 0.5), labels, K, 1.0)
    constraints = block_sums.BlockSums(made)
    x = constraints.start(None)
    part = constraints.part(list(range(len(x))), x, [-v for v in constraints.gradient(x)])
    columns = [part.m[k * w : (k + 1) * w] for k in range(K)]
    return partial(part.minimise, 0, [own[0] for own in columns], columns)


def gradients(n, moved):
    """Return the gradient of n blocks where so many variables have moved."""
    points, labels = groups.clouds(n, 3)
    own = block_sums.BlockSums(groups.dual(groups.gaussian(points, 0.5), labels, 3, 1.0))
    return partial(own.added, own.c, range(moved), [1.0] * moved)


def blocks(n):
    """Return the systems of three classes whose n points are all free."""
    shared = class_factors.Shared(dominant(n, float))
    return partial(class_factors.Blocks, shared, [range(n)] * 3, [groups.basis(shared) for _ in range(3)])


def machine_at(n):
    """Return the machine of a λ between two break points, all its points support vectors."""
    K, y, zero = dominant(n), signs(n), F(0)
    upper, lower = Vector([F(1)] * n), Vector([F(1, 2)] * n)
    made = path_state.Problem(K, y)
    known = Path(made, (State(made, F(2), upper, zero, (), ()),), upper, None, (lower, F(1)), zero)
    return partial(Model(K, y, known, K).at, F(1))


def segments(many, few):
    """Return the segments that lead to the multipliers of a majority."""
    y = Vector([F(1)] * many + [F(-1)] * few)
    return len(calls(Segment, "advance", partial(initial.multipliers, dominant(many + few), y)))


def sorted_places(n):
    """Return how many places an intercept is found among."""
    values = Vector([F(i * i, 1000) for i in range(n)])
    ((_, _, jumps),) = calls(intercept, "_flat", partial(intercept.best, machine(n), values))
    return len(jumps)


def exponentials(n, s):
    """Return the exponentials that enclose a function of s support vectors at n points."""
    table = true_kernel.Table([[F(i), F(i * i, 3)] for i in range(n)], Gaussian, F(1, 2))
    return len(calls(true_kernel, "decaying", partial(table.function, [F(1)] * s + [F(0)] * (n - s))))


class Striped(Asked):
    """A matrix of which one entry in so many is not zero."""

    def __init__(self, n, share):
        super().__init__(None)
        self.n, self.share = n, share

    def row(self, i):
        self.rows.append(i)
        return [float((i - j) % self.share == 0) for j in range(self.n)]

    def diagonal(self):
        return [1.0] * self.n

    def __len__(self):
        return self.n


def sampled(n, share):
    """Return the rows that are looked at of a striped matrix, and whether it counts as sparse."""
    Q = Striped(n, share)
    return len(sparse_start.sparse_rows(SimpleNamespace(Q=Q)) or ()), len(Q.rows)


# name -> the degree of the multiplications, the coefficient of its power, from which number on by which step, the count
LEADING = {
    "optimise.decomposition.chunking:solve": (1, 4 + 2, (6, 3), lambda n: renewed(n, 4)),
    "optimise.decomposition.conjugate_gradient:descend": (
        2,
        1,
        (6, 2),
        lambda f: counted(conjugate(f, 4)) - counted(conjugate(f, 3)),
    ),
    "optimise.linear_svm.smoothed_start:near": (2, F(1, 2), (2, 1), lambda p: grows(lambda n: smoothed(n, p)[1](2.0))),
    "optimise.linear_svm.smoothed_start:near | beyond": (
        1,
        1,
        (2, 1),
        lambda p: grows(lambda n: smoothed(n, p)[1](0.5)),
    ),
    "optimise.linear_svm.smoothed_start:near | slack": (
        1,
        1,
        (2, 1),
        lambda p: grows(lambda n: partial(smoothed(n, p)[0].slack, [0.5] * p)),
    ),
    "optimise.multiclass.block_sums:solve": (1, 3, (6, 3), lambda w: block(w, 3)),
    "optimise.multiclass.block_sums:solve | a working set": (1, 5 + 1, (6, 3), lambda n: gradients(n, 5)),
    "optimise.multiclass.class_envelopes:found": (3, 3 * F(1, 6), (6, 2), blocks),
    "optimise.multiclass.class_envelopes:found | a direction": (
        2,
        3,
        (6, 2),
        lambda n: partial(blocks(n)().apart, [[1.0] * n] * 3),
    ),
    "optimise.multiclass.class_envelopes:found | its images": (
        2,
        1,
        (6, 2),
        lambda n: partial(blocks(n)().shared.product, [1.0] * n),
    ),
    "margins.svm.path.model:Model.at": (2, 1, (4, 2), machine_at),
}

UNITS = {
    "optimise.decomposition.fixed_size:solve": lambda n: (set(parts(fixed_size, 6 * n, n)), {n}),
    "oracle.true_kernel:enclosed": lambda n: (exponentials(2 * n, n), 2 * n * n - n * (n - 1) // 2),
    "regress.kernel.intercept:best": lambda n: (sorted_places(n), n * len(TUBE)),
}

NAMES = {
    *(name.partition(" | ")[0] for name in (*LEADING, *UNITS)),
    "optimise.decomposition.chunking:solve",
    "optimise.decomposition.solver:solve",
    "optimise.decomposition.sparse_start:found",
    "optimise.multiclass.equal_sums:solve",
    "optimise.path.initial:multipliers",
}


@pytest.mark.parametrize("name", LEADING)
def test_the_leading_order_that_a_cost_states_is_what_is_counted(name):
    """The multiplications are a polynomial of the degree stated, with the coefficient stated."""
    degree, coefficient, (start, apart), made = LEADING[name]
    assert orders(degree, start, apart, made) == [coefficient] * 3


@pytest.mark.parametrize("n", [4, 5])
@pytest.mark.parametrize("name", UNITS)
def test_what_a_cost_states_in_other_units_is_what_is_counted(name, n):
    """Sizes of parts, segments, exponentials, places: no more and no less."""
    found, stated = UNITS[name](n)
    assert found == stated


def test_a_chunk_has_the_support_vectors_and_as_many_violators_as_are_stated():
    """From zero: four variables, and with each chunk at most four more."""
    sizes = parts(chunking, 24, 4)
    assert sizes[0] == 4 and all(b <= a + 4 for a, b in zip(sizes, sizes[1:])) and sizes[-1] < 24


@pytest.mark.parametrize(
    ("made", "constraints", "field"),
    [(lambda: trained(60), OneSum, "Q"), (lambda: cloud(40, 2, lam=0.001, spread=4.0), equal_sums.EqualSums, "K")],
    ids=["one sum", "equal sums"],
)
def test_decompositions_ask_for_rows_of_what_moves(made, constraints, field):
    """And for a tenth more at most: of what moves and comes back. Not for the others."""
    problem = made()
    rows, moved = asked(problem, constraints, field)
    assert moved <= rows <= 1.1 * moved + 1 and rows < len(getattr(problem, field))


def test_a_start_looks_at_few_rows_unless_all_are_sparse():
    """At SAMPLE and one at most; at all of them, besides, where one entry in forty matters."""
    n, few = 1001, sparse_start.SAMPLE + 1
    assert [sampled(n, share) for share in (1, 32, 40)] == [(0, 1), (0, few), (n, few + n)]


@pytest.mark.parametrize("many", [8, 12])
def test_a_path_begins_after_about_a_segment_for_each_majority_point(many):
    """No more than two more, and no fewer than half, for three points of the other class and for all but one."""
    assert all(many / 2 <= segments(many, few) <= many + 2 for few in (3, many - 1))
