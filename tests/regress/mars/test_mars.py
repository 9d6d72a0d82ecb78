"""MARS: the forward iteration is the greedy optimum, the backward iteration prunes by GCV, and both keep their
rules.
"""

import math
import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from refclass.bases.hinges import Products
from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL as F
from refclass.regress.mars import forward, knots, mars
from tests.numbers import STRICT, Strict
from tests.profiles import examples
from tests.regress import reference
from tests.strategies import fractions, integers


def lifted(M):
    """Return rows as a matrix of fractions."""
    return Matrix([[Fraction(v) for v in row] for row in M])


@st.composite
def samples(draw, n=8, p=2, q=1):
    """Small samples with ties, constant columns and duplicates among them."""
    row = st.lists(integers, min_size=p, max_size=p)
    X = draw(st.lists(row, min_size=n, max_size=n))
    Y = draw(st.lists(st.lists(fractions, min_size=q, max_size=q), min_size=n, max_size=n))
    return lifted(X), Matrix(Y)


def fit_steps(X, Y, **options):
    """Return the states of the iteration, forward and backward."""
    states = list(forward.steps(F, mars.asked(F, X, Y, **options)))
    return [[s for s in states if s.phase == phase] for phase in ("forward", "backward")]


@settings(max_examples=examples(12))
@given(samples(), st.sampled_from([1, 2]))
def test_each_step_forward_is_the_best_of_all_pairs(sample, degree):
    """No pair at any parent, variable and data value lowers RSS more than the one taken  [GAP-9]."""
    X, Y = sample
    forward, _ = fit_steps(X, Y, degree=degree, max_terms=5, threshold=0)
    for before, after in zip(forward, forward[1:]):
        drop, place = reference.best_pair(before.terms, X, Y, degree)
        assert before.rss - after.rss == drop
        parent, variable, knot = place
        new = set(after.terms) - set(before.terms)
        assert new and all(t[:-1] == before.terms[parent] for t in new)
        assert all((t[-1].variable, t[-1].knot) == (variable, knot) for t in new)
    if len(forward) < 3:
        assert reference.best_pair(forward[-1].terms, X, Y, degree)[0] <= 0


@settings(max_examples=examples(25))
@given(samples(q=2), st.sampled_from([1, 2]))
def test_every_state_keeps_the_rules(sample, degree):
    """Terms are distinct, of the degree at most, without a variable twice; RSS and GCV are those of a fresh fit."""
    for phase in fit_steps(*sample, degree=degree, max_terms=7, threshold=0, penalty=0):
        for state in phase:
            state.check(F)


@settings(max_examples=examples(15))
@given(samples())
def test_backward_steps_are_the_best_single_deletions(sample):
    """Each model on the way down has the least RSS of all with one term less than the model before  [GAP-9]."""
    X, Y = sample
    forward, backward = fit_steps(X, Y, degree=2, max_terms=7, threshold=0)
    for before, after in zip([forward[-1], *backward], backward):
        columns = Products(before.terms).matrix(F, X).T
        others = [[c for k, c in enumerate(columns) if k != gone] for gone in range(1, len(columns))]
        assert after.rss == min(reference.rss(left, Y) for left in others)
        assert len(after.terms) == len(before.terms) - 1 and set(after.terms) < set(before.terms)


@settings(max_examples=examples(15))
@given(samples(), st.sampled_from([0, 1, 3]))
def test_the_model_has_the_lowest_score_on_the_way_down(sample, penalty):
    """Of the largest model and all that deletion passes, the smallest with the lowest GCV is returned  [GAP-9]."""
    options = {"degree": 2, "max_terms": 7, "threshold": 0, "penalty": penalty}
    forward, backward = fit_steps(*sample, **options)
    model = mars.fit(F, *sample, **options)
    scored = [s for s in [forward[-1], *backward] if s.gcv is not None]
    best = min(scored, key=lambda s: (s.gcv, len(s.terms)))
    assert (model.gcv, len(model.terms)) == (best.gcv, len(best.terms))
    assert model.terms == best.terms and model.forward == forward[-1].terms


@settings(max_examples=examples(20))
@given(samples(q=2))
def test_the_score_is_recomputed_from_the_fitted_values(sample):
    """GCV = (RSS/n)/(1 − C/n)² with C = m + penalty (m − 1)/2, from the fitted values and the number of terms."""
    X, Y = sample
    model = mars.fit(F, X, Y, degree=2, max_terms=5, penalty=Fraction(3, 2), threshold=0)
    rss = sum((a - b) ** 2 for y, f in zip(Y, model.fitted) for a, b in zip(y, f))
    m = len(model.terms)
    charge = m + Fraction(3, 2) * (m - 1) / 2
    assert model.rss == rss and model.gcv == rss / 8 / (1 - charge / 8) ** 2


