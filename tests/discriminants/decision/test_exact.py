"""What proofs of discriminants are made of: relative failures, shapes, and what they conclude."""

from fractions import Fraction

from refclass.discriminants.decision import exact
from tests.discriminants.samples import matrix, vector


def test_a_backward_error_agrees_with_paper():
    """For 2x = 3 at x = 1: |3 − 2|/(2 + 3) = 1/5; zero where the equation holds, zero for zero."""
    assert exact.backward_error(matrix([2]), vector(1), vector(3)) == Fraction(1, 5)
    assert exact.backward_error(matrix([2]), vector("3/2"), vector(3)) == 0
    assert exact.backward_error(matrix([0]), vector(0), vector(0)) == 0


def test_tables_are_compared_entry_by_entry():
    """Each entry over its own scale; another shape fails wholly."""
    assert exact.entries("A", [[1.5, 4.0]], matrix([1, 4])) == (Fraction(1, 2), "A")
    assert exact.entries("A", [[1.5, 4.0]], matrix([1, 4]), [[5, 1]]) == (Fraction(1, 10), "A")
    assert exact.entries("A", [[1.5], [4.0]], matrix([1, 4])) == (1, "the shape of A")
    assert exact.numbers("v", [1.0], [1, 2]) == (1, "the number of v")
    assert exact.numbers("v", [1.0, 3.0], [1, 2]) == (Fraction(1, 2), "v")
    assert exact.same("x", [1], [1]) == (0, "x") and exact.same("x", [1], [2]) == (1, "x")


def test_the_worst_failure_concludes():
    """Status, digits and place are those of the worst failure; zero failures are optimal."""
    small, large = (Fraction(1, 10**16), "a"), (Fraction(1, 10**7), "b")
    found = exact.concluded([small, large], 2.0**-52)
    assert (found.status, found.where, found.digits, found.worst_violation) == ("7.0 digits", "b", 7.0, large[0])
    assert exact.concluded([small], 2.0**-52).status == "within roundoff"
    none = exact.concluded([(Fraction(0), "a")], 0, primal=3, dual=1)
    assert (none.status, none.where, none.gap) == ("optimal", "", 2)
    assert exact.counted(none).status == "feasible"
    assert exact.counted(found).status == "infeasible"


def test_logarithms_and_roots_have_fifty_digits():
    """√2 squared and log 2 + log ½ are right to 10⁻⁴⁹."""
    assert abs(exact.square_root(2) ** 2 - 2) < Fraction(1, 10**48)
    assert abs(exact.logarithm(2) + exact.logarithm(Fraction(1, 2))) < Fraction(1, 10**48)
