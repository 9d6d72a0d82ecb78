"""The scan of all knots at once: the same gains as fresh least squares for each, and the spans' rules."""

import math
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from refclass.bases.hinges import Hinge, Products, pair
from refclass.linear.factorisations import orthogonal_columns
from refclass.linear.factorisations.orthogonal_columns import Columns
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL as F
from refclass.regress.mars import knots
from tests.numbers import COUNTED, Counted, counting
from tests.profiles import examples
from tests.regress import reference
from tests.strategies import fractions, integers

ONES = Vector([Fraction(1)] * 7)


def scanned(terms, parent, j, X, Y, w=ONES, spans=(1, 1)):
    """Return the knots of a scan with their gains, all columns of the terms met."""
    values = Products(terms).matrix(F, X).T
    made, _ = orthogonal_columns.independent(F, w, values)
    x = X.T[j]
    scan = knots.scan(values[parent], x, w, *spans, len(X[0])).after(made)
    residuals = [made.rest(F, y)[0].times(w) for y in Y.T]
    products = [values[parent].times(r) for r in residuals]
    gains = scan.gains(F, made, residuals, products)
    return [(x[scan.order[k]], gain) for k, gain in zip(scan.places, gains)]


@st.composite
def searches(draw):
    """Points with ties and repeated columns, two responses, a model of a few terms, a parent and a variable."""
    X = Matrix(draw(st.lists(st.lists(integers.map(Fraction), min_size=2, max_size=2), min_size=7, max_size=7)))
    Y = Matrix(draw(st.lists(st.lists(fractions, min_size=2, max_size=2), min_size=7, max_size=7)))
    first = Hinge(0, draw(st.sampled_from([1, -1])), draw(integers.map(Fraction)))
    second = Hinge(1, draw(st.sampled_from([1, -1])), draw(integers.map(Fraction)))
    terms = [(), (first,), (second,), (first, second)][: draw(st.integers(1, 4))]
    parent, j = draw(st.sampled_from([(0, 0), (0, 1), (1, 1)][: max(2, len(terms) + 1)]))
    assume(parent < len(terms))
    return tuple(terms), parent, j, X, Y


@settings(max_examples=examples(25))
@given(searches())
def test_every_gain_is_that_of_fresh_least_squares(search):
    """For every knot the drop of RSS from running sums equals that of solving least squares anew  [GAP-9]."""
    terms, parent, j, X, Y = search
    _, kept = orthogonal_columns.independent(F, ONES, Products(terms).matrix(F, X).T)
    assume(len(kept) == len(terms) and any(Products(terms).matrix(F, X).T[parent]))
    for knot, gain in scanned(terms, parent, j, X, Y):
        assert gain == reference.gain(terms, [(*terms[parent], hinge) for hinge in pair(j, knot)], X, Y)


@settings(max_examples=examples(25))
@given(searches())
def test_every_data_value_of_the_support_is_a_knot(search):
    """With both spans 1 the knots are the distinct values of the variable where the parent is positive, ascending."""
    terms, parent, j, X, _ = search
    values = Products(terms).matrix(F, X).T[parent]
    assume(any(values))
    scan = knots.scan(values, X.T[j], ONES, 1, 1, 2)
    assert [X[scan.order[k]][j] for k in scan.places] == sorted({x[j] for x, b in zip(X, values) if b > 0})


@settings(max_examples=examples(25))
@given(searches())
def test_columns_met_one_by_one_or_at_once_are_the_same(search):
    """A scan that has met the columns of a smaller model goes on to those that follow."""
    terms, parent, j, X, _ = search
    values = Products(terms).matrix(F, X).T
    made, kept = orthogonal_columns.independent(F, ONES, values)
    assume(len(kept) == len(terms) and any(values[parent]))
    scan = knots.scan(values[parent], X.T[j], ONES, 1, 1, 2)
    partial, _ = orthogonal_columns.independent(F, ONES, values[:1])
    assert scan.after(partial).after(made) == scan.after(made)


@settings(max_examples=examples(25))
@given(searches(), st.lists(st.integers(0, 2), min_size=7, max_size=7))
def test_integer_weights_are_copies(search, w):
    """Gains with weights are gains with repeated rows; rows of weight zero offer no knots."""
    terms, parent, j, X, Y = search
    assume(any(w))
    counts = Vector(map(Fraction, w))
    some = Products(terms).matrix(F, X).T
    _, kept = orthogonal_columns.independent(F, counts, some)
    assume(len(kept) == len(terms) and any(c * v for c, v in zip(w, some[parent])))
    copies = [i for i, c in enumerate(w) for _ in range(c)]
    rows, responses = (Matrix([M[i] for i in copies]) for M in (X, Y))
    ones = Vector([Fraction(1)] * len(copies))
    for spans in ((1, 1), (2, 2)):
        assert scanned(terms, parent, j, X, Y, counts, spans) == scanned(terms, parent, j, rows, responses, ones, spans)


@pytest.mark.parametrize("min_span", [1, 2, 3])
@pytest.mark.parametrize("end_span", [1, 2, 4])
@settings(max_examples=examples(25))
@given(values=st.lists(integers.map(Fraction), min_size=1, max_size=12))
def test_spans_count_the_observations_between_and_beyond_knots(min_span, end_span, values):
    """At a knot and beyond lie at least end_span points on either side; between knots at least min_span; and no knot
    that could come first is left out.
    """
    n = len(values)
    order = sorted(range(n), key=values.__getitem__, reverse=True)
    places = knots.candidates(order, values, Vector([Fraction(1)] * n), min_span, end_span, 1)
    chosen = [values[order[k]] for k in places]
    want, last = [], None
    for v in sorted(set(values)):
        below, above = sum(x <= v for x in values), sum(x >= v for x in values)
        if below >= end_span and above >= end_span and (last is None or below - last >= min_span):
            want.append(v)
            last = below
    assert chosen == want


def test_friedmans_spans_follow_from_the_chance_of_a_run():
    """Span 0: L = −log₂(−ln(1 − α)/(pN))/2.5 and 3 − log₂(α/p) with α = 0.05, rounded to whole observations."""
    n, p = 200, 4
    values = [Fraction(k) for k in range(n)]
    order = list(range(n - 1, -1, -1))
    places = knots.candidates(order, values, Vector([Fraction(1)] * n), 0, 0, p)
    between = math.floor(-math.log2(-math.log(0.95) / (p * n)) / 2.5)
    beyond = math.ceil(3 - math.log2(0.05 / p))
    assert (between, beyond) == (5, 10)
    assert [int(values[order[k]]) for k in places] == list(range(beyond - 1, n - beyond + 1, between))


def test_a_scan_is_linear_in_the_number_of_points():
    """Meeting a column and weighing a response both cost a constant number of operations for each point."""
    costs = []
    for n in (10, 20, 40):
        one = Counted(1)
        w, x = Vector([one] * n), [Counted(v) for v in range(n)]
        made = Columns(w).grown(COUNTED, Vector([one] * n))
        scan = knots.scan(Vector([one] * n), x, w, 1, 1, 1)
        r = Vector([Counted(k % 3) for k in range(n)])
        with counting() as c:
            scan.after(made).gains(COUNTED, made, [r], [r])
        costs.append(c.add + c.multiply + c.divide)
    assert costs[2] - costs[1] == 2 * (costs[1] - costs[0])