@settings(max_examples=examples(20))
@given(samples())
def test_degree_one_is_additive(sample):
    """Every term of degree 1 has at most one variable  [FDA-MARS.P1]."""
    model = mars.fit(F, *sample, degree=1, max_terms=9, threshold=0)
    assert all(len({h.variable for h in term}) <= 1 for term in model.forward)


def test_products_of_hinges_are_found_and_reproduced():
    """A function that is one product of two hinges is found with degree 2, exactly; degree 1 cannot reach it."""
    points = list(product(range(6), repeat=2))
    X = lifted(points)
    Y = lifted([[max(0, a - 2) * max(0, 4 - b)] for a, b in points])
    model = mars.fit(F, X, Y, degree=2, max_terms=11, threshold=0)
    assert model.rss == 0 and model.predict(X) == Y
    assert mars.fit(F, X, Y, degree=1, threshold=0).rss > 0


def test_a_straight_line_has_its_knot_at_the_smallest_value():
    """A line is (x − min)₊ and nothing else: of all knots that give the same fit the lowest, of the pair the first."""
    X = lifted([[k] for k in (3, 1, 4, 7, 5, 9)])
    model = mars.fit(F, X, Matrix([[2 * x + 1] for (x,) in X]), threshold=0)
    (up,) = model.terms[1]
    assert len(model.terms) == 2 and (up.variable, up.sign, up.knot) == (0, 1, 1)


def test_of_a_pair_the_rising_hinge_comes_first():
    """The first pair enters as (x − t)₊, (t − x)₊; at a second knot of the variable only (x − t)₊ is new."""
    X = lifted([[k] for k in range(14)])
    Y = lifted([[abs(k - 4) + 2 * max(0, k - 9)] for k in range(14)])
    model = mars.fit(F, X, Y, threshold=0)
    assert [[h.sign for h in t] for t in model.forward] == [[], [1], [-1], [1], [1]]


def test_of_equal_variables_the_first_is_taken():
    """A duplicated column is never used; nor is a constant one."""
    X = lifted([[k, 7, k] for k in range(10)])
    Y = lifted([[abs(k - 4)] for k in range(10)])
    model = mars.fit(F, X, Y, degree=2, threshold=0)
    assert {h.variable for term in model.forward for h in term} == {0}
    floats = mars.fit(BINARY64, *(Matrix([[float(v) for v in row] for row in M]) for M in (X, Y)), degree=2)
    assert {h.variable for term in floats.forward for h in term} == {0}


def test_variables_of_pure_noise_are_left_out():
    """A response that bends in one variable leaves the others out of the model  [CMP-MARS]."""
    X = Matrix([[k / 40, ((k * 17) % 41) / 41, ((k * 29) % 37) / 37] for k in range(40)])
    Y = Matrix([[abs(x[0] - 0.4) + ((k * 31) % 13 - 6) / 500] for k, x in enumerate(X)])
    model = mars.fit(BINARY64, X, Y, degree=2)
    assert {h.variable for term in model.terms for h in term} == {0}


@settings(max_examples=examples(15))
@given(samples(), st.lists(st.integers(0, 3), min_size=8, max_size=8))
def test_integer_weights_are_copies(sample, w):
    """Rows with integer weights give the terms, coefficients and score of repeated rows, also with wider spans."""
    X, Y = sample
    assume(any(w))
    copies = [i for i, c in enumerate(w) for _ in range(c)]
    for spans in ({}, {"min_span": 2, "end_span": 2}):
        options = {"degree": 2, "max_terms": 5, "threshold": 0, "penalty": 0, **spans}
        once = mars.fit(F, X, Y, Vector(map(Fraction, w)), **options)
        many = mars.fit(F, *(Matrix([M[i] for i in copies]) for M in (X, Y)), **options)
        for name in ("terms", "forward", "coefficients", "rss", "gcv"):
            assert getattr(once, name) == getattr(many, name)


@settings(max_examples=examples(15))
@given(samples(), st.permutations(range(8)))
def test_the_order_of_the_points_does_not_matter(sample, order):
    """Permuting the rows changes neither terms nor coefficients."""
    one = mars.fit(F, *sample, degree=2, max_terms=5, threshold=0)
    other = mars.fit(F, *(Matrix([M[i] for i in order]) for M in sample), degree=2, max_terms=5, threshold=0)
    assert (one.terms, one.coefficients, one.gcv) == (other.terms, other.coefficients, other.gcv)


