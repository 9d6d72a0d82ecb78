"""Perturbed answers: none accepted that is wrong in the fifth digit, none refuted that is right to eight.

A few hundred by default, 34,000 in the thorough profile; spec/perturbations.md has the counts.
"""

import re

import pytest

from tests.oracle import perturbing
from tests.profiles import examples, thorough

COUNT = perturbing.COUNT if thorough() else max(perturbing.EACH, examples(300) // len(perturbing.KINDS))


@pytest.mark.slow
@pytest.mark.parametrize("method", sorted(perturbing.KINDS))
def test_perturbed_numbers_are_told_from_right_ones(method):
    """The largest number of a unique attribute, moved up or down by a share of the size of what it is summed from."""
    assert not perturbing.judged(method, COUNT)[1]


def test_the_page_of_perturbations_counts_no_false_verdict():
    """30,000 answers or more: of the right ones none is refuted, of the wrong ones none accepted."""
    (line,) = re.findall(r"\| all \| \|(.*)\|", perturbing.PAGE.read_text(encoding="utf-8"))
    right, refuted, wrong, accepted = (int(v.replace(",", "")) for v in line.split("|"))
    assert right + wrong >= 30_000 and refuted == accepted == 0
