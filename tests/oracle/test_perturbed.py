"""Perturbed answers: none accepted that is wrong in the fifth digit, none refuted that is right to eight.

A few hundred by default, 34,000 in the thorough profile; spec/perturbations.md has the counts.
"""

import json
import random
import re

import pytest

from refclass.oracle import answer, judge, problem
from tests.oracle import perturbing
from tests.profiles import examples, thorough

COUNT = perturbing.COUNT if thorough() else max(perturbing.EACH, examples(300) // len(perturbing.KINDS))


@pytest.mark.many
@pytest.mark.slow
@pytest.mark.parametrize("method", sorted(perturbing.KINDS))
def test_perturbed_numbers_are_distinguished_from_right_ones(method):
    """The largest number of a unique attribute, moved up or down by a share of the size of what it is summed from."""
    assert not perturbing.judged(method, COUNT)[1]


@pytest.mark.slow
def test_perturbed_programmes_are_distinguished_from_right_ones():
    """The largest number of x, or of the multipliers, moved by a share of the size of what it is summed from.

    Aᵀy = −(q + Px): a multiplier that is small beside |q| over |A| is a difference, and has digits on that scale.
    """
    r, wrong = random.Random("qp"), []
    for _ in range(COUNT):
        n = r.randint(2, 5)
        given = {"method": "qp", "q": [r.randint(1, 9) * r.choice([-1, 1]) for _ in range(n)]}
        given["P"] = [[i, i, r.randint(1, 4)] for i in range(n)] + [[0, 1, 1 / 2], [1, 0, 1 / 2]]
        given["A"] = [[0, j, r.randint(1, 3)] for j in range(n)] + [[1 + j, j, 1] for j in range(n)]
        given.update(l=[1] + [None] * n, u=[1] + [round(r.uniform(1, 4), 2) for _ in range(n)])
        asked = problem.read(json.dumps(given), "P.json")
        reported = json.loads(json.dumps(answer.answer(asked)))
        name, share = r.choice(["x", "y"]), r.choice([1e-9, 3e-9, 1e-4, 1e-3])
        values = [float(v) for v in reported["fitted"][name]]
        i = max(range(len(values)), key=lambda k: abs(values[k]))
        least = max(map(abs, given["q"])) / 3 if name == "y" else 0  # the entries of A are 1 to 3
        values[i] += r.choice([-1, 1]) * share * max(abs(values[i]), least)
        moved = {"arithmetic": "float", "fitted": {**reported["fitted"], name: values}}
        accepted = judge.verify(asked, judge.read(json.dumps(moved), "A.json"))["accepted"]
        if accepted != (share < 1e-8):
            wrong.append((given, name, share, accepted))
    assert not wrong


def test_the_page_of_perturbations_counts_no_false_verdict():
    """30,000 answers or more: of the right ones none is refuted, of the wrong ones none accepted."""
    (line,) = re.findall(r"\| all \| \|(.*)\|", perturbing.PAGE.read_text(encoding="utf-8"))
    right, refuted, wrong, accepted = (int(v.replace(",", "")) for v in line.split("|"))
    assert right + wrong >= 30_000 and refuted == accepted == 0
