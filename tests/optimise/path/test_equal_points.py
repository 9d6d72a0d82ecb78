import math
import random
from fractions import Fraction
from unittest import mock

from hypothesis import given, settings

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.path import degenerate, path_state
from refclass.optimise.path import solution as path
from refclass.optimise.path.equal_points import Distinct, Gathered
from tests.optimise.paths import problems
from tests.profiles import examples


@given(problems())
def test_equal_points_are_one_and_others_are_not(case):
    """Points are taken together if and only if their labels and their rows of K are equal [OPT-PATH.P2]."""
    found = Distinct.of(case.K, case.y)
    rows = [(t, tuple(case.K.row(i))) for i, t in enumerate(case.y)]
    assert [[a == b for a in found.places] for b in found.places] == [[a == b for a in rows] for b in rows]
    assert [found.places[i] for i in found.firsts] == list(range(len(found.y)))
    assert found.every(found.y) == case.y and sum(found.sizes) == len(rows)
    assert found.shares(found.sizes) == (1,) * len(rows)


@settings(max_examples=examples(10))
@given(problems(most=4))
def test_of_each_point_three_the_path_is_that_of_one_at_a_third_of_lambda(case):
    """The same multipliers at 3λ, and the slopes of least norm are asked for as often [OPT-PATH.P2]."""
    order = [*range(len(case.y))] * 3
    tripled = path_state.Problem(case.K.block(order, order), case.y.pick(order))
    ones, threes = [], []
    for given_problem, found in ((case, ones), (tripled, threes)):
        with mock.patch.object(degenerate, "least", side_effect=degenerate.least) as asked:
            found.extend([path.solve(given_problem), asked.call_count])
    assert threes[1] == ones[1]
    assert [(s.lam, s.alpha0, s.alpha) for s in threes[0].states] == [
        (3 * s.lam, 3 * s.alpha0, Vector([*s.alpha] * 3)) for s in ones[0].states
    ]


def test_of_copies_doubles_follow_the_whole_path():
    """Forty points of a Gaussian kernel, each three times: no equation of the elbow follows from the others, and slopes
    of least norm are not asked for after the start [ESL-12.3.5-path]."""
    r = random.Random(3)
    X = [[r.gauss(i % 2, 1), r.gauss(0, 1)] for i in range(40)] * 3
    K = [[math.exp(-(math.dist(x, z) ** 2)) for z in X] for x in X]
    case = path_state.Problem(Matrix(K), Vector([1.0 - 2 * (i % 2) for i in range(120)]))
    with mock.patch.object(degenerate, "least", side_effect=degenerate.least) as asked:
        found = path.solve(case)
    assert asked.call_count <= 3 and len(found.states) > 60
    assert found.least == 0


@given(problems())
def test_points_are_gathered_in_their_own_numbers(case):
    """Rows of fractions at places stay fractions, and what follows from them exact [ESL-12.3.5-path]."""
    places = range(0, len(case.y), 2)
    found = Gathered(case.K, places)
    assert [[*found.row(k)] for k in range(len(found))] == [[case.K[i][j] for j in places] for i in places]
    assert {type(v) for k in range(len(found)) for v in found.row(k)} == {Fraction}
