"""Classification by least squares: codes, cuts, indicators, masking."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from refclass.discriminants.gaussian import cutpoint, lda, least_squares
from refclass.errors import InvalidInput, NotExact
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.sample import covariance, data, metric
from refclass.sample.mean import class_means, sizes
from tests.discriminants.samples import apart, exact, few, multiple, over, regular, vector
from tests.strategies import fractions, vectors

codes = st.tuples(fractions, fractions).filter(lambda t: t[0] != t[1]).map(Vector)


@few
@given(regular(), codes)
def test_any_codes_give_the_discriminant_direction(sample, t):
    """β̂ = κ Σ̂⁻¹(μ̂₁ − μ̂₂) with κ = (t₁ − t₂)(n₁n₂/n)/[(n − 2) + (n₁n₂/n)D²], for any two distinct codes
    [LS-LDA.P1] [LS-LDA.P2] [EX-ESL-4.2] [ESL-4.3-least-squares] [ESL-Ex4.2] [RC-2].
    """
    means = apart(sample)
    beta = least_squares.coded(RATIONAL, sample, t).regression.coefficients.column(0)
    d = metric.factor(RATIONAL, covariance.pooled(sample)).solve(means[0] - means[1])
    assert beta == least_squares.constant(RATIONAL, sample, *t) * d
    assert multiple(beta, d)


@few
@given(regular())
def test_the_usual_codes_are_among_them(sample):
    """±1, and n/n₁ against −n/n₂, have the direction of the discriminant, too; the normal equations are those of the
    exercise  [LS-LDA.P1] [ESL-Ex4.2] [EX-ESL-4.2].
    """
    means, (n1, n2) = apart(sample), sizes(sample)
    n, d = n1 + n2, means[0] - means[1]
    S = covariance.pooled(sample)
    for t in (vector(1, -1), Vector([n / n1, -n / n2])):
        beta = least_squares.coded(RATIONAL, sample, t).regression.coefficients.column(0)
        left = (n - 2) * (S @ beta) + n1 * n2 / n * (d @ beta) * d
        assert left == (t[0] - t[1]) * n1 * n2 / n * d


@few
@given(regular(), codes, st.data())
def test_the_boundary_does_not_depend_on_the_codes(sample, t, more):
    """Any codes put every point on the same side, ties included, as ±1 do  [LS-LDA.P3] [LS-INTERCEPT.P2]."""
    plain, other = (least_squares.coded(RATIONAL, sample, values) for values in (vector(-1, 1), t))
    for x in [*sample.X, more.draw(vectors(sample.p))]:
        assert other.decide(x) == plain.decide(x)


@few
@given(regular(), codes)
def test_the_cut_is_where_the_formula_says(sample, t):
    """f̂(x) = (t₁ + t₂)/2 exactly where d·x = d·x̄ + [(t₁ + t₂)/2 − t̄]/κ  [LS-INTERCEPT.P2] [RC-2]."""
    means = apart(sample)
    d = metric.factor(RATIONAL, covariance.pooled(sample)).solve(means[1] - means[0])
    cut = least_squares.cut_on_direction(RATIONAL, sample)
    x = cut / (d @ d) * d
    model = least_squares.coded(RATIONAL, sample, t)
    assert model.value(x) == (t[0] + t[1]) / 2 and model.decide(x).tie
    rule = model.rule
    assert multiple(rule.direction, d) and rule.cut * (d @ d) == cut * (rule.direction @ d)


@few
@given(regular())
def test_the_cut_is_that_of_the_discriminant_only_for_equal_sizes(sample):
    """The least-squares cut is d·(μ̂₁ + μ̂₂)/2 if and only if n₁ = n₂  [LS-INTERCEPT.P1] [EX-ESL-4.2] [RC-2]."""
    means, (n1, n2) = apart(sample), sizes(sample)
    d = metric.factor(RATIONAL, covariance.pooled(sample)).solve(means[1] - means[0])
    middle = d @ (means[0] + means[1]) / 2
    assert (least_squares.cut_on_direction(RATIONAL, sample) == middle) == (n1 == n2)


@few
@given(regular(per_class=(3, 3)), st.data())
def test_equal_sizes_make_least_squares_the_discriminant(sample, more):
    """With n₁ = n₂ the rules decide alike at every point  [LS-INTERCEPT.P1] [ESL-4.11]."""
    model, linear = least_squares.coded(RATIONAL, sample, vector(-1, 1)), lda.fit(RATIONAL, sample)
    apart(sample)
    for x in [*sample.X, more.draw(vectors(sample.p))]:
        assert model.decide(x) == linear.decide(x)


@few
@given(regular())
def test_the_linear_probability_model_is_the_coded_rule(sample):
    """Codes 0 and 1: the fitted values have the mean of the codes, and the cut at ½ gives the labels of codes ±1
    [LINPROB.P2] [LINPROB.P3] [YANG-linear-regression].
    """
    model = least_squares.coded(RATIONAL, sample, vector(0, 1))
    fitted = [model.value(x) for x in sample.X]
    assert sum(fitted) == sizes(sample)[1]
    plain = least_squares.coded(RATIONAL, sample, vector(-1, 1))
    assert [v > Fraction(1, 2) for v in fitted] == [plain.decide(x).classes == (1,) for x in sample.X]


def test_linear_probabilities_leave_the_unit_interval():
    """Points 0, 1 against 2, 10: the fitted probability exceeds one at 10 and is negative at −10, so that the linear
    formula
    is no requirement of a logistic model  [LINPROB.P1] [ERR-YANG-15] [YANG-linear-regression].
    """
    sample = exact([[0], [1], [2], [10]], [0, 0, 1, 1])
    fitted = [least_squares.coded(RATIONAL, sample, vector(0, 1)).value(x) for x in sample.X]
    assert max(fitted) > 1 and min(fitted) > 0
    assert least_squares.coded(RATIONAL, sample, vector(0, 1)).value(vector(-10)) < 0


@few
@given(regular(classes=3), st.data())
def test_fitted_indicators_sum_to_one(sample, more):
    """Σₖ ŷₖ(x) = 1 for every x  [INDREG.P1] [ESL-4.3-masking]."""
    x = more.draw(vectors(sample.p))
    assert least_squares.indicated(RATIONAL, sample).scores(x).sum() == 1


@few
@given(regular(), st.data())
def test_two_indicators_are_the_coded_rule(sample, more):
    """K = 2: the larger of two fitted indicators decides as codes ±1 do  [INDREG.P2]."""
    x = more.draw(vectors(sample.p))
    model = least_squares.indicated(RATIONAL, sample)
    assert model.decide(x) == least_squares.coded(RATIONAL, sample, vector(-1, 1)).decide(x)


def test_the_middle_of_three_classes_is_masked():
    """Point clusters at −1, 0, 1 of equal size have the fitted lines 1/3 − x/2, 1/3, 1/3 + x/2: the middle class
    never wins
    strictly; linear discriminants on clusters with some spread give it |x| < ½
    [MASKING.P1] [M-X6] [ESL-4.3-masking].
    """
    clusters = exact([[-1], [-1], [0], [0], [1], [1]], [0, 0, 1, 1, 2, 2])
    third, half = Fraction(1, 3), Fraction(1, 2)
    model = least_squares.indicated(RATIONAL, clusters)
    for x in (Fraction(-2), Fraction(-1, 3), Fraction(0), Fraction(1, 2), Fraction(3)):
        assert model.scores(Vector([x])) == (third - x / 2, third, third + x / 2)
        assert model.decide(Vector([x])).classes != (1,)
    eighth = Fraction(1, 8)
    spread = exact([[c + s * eighth] for c in (-1, 0, 1) for s in (-1, 1)], [0, 0, 1, 1, 2, 2])
    linear = lda.fit(RATIONAL, spread)
    assert [linear.predict(Vector([x])) for x in (-half - eighth, -half + eighth, half - eighth, half + eighth)] == [
        0,
        1,
        1,
        2,
    ]
    assert linear.decide(Vector([half])).classes == (1, 2)


@few
@given(regular(), codes)
def test_the_empirical_cut_errs_no_more_than_the_others(sample, t):
    """On the least-squares direction the empirical cut errs on no more training points than the midpoint of the
    codes and
    the Gaussian cut do, and equals exhaustive search  [LDA-CUT.P1] [LDA-CUT.P2] [ESL-4.3-cutpoint].
    """
    apart(sample)
    F = decimal(30)
    s, values = over(F, sample), Vector([F.lift(v) for v in t])

    def errors(model):
        return sum(said != g for said, g in zip(model.classify(s.X), s.labels))

    best, middle, gaussian = (
        errors(least_squares.coded(F, s, values, cutpoint=name)) for name in ("empirical", "midpoint", "gaussian")
    )
    assert best <= middle and best <= gaussian
    direction = least_squares.coded(RATIONAL, sample, t).rule.direction
    found = cutpoint.empirical([direction @ x for x in sample.X], sample.labels, sample.weights)
    assert best == found.errors


@few
@given(regular(), codes)
def test_the_gaussian_cut_is_that_of_linear_discriminants(sample, t):
    """f̂ cut where normal classes of one covariance are cut decides as linear discriminants do  [ESL-4.11]."""
    apart(sample)
    F = decimal(30)
    s = over(F, sample)
    model = least_squares.coded(F, s, Vector([F.lift(v) for v in t]), cutpoint="gaussian")
    linear = lda.fit(F, s)
    d, c = lda.log_odds(linear)
    n1, n2 = sizes(s)
    for x in s.X:
        odds = d @ x + c + F.log(n2 / n1)
        assert near(F, model.scores(x) * (d @ d), odds * (model.rule.direction @ d), (d @ d) * (1 + abs(odds)), 10**6)


def test_the_gaussian_cut_needs_logarithms_unless_sizes_are_equal():
    """In exact arithmetic log(n₂/n₁) is refused but for n₁ = n₂; an unknown cutpoint is refused always."""
    equal, unequal = exact([[0], [2], [6], [8]], [0, 0, 1, 1]), exact([[0], [2], [3], [6], [8]], [0, 0, 0, 1, 1])
    t = vector(0, 1)
    assert least_squares.coded(RATIONAL, equal, t, cutpoint="gaussian") == least_squares.coded(RATIONAL, equal, t)
    with pytest.raises(NotExact):
        least_squares.coded(RATIONAL, unequal, t, cutpoint="gaussian")
    with pytest.raises(InvalidInput, match="cutpoint"):
        least_squares.coded(RATIONAL, equal, t, cutpoint="median")


def test_codes_need_two_classes():
    """Three classes have no two codes."""
    with pytest.raises(InvalidInput, match="two classes"):
        least_squares.coded(RATIONAL, exact([[0], [1], [2]], [0, 1, 2]), vector(0, 1))


@few
@given(regular(), st.integers(1, 5).map(Fraction))
def test_ridge_codes_have_their_gradient_and_shrink(sample, lam):
    """With a penalty the gradient of ½‖y − f‖² + ½λ‖β‖² is zero, and ‖β‖ is smaller  [LS-CLS.P1]."""
    apart(sample)
    t = vector(-1, 1)
    plain, small = (least_squares.coded(RATIONAL, sample, t, penalty=v).regression for v in (None, lam))
    beta = small.coefficients.column(0)
    missed = [t[g] - f[0] for g, f in zip(sample.labels, small.fitted)]
    assert sample.X.T @ Vector(missed) == lam * beta
    assert beta @ beta < plain.coefficients.column(0) @ plain.coefficients.column(0)


def test_squared_error_grows_beyond_the_code():
    """The loss (1 − m)² is no function that falls: a point far on its own side is charged for it, and moves the fit
    [LS-CLS.P3].
    """
    near_by, far = ([[0], [2], [6], [v]] for v in (8, 80))
    rules = [least_squares.coded(RATIONAL, exact(rows, [0, 0, 1, 1]), vector(-1, 1)).rule for rows in (near_by, far)]
    first, second = (rule.cut / rule.direction[0] for rule in rules)
    assert first == 4 < second
    assert least_squares.coded(RATIONAL, exact(far, [0, 0, 1, 1]), vector(-1, 1)).predict(vector(6)) == 0


@few
@given(regular(classes=3))
def test_the_fits_are_certified(sample):
    """Residuals are orthogonal to the columns: ratio zero."""
    assert set(least_squares.certify(sample, least_squares.indicated(RATIONAL, sample)).values()) == {0}
    two = exact([x for x, g in zip(sample.X, sample.labels)], [min(g, 1) for g in sample.labels])
    assume(two.K == 2)
    assert set(least_squares.certify(two, least_squares.coded(RATIONAL, two, vector(3, 5))).values()) == {0}


def test_means_of_the_projected_points_are_where_they_were():
    """f̂ at the grand mean is the mean code."""
    sample = over(BINARY64, exact([[0], [2], [3], [6], [8]], [0, 0, 0, 1, 1]))
    model = least_squares.coded(BINARY64, sample, Vector([-1.0, 1.0]))
    grand = class_means(sample)[0] * 0.6 + class_means(sample)[1] * 0.4
    assert near(BINARY64, model.value(grand), -0.2, 1.0, 10)
    assert model.predict(Vector([3.9])) == model.classify(Matrix([[3.9]]))[0]


@pytest.mark.parametrize("t", [Vector([-1.0, 3.0]), Vector([3.0, -1.0])])
def test_the_empirical_cut_is_computed_in_fractions_up_to_an_amount_of_work(monkeypatch, t):
    """Up to n p² + p³, the same cut as in doubles beyond, whichever class has the larger code [ESL-4.3-cutpoint]."""
    X = [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 2.0, 1.0], [2.0, 1.0, 5.0], [4.0, 3.0, 1.0], [5.0, 5.0, 0.0]]
    sample = data.read(BINARY64, [*X, [6.0, 3.0, 2.0], [3.0, 6.0, 4.0]], [0, 0, 0, 0, 1, 1, 1, 1])
    asked, before = [], least_squares._exact_cut
    monkeypatch.setattr(least_squares, "_exact_cut", lambda *given: asked.append(given) or before(*given))
    cuts = []
    for work in (sample.n * 9 + 27, sample.n * 9 + 26):
        monkeypatch.setattr(least_squares, "WORK", work)
        cuts.append(least_squares.coded(BINARY64, sample, t, cutpoint="empirical").cut)
    assert len(asked) == 1 and near(BINARY64, *cuts, scale=4)
