"""Grids of parameters."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.selection import grid

RATES = st.lists(st.one_of(st.none(), st.fractions(0, 1, max_denominator=6)), min_size=1, max_size=12)


def test_the_grid_of_the_mail_data_has_forty_values_of_gamma():
    """40 distinct values, in order, and 240 cells  [GRID-SPAM.P1] [MMST-11.3.7-spam]."""
    axes = grid.spam()
    gamma = axes["kernel.gamma"]
    assert len(gamma) == len(set(gamma)) == 40 and gamma == sorted(gamma)
    assert len(grid.cells(axes)) == 240
    assert (gamma[0], gamma[9], gamma[10], gamma[28], gamma[36], gamma[-1]) == tuple(
        Fraction(v) for v in ("1/100000", "1/10000", "2/10000", "2/1000", "1/100", "4/100")
    )


def test_the_crude_grid_runs_in_powers_of_ten():
    """Four values of C and six of γ  [MMST-11.3.6-grid]."""
    axes = grid.crude()
    assert axes["C"] == [10, 100, 1000, 10000] and len(grid.cells(axes)) == 24
    assert [float(v) for v in axes["kernel.gamma"]] == [1e-5, 1e-4, 1e-3, 0.01, 0.1, 1.0]


@given(RATES)
def test_no_cell_is_below_the_least(rates):
    """The rate at the place found is the least of those known, and nothing before it is as low  [GRID-2STAGE.P1]."""
    place = grid.least(rates)
    known = [r for r in rates if r is not None]
    if not known:
        assert place is None
        return
    assert rates[place] == min(known)
    assert all(r is None or r > rates[place] for r in rates[:place])


def test_a_tie_goes_to_the_smallest_cost_and_then_the_smallest_gamma():
    """Equal rates: the first cell in the caller's order, which is the simplest  [GRID-2STAGE] [GAP-1]."""
    cells = grid.cells({"C": [10, 100], "gamma": [1, 2]})
    rates = {(10, 1): 3, (10, 2): 1, (100, 1): 1, (100, 2): 1}
    assert cells[grid.least([rates[tuple(cell.values())] for cell in cells])] == {"C": 10, "gamma": 2}


AXIS = st.lists(st.fractions(0, 100, max_denominator=20), min_size=1, max_size=6, unique=True).map(sorted)


@given(AXIS, AXIS, st.integers(1, 4), st.data())
def test_the_finer_grid_keeps_the_best_and_stays_between_its_neighbours(first, second, count, data):
    """The best cell is among the finer ones; each axis is in order, evenly spaced on either side  [GRID-2STAGE]."""
    axes = {"C": first, "gamma": second}
    best = data.draw(st.sampled_from(grid.cells(axes)))
    fine = grid.finer(axes, best, count)
    assert best in grid.cells(fine)
    for name, values in axes.items():
        i = values.index(best[name])
        assert fine[name] == sorted(set(fine[name]))
        sides = (values[i - 1 : i], values[i + 1 : i + 2])
        assert len(fine[name]) == 1 + count * sum(map(len, sides))
        for low, high in [(v, best[name]) for v in sides[0]] + [(best[name], v) for v in sides[1]]:
            inner = [v for v in fine[name] if low < v < high]
            assert inner == [low + (high - low) * j / (count + 1) for j in range(1, count + 1)]
        assert grid.merged(axes, best, fine)[name] == sorted({*values, *fine[name]})


@given(AXIS, AXIS, st.integers(1, 3), st.integers(0, 10**6))
def test_the_refined_minimum_is_never_above_the_coarse_one(first, second, count, seed):
    """The coarse cell is among the finer ones: their least rate is no larger on any surface  [GRID-2STAGE.P2]."""
    axes = {"C": first, "gamma": second}

    def rate(cell):
        return hash((seed, *cell.values())) % 97

    cells = grid.cells(axes)
    best = cells[grid.least(list(map(rate, cells)))]
    assert min(map(rate, grid.cells(grid.finer(axes, best, count)))) <= rate(best)


def test_decades_are_refined_in_whole_steps():
    """Eight values between powers of ten are the steps of MMST's own notation  [MMST-11.3.7-spam]."""
    fine = grid.finer({"g": [Fraction(1, 10**5), Fraction(1, 10**4)]}, {"g": Fraction(1, 10**5)}, 8)
    assert fine["g"] == grid.stretches("1e-5(1e-5)9e-5")
    assert grid.finer({"g": [1e-5, 1e-4]}, {"g": 1e-4}, 2) == {"g": [4e-5, 7e-5, 1e-4]}


def test_what_is_no_number_is_not_refined():
    """Names stay, infinite neighbours have nothing between, whole numbers stay whole and do not repeat."""
    axes = {"loss": ["hinge", "squared_hinge"], "C": [1, 10, float("inf")], "k": [3, 4, 7], "on": [False, True]}
    fine = grid.finer(axes, {"loss": "hinge", "C": 10, "k": 4, "on": True}, 3)
    assert fine == {"loss": ["hinge"], "C": [3, 6, 8, 10], "k": [4, 5, 6], "on": [True]}
    assert all(type(v) is int for v in fine["C"] + fine["k"])


def test_a_best_cell_at_the_end_of_an_axis_is_named():
    """An axis of three values or more whose end is best may be too short."""
    axes = {"C": [1, 2, 3], "gamma": [1, 2, 3], "loss": ["a", "b"]}
    assert grid.at_edge(axes, {"C": 3, "gamma": 2, "loss": "b"}) == ["C"]
    assert grid.at_edge(axes, {"C": 2, "gamma": 1, "loss": "b"}) == ["gamma"]


@pytest.mark.parametrize("bad", [{}, [1], {"C": []}, {"C": 1}, {"C": "10"}, {"C": [1, 2, 1]}])
def test_a_grid_without_different_values_is_refused(bad):
    """Every axis is a sequence of different values, and there is an axis."""
    with pytest.raises(InvalidInput, match="grid: need"):
        grid.cells(bad)


@pytest.mark.parametrize("bad", ["1(0)2", "2(1)1", "1(2)4", "1(x)2", "", "1(1)", "1(-1)3"])
def test_steps_that_do_not_lead_to_the_end_are_refused(bad):
    """a(b)c needs a number of steps b > 0 from a to c."""
    with pytest.raises(InvalidInput, match="notation="):
        grid.stretches(bad)


def test_a_stretch_has_one_step_at_least_and_a_million_at_most(monkeypatch):
    """One step leads from 0 to 1; as many as are allowed are taken, one more is refused; a step down leads nowhere
    [GRID-SPAM]."""
    assert grid.stretches("0(1)1") == [0, 1]
    monkeypatch.setattr(grid, "MOST", 3)
    assert grid.stretches("0(1)3") == [0, 1, 2, 3]
    with pytest.raises(InvalidInput, match="at most 3 steps"):
        grid.stretches("0(1)4")
    for wrong in ("0(-1)1", "1(1)1", "0(2)1"):
        with pytest.raises(InvalidInput, match="steps from"):
            grid.stretches(wrong)
