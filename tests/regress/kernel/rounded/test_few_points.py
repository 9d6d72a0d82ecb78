"""Which points are few, and the numbers beside a rounding of them."""

from fractions import Fraction
from math import ulp

from refclass import KernelRidge
from refclass.linear.vector import Vector
from refclass.number.field import rational
from refclass.regress.kernel import certificate
from refclass.regress.kernel.rounded import few_points

ROWS = [[1], [2], [3]]


def ridge(intercept):
    """Return the machine of a ridge regression in fractions, and its multipliers; the last is 10⁻⁷ of the others."""
    model = KernelRidge(penalty="1e-12", intercept=intercept, arithmetic="exact").fit(ROWS, [1, 3, "4.2000001"])
    [solved] = model.solved()
    return certificate.lifted(solved.machine), solved.a


def test_long_values_of_a_kernel_and_many_points_are_left_as_they_are():
    """A cubic kernel of denormal points has values of 6,000 bits; rounding together takes most of their fit."""

    def machine(rows, of):
        return KernelRidge(kernel=of, arithmetic="exact").fit(rows, [1, 3, 4]).solved()[0].machine

    cubic = {"name": "polynomial", "degree": 3}
    assert few_points.bounded(machine(ROWS, cubic), 3) and not few_points.bounded(machine(ROWS, cubic), 2)
    assert not few_points.bounded(machine([[Fraction(v, 2**1074)] for v in (1, 2, 3)], cubic), 3)


def test_numbers_beside_a_rounding_differ_in_one_or_two_last_digits():
    """Each multiplier and each coefficient up and down; with an intercept two multipliers whose sum stays."""
    machine, a = ridge(True)
    near, beta = Vector.of(map(float, a)), Vector.of([0.5])
    found = list(few_points.beside(machine, near, beta))
    changed = [[i for i, (v, w) in enumerate(zip(other, near)) if v != w] for other, _ in found]
    assert sorted(map(len, changed)) == [0] * 2 + [1] * 6 + [2] * 6
    assert [own[0] for own, places in zip([b for _, b in found], changed) if not places] == [
        Fraction(0.5) - Fraction(ulp(0.5)),
        Fraction(0.5) + Fraction(ulp(0.5)),
    ]
    for (other, _), places in zip(found, changed):
        if len(places) == 2:
            assert sum(map(rational, other)) == sum(map(rational, near))
