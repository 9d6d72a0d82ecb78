"""Flexible discriminants: one eigendecomposition over any regression."""

import math
from dataclasses import replace
from fractions import Fraction
from functools import partial
from types import SimpleNamespace

import pytest
from hypothesis import given

from refclass.bases.hinges import Hinge, Products
from refclass.discriminants.decision.decide import largest
from refclass.discriminants.gaussian import lda
from refclass.discriminants.optimal_scoring import class_moments, fda, fda_certificate, scoring
from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.linear.eigen import one_sided_jacobi
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.regress.linear import least_squares, polynomial
from refclass.regress.mars import mars
from refclass.regress.mars.problem import refit
from refclass.regress.spline import additive, spline
from refclass.sample import data
from refclass.sample.indicator import indicator
from refclass.sample.mean import shares
from tests.discriminants.samples import PLANE, exact, few, over, regular
from tests.numbers import STRICT

D = decimal(40)
TIGHT = SimpleNamespace(rows=[[Fraction(v)] for v in (0, 1, 1, 2, 3, 3, 4, 5, 5, 6, 7, 8)], labels=list("aababbabcbcc"))
LINE = exact(TIGHT.rows, TIGHT.labels)
FLAT = exact(*PLANE)
quadratic = partial(polynomial.fit, degree=2)
smooth = partial(spline.fit, lam=Fraction(1, 2))


def spread(values, others):
    """Return the differences of two vectors of scores, less the first of them: zeros where they agree up to a shift."""
    d = values - others
    return [v - d[0] for v in d]


@few
@given(regular(classes=3, p=2))
def test_flexible_on_straight_lines_is_linear(sample):
    """With S the hat matrix, scores are those of linear discriminants with divisor n but for a common shift, exactly,
    and so are labels  [FDA-ALG.P1] [FDA-CRIT.P1] [YANG-computation-of-fda] [OS-DIST.P1] [RC-8] [RC-9].
    """
    if len({tuple(m) for m in lda.class_means(sample)}) == 1:
        return
    flexible = fda.fit(RATIONAL, sample, least_squares.fit)
    linear = lda.fit(RATIONAL, sample, divisor="n")
    for x in [*sample.X, Vector([Fraction(7), Fraction(-3, 2)])]:
        assert not any(spread(flexible.exponents(x), linear.exponents(x)))
    assert flexible.classify(sample.X) == linear.classify(sample.X)


def test_the_average_squared_residual_is_what_the_eigenvalues_leave():
    """λ = 0: ASR = (1/n) Σₗ Σᵢ (θₗ(g(i)) − ηₗ(xᵢ))² = Σ (1 − μₗ), as in optimal scoring  [FDA-CRIT.P1] [YANG-fda]."""
    sample = over(D, FLAT)
    model, scored = fda.fit(D, sample, least_squares.fit), scoring.fit(D, sample)
    assert all(near(D, a, b, D.kind(1), 50) for a, b in zip(model.optimal.values, scored.optimal.values))
    total = D.kind(0)
    for eta, g in zip(model.coordinates(sample.X), sample.labels):
        missed = model.optimal.theta[g] - eta
        total = total + missed @ missed
    want = sum(1 - mu for mu in model.optimal.values)
    assert near(D, total / sample.n, want, steps=100)
    assert near(D, scoring.residual_sum(sample, scored), total, steps=100)
    assert near(D, 2 - fda.explained(sample, model), want, steps=50)


def test_with_a_penalty_the_residual_of_a_score_counts_it():
    """(1/n)[Σᵢ (θₗ(g(i)) − ηₗ(xᵢ))² + λ∫ηₗ″²] = 1 − μₗ, and the bare mean squared residual is less
    [FDA-CRIT.P2] [FDA-WEIGHTS.P1] [ERR-YANG-12] [YANG-fda] [YANG-fda-smoother].
    """
    sample, lam = over(D, LINE), D.lift(Fraction(1, 2))
    model = fda.fit(D, sample, partial(spline.fit, lam=lam))
    target = indicator(sample) @ model.optimal.theta
    for column, mu in zip(target.T, model.optimal.values):
        one = spline.fit(D, sample.X, Matrix([[v] for v in column]), lam=lam)
        rough = lam * one.curve.roughness()
        assert near(D, (one.rss + rough) / sample.n, 1 - mu, D.kind(1), 100)
        assert rough > 0 and one.rss / sample.n < 1 - mu