@settings(max_examples=examples(15))
@given(samples())
def test_a_response_twice_is_fitted_as_once(sample):
    """Two equal responses share terms and coefficients with the one, and their residuals add up."""
    X, Y = sample
    one = mars.fit(F, X, Y, max_terms=5, threshold=0)
    two = mars.fit(F, X, Matrix([[y, y] for (y,) in Y]), max_terms=5, threshold=0)
    assert two.terms == one.terms and two.rss == 2 * one.rss
    assert two.coefficients.T[0] == two.coefficients.T[1] == one.coefficients.T[0]


def test_the_threshold_stops_before_a_small_step():
    """The forward pass ends before the first step that lowers RSS by less than the share `threshold` of the total."""
    X = lifted([[k] for k in range(12)])
    Y = lifted([[max(0, k - 6) * 3 + (k % 2)] for k in range(12)])
    forward, _ = fit_steps(X, Y, threshold=0, max_terms=9)
    drops = [(a.rss - b.rss) / forward[0].rss for a, b in zip(forward, forward[1:])]
    assert len(drops) == 4
    for share in [*drops, *(d * Fraction(1001, 1000) for d in drops)]:
        taken, _ = fit_steps(X, Y, threshold=share, max_terms=9)
        assert len(taken) - 1 == next((k for k, d in enumerate(drops) if d < share), 4)


@pytest.mark.parametrize("most, steps", [(1, 0), (2, 0), (3, 1), (4, 1), (5, 2), (7, 3)])
def test_each_step_counts_two_terms(most, steps):
    """The forward pass takes a step if the terms it counts then, two for each step, are max_terms at most."""
    X = lifted([[k, k * k % 7] for k in range(12)])
    Y = lifted([[(k * 5) % 9] for k in range(12)])
    forward, _ = fit_steps(X, Y, threshold=0, max_terms=most)
    assert len(forward) == steps + 1 and len(forward[-1].terms) <= max(1, most)


def test_degenerate_samples_have_their_answers():
    """One point, one distinct x, equal responses, more terms than points: never more than the data can say."""
    one = mars.fit(F, lifted([[1]]), lifted([[5]]))
    assert one.terms == ((),) and one.gcv is None and one.predict(lifted([[9]])) == lifted([[5]])
    same = mars.fit(F, lifted([[2]] * 4), lifted([[1], [2], [3], [6]]))
    assert same.terms == ((),) and same.fitted == lifted([[3]] * 4)
    flat = mars.fit(F, lifted([[k] for k in range(5)]), lifted([[7]] * 5))
    assert flat.forward == ((),) and flat.rss == 0
    few = mars.fit(F, lifted([[0], [1], [3]]), lifted([[0], [5], [1]]), threshold=0)
    assert len(few.forward) == 3 and len(few.terms) == 1


def test_doubles_follow_fractions():
    """On the same numbers doubles find the terms of exact arithmetic, and its coefficients up to roundoff."""
    X = Matrix([[float((k * 7) % 23), float((k * 11) % 29)] for k in range(25)])
    Y = Matrix([[float((k * k) % 17), float((k * 3) % 5)] for k in range(25)])
    rounded = mars.fit(BINARY64, X, Y, degree=2, max_terms=11)
    exact = mars.fit(F, lifted(X), lifted(Y), degree=2, max_terms=11)
    assert [[(h.variable, h.sign, Fraction(h.knot)) for h in t] for t in rounded.forward] == [
        [(h.variable, h.sign, h.knot) for h in t] for t in exact.forward
    ]
    size = exact.coefficients.largest()
    for a, b in zip(rounded.coefficients, exact.coefficients):
        assert all(abs(Fraction(v) - w) < size / 10**11 for v, w in zip(a, b))


def test_a_large_offset_does_not_blur_the_knots():
    """Years in place of small numbers: the same terms, moved by the offset."""
    X = Matrix([[float((k * 7) % 23)] for k in range(23)])
    Y = Matrix([[math.sin(x / 3)] for (x,) in X])
    here = mars.fit(BINARY64, X, Y)
    there = mars.fit(BINARY64, Matrix([[x + 65536.0] for (x,) in X]), Y)
    assert [[(h.sign, h.knot + 65536) for h in t] for t in here.forward] == [
        [(h.sign, h.knot) for h in t] for t in there.forward
    ]


def test_the_certificate_proves_least_squares_on_the_terms():
    """Exact coefficients are stationary, the terms being taken for granted; rounded ones within a gap of roundoff."""
    X, Y = lifted([[k, k * k % 7] for k in range(12)]), lifted([[(k * 5) % 9] for k in range(12)])
    proof = mars.certify(X, Y, mars.fit(F, X, Y, degree=2))
    assert (proof.status, proof.gap, proof.worst_violation) == ("stationary", 0, 0) and proof.premise
    floats = [Matrix([[float(v) / 7 for v in row] for row in M]) for M in (X, Y)]
    rounded = mars.certify(*floats, mars.fit(BINARY64, *floats, degree=2))
    assert rounded.status == "stationary" and 0 < rounded.gap < 1e-20


