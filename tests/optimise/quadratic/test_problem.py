"""The quadratic problem: what it accepts, what it refuses, and its objective."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.quadratic import problem as module
from refclass.optimise.quadratic.problem import Answer, Problem
from tests.laws.solvers import quadratics
from tests.numbers import COUNTED, STRICT, counting
from tests.strategies import fractions, semidefinite, vectors

Q = Matrix([[2.0, 1.0], [1.0, 2.0]])
c = Vector([-1.0, 0.0])
row, right = Matrix([[1.0, 1.0]]), Vector([1.0])
GOOD = Problem(Q, c, (0, None), (None, 1), row, right, row, right)


class Rows:
    """A matrix that only hands out rows, and remembers which."""

    def __init__(self, A):
        self.A, self.asked = A, []

    def __len__(self):
        return len(self.A)

    def row(self, i):
        self.asked.append(i)
        return self.A[i]

    def diagonal(self):
        return self.A.diagonal()


def test_integer_bounds_become_numbers_of_the_problem():
    """The integers that write a bound down are of no kind of their own."""
    assert GOOD.lower == (0.0, None) and type(GOOD.lower[0]) is float and GOOD.n == 2 and GOOD.kind is float


@pytest.mark.parametrize(
    "change, need",
    [
        ({"Q": Matrix([[1.0]])}, "Q of order 2, the length of c"),
        ({"Q": Matrix([[1.0, 2.0], [0.0, 1.0]])}, "a symmetric matrix"),
        ({"Q": Matrix.identity(2, Fraction)}, "Q of kind float"),
        ({"lower": (0,)}, "2 bounds in lower"),
        ({"upper": (Fraction(1), None)}, "upper of kind float or None"),
        ({"upper": (float("inf"), None)}, "upper finite, or None for no bound"),
        ({"lower": (float("nan"), None)}, "lower finite, or None for no bound"),
        ({"d": None}, "E and d together"),
        ({"h": None}, "G and h together"),
        ({"E": Matrix([[1.0]])}, "E of shape (1, 2)"),
        ({"d": Vector([1.0, 1.0])}, "E of shape (2, 2)"),
        ({"G": Matrix([[Fraction(1), Fraction(1)]])}, "G and h of kind float"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_was_needed(change, need):
    """Shapes, kinds, infinities and asymmetry are named."""
    with pytest.raises(InvalidInput) as refusal:
        replace(GOOD, **change)
    assert refusal.value.need == need


def test_crossed_bounds_are_refused_with_the_variable():
    """A lower bound above the upper one leaves no point."""
    with pytest.raises(NoAnswer) as refusal:
        Problem(Q, c, (0, 2), (1, 1))
    assert refusal.value.witness == {"variable": 1}


@given(semidefinite(3, 3), vectors(3), vectors(3))
def test_objective_and_gradient_are_the_formulas(A, slope, x):
    """½xᵀQx + cᵀx and Qx + c, exactly [ISML-27.2-qp]."""
    p = Problem(A, slope, (None,) * 3, (None,) * 3)
    assert module.objective(p, x) == x @ (A @ x) / 2 + slope @ x
    assert module.gradient(p, x) == A @ x + slope
    assert module.product(A, x) == A @ x


@given(st.lists(st.sampled_from([0.0, 1.0, -2.0]), min_size=3, max_size=3).map(Vector))
def test_rows_are_asked_only_where_x_is_not_zero(x):
    """A store of rows computes no row that the product does not need."""
    rows = Rows(Matrix([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]]))
    assert module.product(rows, x) == rows.A @ x
    assert rows.asked == [i for i, v in enumerate(x) if v]


@pytest.mark.parametrize("n, k", [(1, 1), (3, 2), (5, 0), (5, 5)])
def test_a_product_costs_n_multiplications_for_each_entry_that_is_not_zero(n, k):
    """The Cost line of `product` is an equality."""
    A = Matrix([[COUNTED.lift(i + j + 1) for j in range(n)] for i in range(n)])
    x = Vector([COUNTED.lift(int(i < k)) for i in range(n)])
    with counting() as count:
        module.product(A, x)
    assert count.multiply == n * k and count.divide == 0


@given(quadratics(), st.data())
def test_a_lifted_problem_has_the_same_numbers(problem, data):
    """Lifting changes the kind, not the value, of any number; rows are converted when they are asked for."""
    strict = module.converted(problem, STRICT.lift)
    lifted = module.lifted(strict)
    assert [list(lifted.Q.row(i)) for i in range(problem.n)] == [list(r) for r in problem.Q]
    assert list(lifted.Q.diagonal()) == list(problem.Q.diagonal()) and len(lifted.Q) == problem.n
    names = ("c", "lower", "upper", "E", "d", "G", "h")
    assert all(getattr(lifted, name) == getattr(problem, name) for name in names)


@given(vectors(2, fractions))
def test_a_recast_answer_has_the_same_numbers(x):
    """Every vector of an answer is converted, and those that are absent stay so."""
    given = Answer(x, None, x, x, x, 3)
    strict = module.recast(given, STRICT.lift)
    assert [v.value for v in strict.x] == list(x) and strict.nu is None and strict.steps == 3
    assert [v.value for v in strict.mu] == list(x)