def test_the_smoother_enters_symmetrically():
    """YᵀS_λY is symmetric, exactly, for splines, additive splines and polynomials, and its rows sum to class sizes
    [FDA-ALG.P2] [FDA-SPLINE.P3] [YANG-fda-smoother].
    """
    many = partial(additive.fit, smoothing=[Fraction(1), math.inf], tol=Fraction(1, 10**9))
    for sample, regress in ((LINE, smooth), (LINE, quadratic), (FLAT, quadratic)):
        M = class_moments.crossed(sample, regress(RATIONAL, sample.X, indicator(sample), sample.weights).fitted)
        M.symmetric()
        assert [row.sum() for row in M] == list(shares(sample))
    rough = class_moments.crossed(
        over(BINARY64, FLAT), many(BINARY64, over(BINARY64, FLAT).X, indicator(over(BINARY64, FLAT))).fitted
    )
    assert (rough - rough.T).largest() < 1e-8


def test_one_smoother_for_all_responses_is_additive():
    """S(a + b) = S a + S b for a spline of given λ; MARS chooses its terms by the responses, and is not
    [FDA-ALG.P3] [YANG-fda-smoother].
    """
    a, b = (Matrix([[v] for v in column]) for column in list(zip(*indicator(LINE)))[:2])
    for regress in (smooth, quadratic):
        fits = [regress(RATIONAL, LINE.X, Y).fitted for Y in (a, b, a + b)]
        assert fits[0] + fits[1] == fits[2]
    adaptive = partial(mars.fit, threshold=0, penalty=0, max_terms=3)
    fits = [adaptive(RATIONAL, LINE.X, Y).fitted for Y in (a, b, a + b)]
    assert fits[0] + fits[1] != fits[2]


def test_plain_eigenvectors_are_not_the_scores():
    """Those of YᵀŶ, normalised, explain less than the generalised ones where class sizes differ; with equal sizes they
    are the same  [ERR-YANG-10] [YANG-computation-of-fda].
    """
    sample = over(D, FLAT)
    for keep, same in ((range(19), False), ([i for i in range(19) if i != 6], True)):
        part = data.read(D, [sample.X[i] for i in keep], [sample.labels[i] for i in keep])
        regression = least_squares.fit(D, part.X, indicator(part))
        pi = shares(part)
        M = class_moments.crossed(part, regression.fitted)
        best = fda.of(D, part, regression).optimal
        plain = one_sided_jacobi.factor(D, (M + M.T) / 2).eigenvectors.T
        explained = []
        for theta in plain:
            centred = Vector([v - pi @ theta for v in theta])
            size = pi @ centred.times(centred)
            if size > D.lift(Fraction(1, 10**20)):
                explained.append(centred @ (M @ centred) / size)
        top = max(explained)
        gap = best.values[0] - top
        assert gap >= -D.lift(Fraction(1, 10**30))
        assert (gap <= D.lift(Fraction(1, 10**30))) is same


@few
@given(regular(classes=3, p=1, per_class=(4, 6)))
def test_degree_two_is_linear_in_the_expansion(sample):
    """Polynomial regression of degree two gives the labels of LDA on 1, x, x², exactly
    [FDA-POLY.P1] [YANG-fda-example] [ERR-YANG-17].
    """
    wide = exact([[x, x * x] for (x,) in sample.X], sample.labels)
    try:
        linear = lda.fit(RATIONAL, wide, divisor="n")
        flexible = fda.fit(RATIONAL, sample, quadratic)
    except NoAnswer:
        return
    assert flexible.classify(sample.X) == linear.classify(wide.X)
    for x, h in zip(sample.X, wide.X):
        assert not any(spread(flexible.exponents(x), linear.exponents(h)))


