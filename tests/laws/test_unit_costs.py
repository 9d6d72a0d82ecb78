"""Costs in other units than multiplications: calls, digits, comparisons, draws, entries, values of a kernel; parts."""

import dataclasses
import random
from fractions import Fraction
from functools import partial
from math import ceil, log2
from types import SimpleNamespace
from unittest import mock

import pytest

from refclass.data import spirals
from refclass.discriminants.comparators import splits
from refclass.discriminants.decision import crossings
from refclass.discriminants.gaussian import cutpoint
from refclass.discriminants.logistic import balanced_weights, diverging, separation
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows
from refclass.kernels.precomputed import Precomputed
from refclass.linear.common_denominator import Scaled
from refclass.linear.eigen import pencil
from refclass.linear.exact import dixon, sparse_dixon
from refclass.linear.factorisations import fixed_point, sparse_ldl, triangular
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses import conjugate_pieces
from refclass.losses.ramp import SquaredRamp
from refclass.margins.penalised import penalised, ramp
from refclass.margins.svm.path import record
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.optimise.path import path_state
from refclass.optimise.path.solution import Path, State
from refclass.optimise.programme import scaling
from refclass.optimise.smooth import newton
from refclass.oracle.equations import reach
from refclass.oracle.judging.comparison import held
from refclass.regress.kernel import null_space, premises
from refclass.selection import gacv
from tests.kernels.watched import Watched
from tests.laws.test_engine_costs import TUBE, counted, dominant, doubles, machine, whole
from tests.laws.test_growing_costs import chain
from tests.laws.test_machine_costs import coupled

pytestmark = pytest.mark.slow

F = Fraction


def calls(module, name, call, answer=mock.DEFAULT):
    """Return with what a call calls a function of a module."""
    own = getattr(module, name)
    with mock.patch.object(module, name, autospec=True, side_effect=own if answer is mock.DEFAULT else answer) as found:
        call()
    return [given.args for given in found.call_args_list]


class Compared(float):
    """A number that counts how often it is compared."""

    count = 0

    def __lt__(self, other):
        Compared.count += 1
        return float.__lt__(self, other)


class Whole(int):
    """An integer that counts how often it is compared."""

    count = 0


def _comparison(own):
    def compare(self, other):
        Whole.count += 1
        return own(self, other)

    return compare


for _name in ("__lt__", "__le__", "__gt__", "__ge__"):
    setattr(Whole, _name, _comparison(getattr(int, _name)))


class Drawn(random.Random):
    """A source of chance that counts what is drawn."""

    count = 0

    def random(self):
        self.count += 1
        return super().random()


def spiral(n):
    """Return the pairs drawn, the cosines and the sines of n points."""
    rng, taken = Drawn(1), []
    noted = {name: (lambda x, name=name: taken.append(name) or x) for name in ("cos", "sin")}
    spirals.points(dataclasses.replace(BINARY64, **noted), n, rng)
    return rng.count / 2, taken.count("cos"), taken.count("sin")


def cut(n):
    """Return the comparisons that a sort of n projected points takes."""
    Compared.count = 0
    values = [Compared(i * 7 % n) for i in range(n)]
    cutpoint.empirical(values, [i % 2 for i in range(n)], Vector([1.0] * n))
    return Compared.count


def digits(n):
    """Return the calls that lifting takes, and the digits of the solution."""
    A, b = whole(n, n), whole(1, n, 2)[0]
    p = dixon.PRIMES[0]
    known, taken = dixon._factored(A, p), {"multiplied": 0, "remainder": 0}

    def multiplied(x):
        taken["multiplied"] += 1
        return [sum(map(int.__mul__, row, x)) for row in A]

    def remainder(r):
        taken["remainder"] += 1
        return dixon._remainder(known, r, p)

    lift = partial(dixon.lifted, multiplied, remainder, [sum(v * v for v in row) for row in A], b, p)
    tried = calls(dixon, "reconstructed", lift)
    proven = (taken["multiplied"] - taken["remainder"]) // len(tried)  # a product to check the last try
    return taken["remainder"], ceil(log2(tried[-1][1]) / log2(p) - 1e-9), proven


