"""The benchmarks run; what they measure is for people to read."""

from tests.benchmarks import __main__ as benchmarks
from tests.benchmarks import timing


def test_the_quick_benchmarks_print_a_table(capsys):
    """One task, one turn: a heading and a row with a ratio; a floor where no peer is installed."""
    assert benchmarks.main(["eigen", "--quick", "--turns", "1"]) == 0
    lines = capsys.readouterr().out.strip().splitlines()
    assert lines[-2].split()[0] == "task" and lines[-1].split()[0] == "jacobi"


def test_the_median_is_of_paired_ratios():
    """Work against itself has ratios on both sides of one; nothing is divided by zero."""
    work = timing.Case("self", "", lambda: sum(range(20000)), "self", lambda: sum(range(20000)), lambda: None)
    r = timing.compare(work, 5)
    assert r.least <= r.median <= r.most and r.against == "self"
