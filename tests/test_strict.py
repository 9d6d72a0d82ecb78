"""The strict map of `tests.strict`."""

from operator import add, mul

import pytest

from tests.strict import StrictMap


def test_products_of_different_lengths_are_refused_and_nothing_else():
    """Also where an operand is itself a map; iterators of unknown length and other functions end with the shortest."""
    assert sum(StrictMap(mul, [1, 2], (3, 4))) == 11
    assert sum(StrictMap(mul, [1, 2], StrictMap(abs, (-3, 4)))) == 11
    assert sum(StrictMap(mul, [1, 2], iter([3, 4, 5]))) == 11
    assert list(StrictMap(add, [1, 2], [3])) == [4]
    for operands in (([1, 2], [3]), (StrictMap(abs, [1, 2, 3]), [3, 4])):
        with pytest.raises(ValueError, match="different lengths"):
            StrictMap(mul, *operands)