def sparse(n):
    """Return the multiplications of a digit of a sparse system, and the entries that it takes."""
    rows = [{j: 3 + (i + j) % 4 for j in {i, (i + 1) % n, (3 * i) % n}} for i in range(n)]
    known = sparse_dixon.Elimination(rows)

    def digit(multiplied, remainder, squares, b, p):
        multiplied(remainder(b))

    with mock.patch.object(sparse_dixon, "lifted", digit):
        found = counted(partial(sparse_dixon.solve, rows, known, [1] * n, n))
    entries = sum(map(len, rows))
    triangles = sum(len(pivot.multiples) + len(pivot.rest) + 1 for pivot in known.pivots)
    return found, 2 * entries + triangles


def corrections(n):
    """Return the multiplications of corrections, and how many there are."""
    rows = [[(5 * n if i == j else 1 + i * j % 3) << 300 for j in range(n)] for i in range(n)]
    known, b = (
        fixed_point.refined(fixed_point.Table(300, rows, 300, [1 << 300] * n)),
        [(i + 1) << 300 for i in range(n)],
    )
    solved = len(calls(fixed_point.Factor, "solve", partial(known.solve, b)))
    return counted(partial(known.solve, b)) - n * (n - 1), (solved - 1) * 2 * n * n


def compared(n):
    """Return the comparisons that a sum of losses takes."""
    residuals = Scaled(tuple(Whole(i - n // 2) for i in range(n)), 4)
    Whole.count = 0
    conjugate_pieces.total((TUBE,) * n, residuals)
    return Whole.count


def rounds(p):
    """Return the sweeps of a split by combinations, and the rounds, of p variables."""
    rng = random.Random(p)
    columns = tuple(tuple(rng.uniform(0, 1) for _ in range(12)) for _ in range(p))
    labels = tuple(int(sum(column[i] for column in columns) > p / 2) for i in range(12))
    points = splits.Points(columns, labels, (1,) * 12, 2)
    called = partial(splits.by_combination, points)
    return len(calls(splits, "sweep", called)) - p, len(calls(splits, "_moved", called)) * (p + 1)


def overlapping(n, K, p):
    """Return n points, each of them of all K classes, and even posteriors."""
    X = Matrix([[F(v) for v in row] for row in whole(n, p) for _ in range(K)])
    return separation.problem(X, [i % K for i in range(n * K)], K), [[F(1, K)] * K for _ in range(n * K)]


def balanced(n, K, p):
    """Return the systems of equations that weights are balanced by."""
    asked, P = overlapping(n, K, p)
    solved = calls(balanced_weights.fraction_free, "solve", partial(balanced_weights.balanced, asked, P))
    return [len(A) for A, _ in solved]


def apart():
    """Return the orders of the systems that show a separation that an iteration tends to, and the rank left behind."""
    X = [[F(v)] for v in (0, 1, 2, 2, 3, 4)]
    asked = separation.problem(Matrix(X), [0, 0, 0, 1, 1, 1], 2)
    step = [Vector([F(0), F(0)]), Vector([F(-2), F(1)])]
    P = [[F(1, 2)] * 2 for _ in X]
    solved = calls(diverging.fraction_free, "solve", partial(diverging.separated, asked, P, step))
    return [len(A) for A, _ in solved]


def decided(n, K, p):
    """Return the sizes of the tables that a separation is decided by."""
    asked, _ = overlapping(n, K, p)
    ((first,), *_) = calls(separation.stiemke, "decide", partial(separation.decide, asked))
    return len(first), {len(row) for row in first}


def evaluated(n):
    """Return the evaluations of a loss, and the points whose multipliers are no slopes."""
    m = dataclasses.replace(machine(n, number=float), positive=True)
    a = Vector([0.25 if i % 2 else 0.0 for i in range(n)])
    found = SimpleNamespace(
        a=a, beta0=0.0, values=m.y, square=1.0, objective=1.0
    )  # residuals of zero: slopes are those of no loss
    return len(calls(premises, "value", partial(premises.doubles_suffice, m, found)))


def kernel_values(n, support):
    """Return the values of a kernel that scores of n points take."""
    kernel = Watched()
    coefficients = Vector([F(int(i < support)) for i in range(support + 2)])
    X = Matrix([[F(i), F(i * i)] for i in range(support + 2)])
    model = null_space.Model(RATIONAL, RATIONAL, kernel, tuple(X), coefficients, Vector([F(1)] * 3), 1)
    model.scores([Vector([F(i), F(1)]) for i in range(n)])
    return kernel.values


def looked(p):
    """Return how many of the entries of a programme its scaling looks at."""
    asked, seen = p, []

    class Row(list):
        def __iter__(self):
            seen.append(len(self))
            return super().__iter__()

    own = scaling._logs
    with mock.patch.object(scaling, "_logs", lambda row: Row(own(row))):
        scaling.equilibrated(asked)
    return sum(seen)


def parsed(tmp_path, names):
    """Return how many modules a graph parses."""
    (tmp_path / "small").mkdir()
    for name in names:
        (tmp_path / "small" / f"{name}.py").write_text(f"def {name}():\n    return 1\n", encoding="utf-8")
    return len(calls(reach.ast, "parse", partial(reach.Graph, tmp_path, "small")))


def predicted(n, p):
    """Return the predictions that the moves of n values of points of p coordinates take."""
    made = []

    class Reference:
        def read(self, call):
            return call(self), None

        def values(self, points):
            made.append(len(points))
            return [sum(x) for x in points]

    points = [[F(3 * (i + j) + 1, 3) for j in range(p)] for i in range(n)]
    moved = held.predictions(Reference(), "values", points, n, F(1, 8), False)
    for i in range(n):
        moved(i)
    return made


def trainings(n):
    """Return the trainings of an exact correction."""
    made, alpha = coupled(n, 3)
    values = tuple(Vector([F(0)] * n) for _ in alpha)
    found = SimpleNamespace(alpha=alpha, values=values)
    call = partial(gacv.exact_correction, RATIONAL, made, found)
    return len(calls(gacv, "left_out_loss", call, lambda task: F(0)))


def convex(n):
    """Return the convex problems that the least ramp loss of n points is found by."""
    y = Vector([F(1 if i % 2 else -1) for i in range(n)])
    asked = penalised.Problem(dominant(n), y, Vector([F(1)] * n), SquaredRamp(), F(1))
    return len(calls(ramp.training, "fit", partial(ramp.brute, RATIONAL, asked)))


def newtonian():
    """Return the values, gradients and solutions that Newton's method asks for, its steps, and its halvings."""
    taken = {"value": 0, "gradient": 0, "solve": 0}

    def noted(name, function):
        def call(*given):
            taken[name] += 1
            return function(*given)

        return call

    asked = newton.Problem(
        noted("value", lambda x: BINARY64.sqrt(1 + x[0] * x[0])),
        noted("gradient", lambda x: x / BINARY64.sqrt(1 + x[0] * x[0])),
        noted("solve", lambda x, g: g * (1 + x[0] * x[0]) ** 1.5),
    )
    states = list(newton.steps(BINARY64, asked, Vector([1.5])))
    halvings = sum(round(-log2(state.length)) for state in states if state.length)
    return taken, len(states), halvings


def systems(p):
    """Return the right sides of the triangular systems of a pencil."""
    found = []
    for name in ("solve_lower", "solve_upper"):
        call = partial(pencil.factor, BINARY64, dominant(p, float), dominant(p, float))
        found += [len(B[0]) for _, B in calls(triangular, name, call) if isinstance(B, Matrix)]
    return sum(found)


def at(n):
    """Return the multiplications that a solution between two break points takes."""
    y = Vector([F(1 if i % 2 else -1) for i in range(n)])
    asked = path_state.Problem(dominant(n), y)
    upper, lower = Vector([F(1)] * n), Vector([F(1, 2)] * n)
    state = State(asked, F(2), upper, F(0), (), ())
    return partial(Path(asked, (state,), upper, None, (lower, F(1)), F(0)).at, F(1))


def held_by_bounds(n):
    """Return a solution whose multipliers are all at their bounds, so that its intercept is not unique."""
    y = Vector([F(1 if i % 2 else -1) for i in range(n)])
    asked, ones = path_state.Problem(dominant(n), y), Vector([F(1)] * n)
    return partial(Path(asked, (), ones, None, (ones, F(1)), F(0)).at, F(1))


def precomputed(n):
    """Return what asks a precomputed kernel for a row."""
    kernel = Precomputed()
    table = kernel.points(RATIONAL, dominant(n), lambda F, X, **given: X)
    return partial(kernel.row, RATIONAL, table[0], table)


def units(asked):
    """Return a weight for each pair of a point and another class."""
    return dict.fromkeys(asked.pairs(), 3)


def recorded(n):
    """Return the values of the kernel that a record of a path takes."""
    kernel = Watched()
    X = doubles(n, 2)
    K = Rows(BINARY64, kernel, X)
    y = Vector([1.0 if i % 2 else -1.0 for i in range(n)])
    empty = record.Record(
        y=y, lambdas=(), alphas=(), alpha0=(), above=(), below=(), start=y, head=None, end=(y, 0.0), least=0.0,
        decimal=False, moved=False,
    )  # fmt: skip
    record.model(empty, K, Rows(RATIONAL, Linear(), X))
    return kernel.values


def coefficients(K):
    """Return the most coefficients of a sum that the roots of K bumps lead to."""
    terms = [((1.0 if j % 2 else -1.0,), (0.0, 0.5 * j, -1.0 - 0.25 * j)) for j in range(K)]
    found = calls(crossings, "_changes", partial(crossings.roots, BINARY64, terms))
    return max(sum(len(P) for P, _ in known) for _, known, _ in found)


def swept(n):
    """Return a sweep over n points of two classes."""
    points = splits.Points(((0,) * n,), tuple(i % 2 for i in range(n)), (1,) * n, 2)
    return lambda: list(splits.sweep(points, dict(enumerate(map(F, range(n)))), [False] * n))


class United(set):
    """A set that counts how many entries are united with it."""

    count = 0

    def __ior__(self, other):
        United.count += len(other)
        return super().__ior__(other)


def united(neighbours):
    """Return how many entries the order of a sparse factor unites, and Σ d² for its sparse columns of d entries."""
    before = United.count
    with mock.patch.object(sparse_ldl, "set", United, create=True):
        found = sparse_ldl.plan(neighbours)
    assert found == sparse_ldl.plan(neighbours) and found.below
    return United.count - before, sum([len(own) ** 2 for own in found.below])


def grid(n, p):
    """Return the neighbours of each place of a grid of n rows of p."""
    near = [[(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)] for r in range(n) for c in range(p)]
    return [{a * p + b for a, b in around if 0 <= a < n and 0 <= b < p} for around in near]


# name -> for n and p how many there are of what a Cost is stated in, and how many it states
UNITS = {
    "data.spirals:points": lambda n, p: (spiral(2 * n), (2 * n,) * 3),
    "discriminants.comparators.splits:by_combination": lambda n, p: rounds(p),
    "discriminants.logistic.balanced_weights:balanced": lambda n, p: (balanced(10 * n, p, 2), [2 + 1] * (p - 1)),
    "discriminants.logistic.diverging:separated": lambda n, p: (apart(), [1, 1]),
    "discriminants.logistic.separation:decide": lambda n, p: (decided(n, p, 2), (n * p * (p - 1), {(p - 1) * (2 + 1)})),
    "kernels.precomputed:Precomputed": lambda n, p: (counted(precomputed(n)), 0),
    "linear.exact.dixon:lifted": lambda n, p: (digits(n)[::2], (digits(n)[1], 1)),
    "linear.exact.sparse_dixon:solve": lambda n, p: sparse(n + p),
    "linear.factorisations.fixed_point:Refined.solve": lambda n, p: corrections(n),
    "linear.factorisations.sparse_ldl:plan": lambda n, p: united(grid(n + 4, p + 4)),
    "linear.eigen.pencil:factor": lambda n, p: (systems(n), 3 * n),
    "losses.conjugate_pieces:total": lambda n, p: (compared(n), 2 * n * len(TUBE)),
    "margins.penalised.ramp:brute": lambda n, p: (convex(min(n, 3)), 2 ** min(n, 3)),
    "margins.svm.path.record:model": lambda n, p: (recorded(n), n * (n + 1) // 2),
    "optimise.path.solution:Path.at": lambda n, p: (counted(at(n + 1)) - counted(at(n)), 2),
    "optimise.programme.scaling:equilibrated": lambda n, p: (
        looked(chain(n)),
        10 * sum(map(len, (*chain(n).P, *chain(n).A))),
    ),
    "oracle.judging.comparison.held:predictions": lambda n, p: (predicted(n, p), [p + 1] * n),
    "regress.kernel.null_space:Model.scores": lambda n, p: (kernel_values(n, p), n * p),
    "regress.kernel.premises:doubles_suffice": lambda n, p: (evaluated(2 * n), 3 * n),
    "selection.gacv:exact_correction": lambda n, p: (trainings(n), n),
}


NAMES = {
    *UNITS,
    "discriminants.comparators.splits:sweep",
    "discriminants.decision.crossings:roots",
    "discriminants.gaussian.cutpoint:empirical",
    "optimise.smooth.newton:solve",
    "oracle.equations.reach:Graph",
}


def test_a_sort_of_projected_points_takes_no_more_comparisons_than_are_stated():
    """n log n, to the base two."""
    for n in (5, 16, 64):
        assert n - 1 <= cut(n) <= n * log2(n)


def test_a_sweep_takes_seven_products_of_integers_a_point():
    """Two for each side's sum of squares, and three for the quality."""
    assert counted(swept(9)) - counted(swept(8)) == counted(swept(20)) - counted(swept(19)) == 7


def test_newtons_method_asks_for_what_its_cost_states():
    """A gradient and a solution for each point, and a value for each of these and each halving."""
    taken, points, halvings = newtonian()
    assert taken == {"value": points + halvings, "gradient": points, "solve": points} and halvings


def test_sums_of_bumps_lead_to_as_many_coefficients_as_are_stated():
    """2ᴷ⁻¹ for K bumps."""
    assert [coefficients(K) for K in (2, 3, 4, 5)] == [2, 4, 8, 16]


def test_a_graph_parses_each_module_once(tmp_path):
    """Two of two."""
    assert parsed(tmp_path, ["a", "b"]) == 2


def test_a_solution_whose_intercept_is_free_takes_a_product_with_the_gram_matrix():
    """n² multiplications, and 2n."""
    assert [counted(held_by_bounds(n)) - n * n for n in (4, 6)] == [2 * 4, 2 * 6]


def test_balanced_weights_take_the_sums_that_are_stated():
    """n·K·(p + 1) products, p = 1, for each point more, K being the number of its classes."""
    asked, P = overlapping(12, 2, 1), overlapping(24, 2, 1)
    sums = [counted(partial(balanced_weights._missing, own, units(own))) for own, _ in (asked, P)]
    assert sums[1] - sums[0] == 24 * 2 * (1 + 1)
