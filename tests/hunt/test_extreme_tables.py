"""What is answered of tables at the ends of what numbers hold is right, or refused in a line."""

import pytest

from tests.hunt.extreme_tables import mixed_rows, moved, table, wrong

FOUND = [*range(8), 554, 600, 622, 20029, 20090, 20099, 20385, 20481, 20534, 20615, 20653, 20797, 20994, 21030, 21297]
FOUND += [20767, 22211, 22232, 22595]


@pytest.mark.parametrize("seed", FOUND)
def test_answers_to_extreme_tables_are_verified(seed):
    """Discriminants and comparators, weights of 10^±200, denormal and long numbers, near copies, points far away."""
    assert not wrong(table(seed)), table(seed)


@pytest.mark.thorough
@pytest.mark.parametrize("block", range(12))
def test_answers_to_many_extreme_tables_are_verified(block):
    """Twenty-five tables in each of twelve blocks."""
    found = {seed: words for seed in range(25 * block, 25 * block + 25) if (words := wrong(table(seed)))}
    assert not found, found


@pytest.mark.parametrize("seed", [5, 11])
def test_mixtures_on_rows_of_mixed_sizes_are_verified(seed):
    """What is predicted follows from the rounded mixture, to the digits that doubles hold of it."""
    assert not wrong(mixed_rows(seed)), mixed_rows(seed)


@pytest.mark.thorough
@pytest.mark.parametrize("block", range(10))
def test_many_mixtures_on_rows_of_mixed_sizes_are_verified(block):
    """Twenty in each of ten blocks."""
    found = {seed: words for seed in range(20 * block, 20 * block + 20) if (words := wrong(mixed_rows(seed)))}
    assert not found, found


@pytest.mark.parametrize("seed", range(4))
def test_answers_far_from_zero_are_verified(seed):
    """Offsets of 0 to 10^12, spreads of 10^-6 to 10^6."""
    assert not wrong(moved(seed)), moved(seed)


@pytest.mark.thorough
@pytest.mark.parametrize("block", range(4, 12))
def test_many_answers_far_from_zero_are_verified(block):
    """Twenty-five in each of eight blocks."""
    found = {seed: words for seed in range(25 * block, 25 * block + 25) if (words := wrong(moved(seed)))}
    assert not found, found
