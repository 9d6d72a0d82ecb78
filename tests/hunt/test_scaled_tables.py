"""What is answered of tables of sizes far from one is accepted by `verify`, and refuted once a number is changed."""

import pytest

from tests.hunt.own_and_changed import unnoticed
from tests.hunt.scaled_tables import refuted, table

FOUND = [81, 128, 194, 196, 214, 237, 325, 518, 532, 664, 711, 755, 810, 814, 863, 978, 1049, 1072, 1144]
FOUND += [1488, 1686, 1853, 1863, 1958, 2476, 2591]
CHANGED = [17, 438, 601]


@pytest.mark.parametrize("seed", FOUND)
def test_own_answers_to_scaled_tables_are_accepted(seed):
    """Those in which faults were found: refuted, or refused without need."""
    given = table(seed)
    assert not refuted(given), given


@pytest.mark.parametrize("seed", CHANGED)
def test_changed_answers_to_scaled_tables_are_refuted(seed):
    """A number times 1.1, or of the other sign; two swapped; one dropped."""
    assert not unnoticed(seed, table)


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(0, 1300, 50))
def test_own_answers_to_many_scaled_tables_are_accepted(first):
    """Fifty in each block."""
    found = {seed: words for seed in range(first, first + 50) if (words := refuted(table(seed)))}
    assert not found, found


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(0, 560, 20))
def test_changed_answers_to_many_scaled_tables_are_refuted(first):
    """Twenty in each block."""
    found = {seed: words for seed in range(first, first + 20) if (words := unnoticed(seed, table))}
    assert not found, found