def test_no_float_slips_in():
    """The whole iteration on strict numbers stays strict; in decimals it runs as well."""
    X = Matrix([[Strict(k), Strict(k * k % 5)] for k in range(8)])
    Y = Matrix([[Strict((k * 3) % 7)] for k in range(8)])
    model = mars.fit(STRICT, X, Y, degree=2, max_terms=5)
    assert all(type(v) is Strict for row in model.coefficients for v in row)
    D = decimal(25)
    fine = mars.fit(D, *(Matrix([[D.lift(float(v)) for v in row] for row in M]) for M in (X, Y)), degree=2, max_terms=5)
    assert abs(float(fine.gcv) - float(model.gcv)) < 1e-12


def test_options_that_mean_nothing_are_refused():
    """Degrees, terms, spans, penalties and thresholds out of range."""
    X = lifted([[k] for k in range(5)])
    for option in (
        {"degree": 0},
        {"degree": 1.5},
        {"max_terms": 0},
        {"penalty": -1},
        {"threshold": -1},
        {"min_span": -1},
        {"end_span": True},
    ):
        with pytest.raises(InvalidInput):
            mars.fit(F, X, X, **option)


@pytest.mark.parametrize("seed", [4, 9, 12, 21, 31, 38, 39, 56])
def test_doubles_take_the_steps_of_fractions_where_knots_tie(seed):
    """Few rows, where many knots lower RSS equally: forward terms are those of exact arithmetic."""
    chance = random.Random(seed)
    n, p = chance.choice([5, 6, 7, 8]), chance.choice([1, 2])
    rows = [[chance.randrange(-20, 20) / 10 for _ in range(p)] for _ in range(n)]
    Z = [[float(chance.randrange(10))] for _ in range(n)]
    fitted_by_steps = []
    for field in (BINARY64, F):
        model = mars.fit(field, *(Matrix([[field.lift(v) for v in row] for row in M]) for M in (rows, Z)), degree=2)
        fitted_by_steps.append([[(h.variable, h.sign, Fraction(h.knot)) for h in term] for term in model.forward])
    assert fitted_by_steps[0] == fitted_by_steps[1]


def test_mdas_search_spaces_its_knots():
    """Thirty rows, one variable: knots stand at rows 9, 12, 15, 18 and 21 alone, counted upwards; a value that is tied
    with the row before it has none."""
    for t in range(2, 30):
        rows = [[Fraction(k)] for k in range(1, 31)]
        y = [max(x - t, 0) + Fraction(3, 10) * max(t - x, 0) for (x,) in rows]
        X, Y = Matrix(map(Vector, rows)), Matrix([Vector([v]) for v in y])
        model = mars.fit(F, X, Y, search="mda", max_terms=3, threshold=0)
        (knot,) = {h.knot for term in model.forward for h in term} or {9}
        assert knot in (1, 9, 12, 15, 18, 21) and (t not in (9, 12, 15, 18, 21) or knot == t)
    order, x = list(range(29, -1, -1)), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 12, *range(13, 30)]
    places = knots.spaced(order, x, Vector([Fraction(1)] * 30), 1)
    assert [30 - place for place in places] == [1, 9, 15, 18, 21]


def test_mdas_search_adds_one_hinge_to_variables_that_a_term_has():
    """The second term of the same variables enters without its reflection, and the model after the first deletion is
    not compared; the exhaustive search does neither."""
    rng = random.Random(2)
    rows = [[Fraction(rng.randrange(200))] for _ in range(60)]
    y = [abs(x - 60) + abs(x - 120) + rng.randrange(3) for (x,) in rows]
    X, Y = Matrix(map(Vector, rows)), Matrix([Vector([v]) for v in y])
    problem = mars.asked(F, X, Y, search="mda", max_terms=5, threshold=0)
    found = list(forward.steps(F, problem))
    assert [len(state.terms) for state in found if state.phase == "forward"] == [1, 3, 4]
    one = next(state for state in found if state.phase == "backward")
    assert one.step == 1 and mars.solve(F, problem).terms != one.terms


def test_an_unknown_search_and_spans_beside_mdas_are_refused():
    """The spans are those of the exhaustive search."""
    X, Y = Matrix([Vector([Fraction(k)]) for k in range(9)]), Matrix([Vector([Fraction(k)]) for k in range(9)])
    with pytest.raises(InvalidInput, match="search among exhaustive, mda"):
        mars.asked(F, X, Y, search="greedy")
    with pytest.raises(InvalidInput, match="no spans"):
        mars.asked(F, X, Y, search="mda", min_span=3)