def test_degree_two_bounds_a_class_by_an_ellipse():
    """A class inside the other one: the boundary of equal scores is a conic that closes around it  [M-YANG-FDA]
    [YANG-fda-example].
    """
    ring = [(3, 0), (0, 2), (-3, 0), (0, -2), (2, 1), (-2, 1), (2, -1), (-2, -1), (0, 3), (4, 1)]
    disc = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)]
    sample = exact([list(map(Fraction, x)) for x in disc + ring], [0] * len(disc) + [1] * len(ring))
    model = fda.fit(RATIONAL, sample, quadratic)

    def f(a, b):
        r = model.exponents(Vector([Fraction(a), Fraction(b)]))
        return r[0] - r[1]

    xx, yy = ((f(*u) + f(*(-v for v in u))) / 2 - f(0, 0) for u in ((1, 0), (0, 1)))
    xy = (f(1, 1) - f(1, 0) - f(0, 1) + f(0, 0)) / 2
    assert xx * yy - xy * xy > 0 and f(0, 0) > 0 > f(9, 9)


def test_smoothing_without_end_is_the_straight_line():
    """λ = ∞ for every variable: the additive spline's discriminants are LDA's  [FDA-SPLINE.P1]."""
    straight = partial(additive.fit, smoothing=[math.inf, math.inf])
    bent, linear = fda.fit(RATIONAL, FLAT, straight), lda.fit(RATIONAL, FLAT, divisor="n")
    for x in FLAT.X:
        assert not any(spread(bent.exponents(x), linear.exponents(x)))


def test_hinges_that_bend_beyond_the_data_are_linear():
    """MARS terms with knots at the least values are linear on the sample: labels are LDA's  [FDA-MARS.P2]."""
    lows = [min(column) for column in FLAT.X.T]
    terms = ((), *(((Hinge(j, 1, low),)) for j, low in enumerate(lows)))

    def regress(F, X, Y, weights=None):
        problem = mars.asked(F, X, Y, weights)
        coefficients, rss = refit(F, problem, terms)
        return mars.Model(F, terms, coefficients, rss, None, Products(terms).matrix(F, X) @ coefficients, terms)

    bent, linear = fda.fit(RATIONAL, FLAT, regress), lda.fit(RATIONAL, FLAT, divisor="n")
    assert bent.classify(FLAT.X) == linear.classify(FLAT.X)
    for x in FLAT.X:
        assert not any(spread(bent.exponents(x), linear.exponents(x)))


def test_terms_of_one_variable_make_additive_functions():
    """MARS of degree 1: η*(a, b) + η*(c, d) = η*(a, d) + η*(c, b)  [FDA-MARS.P1]."""
    regress = partial(mars.fit, degree=1, threshold=0, penalty=0, max_terms=5)
    model = fda.fit(RATIONAL, FLAT, regress)
    assert {h.variable for term in model.regression.terms for h in term} == {0, 1}
    a, b, c, d = (Fraction(v) for v in (0, 1, 4, 6))
    corners = model.fits([Vector([a, b]), Vector([c, d]), Vector([a, d]), Vector([c, b])])
    assert corners[0] + corners[1] == corners[2] + corners[3]


def test_all_coordinates_are_the_full_rule():
    """L = K − 1 changes nothing; one coordinate less may change labels; of the coordinates the first L stay
    [FDA-REDDIM.P1].
    """
    sample = over(D, FLAT)
    full, same = (fda.fit(D, sample, quadratic, count=L) for L in (None, 2))
    one = fda.fit(D, sample, quadratic, count=1)
    assert full == same and full.classify(sample.X) != one.classify(sample.X)
    assert [eta[0] for eta in full.coordinates(sample.X)] == [eta[0] for eta in one.coordinates(sample.X)]


