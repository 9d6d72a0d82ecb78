from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.linear import combination
from refclass.number.decimals import decimal
from refclass.number.field import rational
from tests.numbers import COUNTED, STRICT, counting
from tests.strategies import fractions


@given(
    st.integers(1, 20).flatmap(lambda m: st.tuples(st.lists(fractions, min_size=m, max_size=m), st.just(m))), st.data()
)
def test_the_total_is_the_sum_of_its_terms(drawn, data):
    """Σ wₖ vₖ for any number of vectors, entry by entry [ESL-12.10]."""
    weights, m = drawn
    vectors = [data.draw(st.lists(st.integers(-3, 3).map(Fraction), min_size=3, max_size=3)) for _ in range(m)]
    assert combination.total(weights, vectors) == [sum(w * v[i] for w, v in zip(weights, vectors)) for i in range(3)]


@pytest.mark.parametrize("m", [1, 2, 3, 4, 5, 10, 16])
def test_it_costs_a_product_for_each_entry(m):
    """n multiplications a vector [ESL-12.10]."""
    vectors = [tuple(COUNTED.lift(k + i) for i in range(5)) for k in range(m)]
    weights = [COUNTED.lift(k) for k in range(m)]
    with counting() as count:
        combination.total(weights, vectors)
    assert count.multiply == 5 * m and count.add <= 5 * m


def test_strict_numbers_stay_what_they_are():
    """No float enters [ESL-12.10]."""
    one = STRICT.lift(1)
    assert combination.total([one] * 9, [(one, -one)] * 9) == [9, -9]


def test_decimals_are_summed_by_their_own_loop_to_their_own_digits():
    """Each entry is off by roundoff of its terms, is of the weights' kind, and prints as many digits [ESL-12.10]."""
    F = decimal(30)
    weights = [F.lift(Fraction(k, 7)) for k in (1, -2, 30)]
    vectors = [[F.lift(Fraction(i + k, 3)) for i in range(4)] for k in range(3)]
    found = combination.total(weights, vectors)
    exact = [sum(rational(w) * rational(v[i]) for w, v in zip(weights, vectors)) for i in range(4)]
    assert {type(v) for v in found} == {F.kind}
    assert all(abs(rational(a) - b) <= 100 * rational(F.eps) * abs(b) for a, b in zip(found, exact))
