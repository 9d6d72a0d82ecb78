"""Exact quotients by a reciprocal."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.linear.exact import division


@given(st.integers(1, 200), st.integers(0, 2**32), st.booleans())
def test_quotients_are_those_of_integers_whatever_their_lengths(length, seed, negative):
    """Divisors from one bit on, powers of two and their neighbours among them; quotients of 0 to 400 bits."""
    rng = Random(seed)
    d = max(
        1, rng.choice([rng.getrandbits(length) | 1 << (length - 1), 1 << length, (1 << length) - 1, (1 << length) + 1])
    )
    d = -d if negative else d
    rows = [
        [rng.choice([1, -1]) * rng.getrandbits(rng.choice([0, 1, length, 400])) for _ in range(k)] for k in range(4)
    ]
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(division, "LONG", 1)
        assert division.quotients([[q * d for q in row] for row in rows], d) == rows


@pytest.mark.parametrize("bits", [division.LONG - 1, division.LONG, 20_000])
def test_quotients_of_long_integers_are_exact(bits):
    """On either side of where reciprocals begin."""
    rng = Random(bits)
    d, rows = -rng.getrandbits(bits) - 1, [[rng.getrandbits(bits), -1, 0], [-rng.getrandbits(3 * bits)]]
    assert division.quotients([[q * d for q in row] for row in rows], d) == rows
    assert division.quotients([[0, 0]], d) == [[0, 0]] and division.quotients([], d) == []