def test_scores_have_the_class_proportions_for_metric():
    """ΘᵀDΘ = I, Σ πₖΘₖ = 0, and weights are 1/(μ(1 − μ))  [YANG-connection-with-lda] [YANG-computation-of-fda]."""
    sample = over(D, FLAT)
    model, pi = fda.fit(D, sample, quadratic), shares(sample)
    theta = model.optimal.theta.T
    for i, a in enumerate(theta):
        assert near(D, pi @ a, 0, D.kind(1), 20)
        for j, b in enumerate(theta):
            assert near(D, pi @ a.times(b), D.kind(int(i == j)), D.kind(1), 20)
    assert all(near(D, w, 1 / (mu * (1 - mu))) for w, mu in zip(model.weights, model.optimal.values))


def test_exact_and_rounded_arithmetic_agree():
    """Distances without roots are those with them, but for a shift that is the same for all classes, and labels are the
    same; with fewer coordinates roots are needed, and refused  [YANG-connection-with-lda].
    """
    plain, rounded = (fda.fit(F, over(F, FLAT), quadratic) for F in (RATIONAL, D))
    for x in FLAT.X:
        z = Vector([D.lift(v) for v in x])
        got = Vector([D.lift(v) for v in plain.distances(x)])
        assert all(near(D, v, D.kind(0), got.largest(), 1000) for v in spread(got, rounded.distances(z)))
    assert plain.classify(FLAT.X) == rounded.classify(over(D, FLAT).X)
    assert plain.optimal is None
    with pytest.raises(NotExact):
        fda.fit(RATIONAL, FLAT, quadratic, count=1)


def test_no_float_slips_into_an_exact_fit():
    """The whole way from points to labels runs on fractions that refuse floats."""
    sample = over(STRICT, FLAT)
    model = fda.fit(STRICT, sample, quadratic)
    assert [str(v) for v in model.distances(sample.X[0])] == [
        str(v) for v in fda.fit(RATIONAL, FLAT, quadratic).distances(FLAT.X[0])
    ]


def test_of_two_classes_the_eigenvalue_is_rational():
    """Σ μ is the trace of D⁻¹YᵀŶ/n without the constant: the one μ of two classes, exactly."""
    two = exact(TIGHT.rows, ["c" if g == "c" else "o" for g in TIGHT.labels])
    plain, rounded = fda.fit(RATIONAL, two, quadratic), fda.fit(D, over(D, two), quadratic)
    assert near(D, D.lift(fda.explained(two, plain)), rounded.optimal.values[0], steps=100)


def test_the_largest_fit_is_the_softmax_line():
    """argmax η* = argmax softmax η*, and its labels differ from the nearest centroid's
    [SOFTMAX-FIT.P1] [SOFTMAX-FIT.P2] [YANG-T12.3] [GAP-14].
    """
    sample = over(BINARY64, FLAT)
    model = fda.fit(BINARY64, sample, quadratic)
    by_fit = model.classify_by_fit(sample.X)
    assert by_fit == [largest(model.softmax(x)).classes[0] for x in sample.X]
    assert by_fit != model.classify(sample.X)


def test_integer_weights_are_copies_of_rows():
    """Rows of weight 2 and 0 fit as two copies and none, exactly."""
    weights = [Fraction(1 + (i % 3 == 0)) if i % 5 else Fraction(0) for i in range(19)]
    copies = [i for i, w in enumerate(weights) for _ in range(int(w))]
    weighted = data.read(RATIONAL, FLAT.X, FLAT.labels, weights)
    repeated = exact([FLAT.X[i] for i in copies], [FLAT.labels[i] for i in copies])
    a, b = (fda.fit(RATIONAL, s, quadratic) for s in (weighted, repeated))
    for x in FLAT.X:
        assert a.exponents(x) == b.exponents(x)


