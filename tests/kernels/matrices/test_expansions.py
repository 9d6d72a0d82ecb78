"""Values of functions whose terms cancel: rounded once from fractions where doubles would lose them."""

from fractions import Fraction

import pytest

from refclass.kernels.gaussian import Gaussian
from refclass.kernels.linear import Linear
from refclass.kernels.matrices import expansions
from refclass.kernels.polynomial import Polynomial
from refclass.linear.vector import Rounded, Vector, dot
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.field import rational

FAR = [[Fraction(10**9) + Fraction(i * i, 7), Fraction(10**9) - Fraction(i, 3)] for i in range(5)]
POINTS = tuple(Rounded.from_given(map(float, row), row) for row in FAR)
WEIGHTS = Vector([1.0, -0.25, -0.5, 0.125, -0.375])


def exact(row):
    """Σ wᵢ row[i], in fractions."""
    return sum(rational(w) * v for w, v in zip(WEIGHTS, row))


def test_doubles_are_summed_as_they_come_unless_their_products_cancel():
    """Σ wᵢxᵢ of one column: near zero the products are added in doubles, far from it the sum is rounded once
    [ESL-12.10] [ESL-12.17]."""
    w, x = [0.3, 0.9, 0.3], [1.1, 2.3, 4.7]
    assert expansions.normal(w, [[v] for v in x]) == Vector([dot(w, x)])
    far = [v + 1e12 for v in x]
    w = [0.1, 0.2, -0.30000000000000004]  # the sum is zero but for roundoff
    summed = sum(Fraction(a) * Fraction(b) for a, b in zip(w, far))
    assert expansions.normal(w, [[v] for v in far]) == Vector([float(summed)])


def test_a_normal_far_from_the_origin_is_that_of_the_data_as_given():
    """Σ wᵢxᵢ with Σ wᵢ = 0 at 10⁹ is the nearest double; near the origin sums of doubles are left as they are."""
    assert list(expansions.normal(WEIGHTS, POINTS)) == [float(exact(column)) for column in zip(*FAR)]
    near = (Vector([1.0, 0.5]), Vector([0.0, 2.0]))
    assert expansions.normal(Vector([0.5, -1.0]), near) == Vector([0.5, -1.75])


def test_a_linear_function_is_rounded_once_where_its_terms_cancel():
    """z·β + b at 10⁹, where doubles keep no digit of a value of 10⁻³."""
    beta, b = Vector([1.0, -1.0]), 1e-3
    values = expansions.linear([(beta, b)], POINTS)
    assert [v for (v,) in values] == [float(x - y + rational(b)) for x, y in FAR]


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2, 1.0, 1.0)], ids=["linear", "polynomial"])
def test_an_expansion_is_rounded_once_where_its_terms_cancel(kernel):
    """Σ wᵢK(xᵢ, z) of a polynomial kernel at 10⁹, of terms of 10³⁶."""
    power = 2 if isinstance(kernel, Polynomial) else 1
    z = FAR[2]
    right = exact([(sum(a * b for a, b in zip(x, z)) + (power - 1)) ** power for x in FAR])
    ((value,),) = expansions.expanded(BINARY64, BINARY64, kernel, POINTS, [(WEIGHTS, 0.0)], [POINTS[2]])
    assert value == float(right)


def test_an_expansion_in_a_kernel_that_is_not_rational_is_the_sum_of_its_terms():
    """Of two copies coefficients ±7·10¹⁰ cancel: values were 10⁻⁵ from those that the proof is of."""
    kernel, points = Gaussian(1.0), [Vector([1.0, 0.0]), Vector([0.0, 1.0]), Vector([1.0, 0.0])]
    weights, z = Vector.of([66666666667.169304, 1.1182304100353646, -66666666666.66667]), Vector([0.25, 0.5])
    ((value,),) = expansions.expanded(BINARY64, BINARY64, kernel, points, [(weights, 0.0)], [z])
    assert value == float(sum(rational(w) * rational(kernel(BINARY64, x, z)) for w, x in zip(weights, points)))


def test_a_normal_in_decimals_whose_products_cancel_is_summed_in_fractions():
    """Of 10¹² − 10¹² in ten digits nothing is left of the third term; in fractions it is there."""
    F = decimal(10)
    weights, points = [F.lift(v) for v in (1, 1, -1)], [[F.lift(10**12)], [F.lift("1/3")], [F.lift(10**12)]]
    assert dot(weights, [x for (x,) in points]) == 0
    assert expansions.normal(weights, points) == Vector([F.lift("1/3")])


def test_values_in_decimals_whose_terms_cancel_are_summed_in_fractions():
    """f = β·z + b and Σ cᵢ(⟨xᵢ, z⟩ + 1)³ at 10⁹, of terms 10²⁷ times their values, in twenty digits."""
    F = decimal(20)
    points = tuple(Vector.of(F.lift_all(row)) for row in FAR)
    beta, b = F.lift_all([1, -1]), F.lift(Fraction(1, 3))
    values = expansions.linear([(beta, b)], points)
    assert [f for (f,) in values] == [F.lift(rational(u) - rational(v) + rational(b)) for u, v in points]
    kernel, z = Polynomial(3, F.kind(1), F.kind(1)), list(map(rational, points[0]))
    c = Vector.of(F.lift_all([1, -2, 1, Fraction(1, 3), 7]))
    inner = [sum(rational(u) * v for u, v in zip(x, z)) for x in points]
    right = sum(rational(w) * (t + 1) ** 3 for w, t in zip(c, inner))
    moved = F.lift(-right)
    ((f,),) = expansions.expanded(F, F, kernel, points, [(c, moved)], points[:1])
    assert f == F.lift(right + rational(moved)) and f != 0