def test_a_regression_without_constants_is_refused():
    """One that neither keeps the constants nor takes them out has no trivial score to leave away."""

    def shrunk(F, X, Y, weights=None):
        model = least_squares.fit(F, X, Y, weights)
        return replace(model, fitted=model.fitted / 2)

    with pytest.raises(InvalidInput, match="keeps the constants"):
        fda.fit(RATIONAL, FLAT, shrunk)


@pytest.mark.parametrize("F", [RATIONAL, BINARY64])
def test_a_score_that_is_explained_wholly_is_held_or_refused(F):
    """μ = 1: nothing varies within the classes along it, and doubles hold it at 1 − 60·n·eps, where fractions have no
    weight for it; μ = 0 throughout: nothing is explained.
    """
    apart = over(F, exact([[0], [0], [1], [1], [2]], [0, 0, 1, 1, 2]))
    if F.exact:
        with pytest.raises(NoAnswer, match="variance within the classes"):
            fda.fit(F, apart, least_squares.fit)
    else:
        model = fda.fit(F, apart, least_squares.fit)
        assert model.optimal.values[0] == 1 - 60 * 5 * F.eps and model.classify(apart.X) == [0, 0, 1, 1, 2]
    alike = over(F, exact([[0], [1], [0], [1]], [0, 0, 1, 1]))
    with pytest.raises(NoAnswer):
        fda.fit(F, alike, least_squares.fit)


def test_coordinates_beyond_the_classes_are_refused():
    """L lies between 1 and K − 1."""
    for L in (0, 3):
        with pytest.raises(InvalidInput):
            fda.fit(RATIONAL, FLAT, quadratic, count=L)


def test_scores_lost_in_the_error_of_a_fit_are_left_out():
    """What YᵀŶ is not symmetric by is the fit's error; a μ below thirty times that is not distinguished from zero."""

    def careless(F, X, Y, weights=None):
        model = least_squares.fit(F, X, Y, weights)
        fitted = Matrix(
            [[v + (1e-7 if i == 3 else 0) * (k - 1) for k, v in enumerate(f)] for i, f in enumerate(model.fitted)]
        )
        return replace(model, fitted=fitted)

    one = over(BINARY64, exact([[x] for x, _ in FLAT.X], FLAT.labels))
    assert len(fda.fit(BINARY64, one, careless).optimal.values) == 1


@pytest.mark.parametrize("F", [RATIONAL, BINARY64, D])
def test_the_proof_of_scores_finds_what_is_wrong(F):
    """Exact scores are solved, rounded ones near; a wrong centroid or weight is found, and where."""
    sample = over(F, FLAT)
    model = fda.fit(F, sample, quadratic)
    proof = fda_certificate.certify(sample, model)
    assert proof.worst_violation <= 1000 * F.eps and (proof.status == "optimal") is F.exact
    moved = replace(model, centroids=2 * model.centroids)
    assert "class means" in fda_certificate.certify(sample, moved).where
    if F.exact:
        assert "weights" in fda_certificate.certify(sample, replace(model, weights=2 * model.weights)).where
    else:
        wrong = replace(model, optimal=replace(model.optimal, values=model.optimal.values / 2))
        assert fda_certificate.certify(sample, wrong).digits < 1
        other = replace(model, optimal=replace(model.optimal, theta=2 * model.optimal.theta), axes=2 * model.axes)
        assert "score" in fda_certificate.certify(sample, other).where


def test_decisions_report_ties():
    """A point that lies as near to two class means ties; labels take the first."""
    sample = exact([[-3], [-2], [-1], [1], [2], [3]], [0, 0, 0, 1, 1, 1])
    model = fda.fit(RATIONAL, sample, least_squares.fit)
    middle = Vector([Fraction(0)])
    assert model.decide(middle).tie and model.predict(middle) == 0 and model.classify([middle]) == [0]
    assert model.scores(middle)[0] == model.scores(middle)[1]
    assert not model.decide(Vector([Fraction(1, 9)])).tie
