"""GaussianBayesRule."""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import isqrt, pi, sqrt
from operator import mul
from random import Random
from statistics import NormalDist

import pytest

from refclass import GaussianBayesRule as Rule
from refclass import LinearDiscriminantAnalysis
from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.number.field import rational
from tests.profiles import examples


def test_two_normals_have_a_closed_form():
    """Means 0 and 2, variance 1, equal priors: both errors are Φ(−1), the error rate, too
    [MISCLASS-COND.P3] [KIM-2.9].
    """
    rule = Rule(means=[0, 2], covariances=1).fit()
    (hit, miss), (other, _) = rule.misclassification_probabilities_
    assert abs(miss - 0.15865525393145707) < 1e-16 and abs(miss - other) < 1e-16 and abs(hit + other - 1) < 1e-15
    assert abs(rule.expected_cost_ - miss) < 1e-16
    assert rule.classes_ == [0, 1] and rule.priors_ == [0.5, 0.5] and rule.covariances_ == [[[1.0]], [[1.0]]]


def test_costs_and_priors_make_the_expected_cost():
    """ECM = c(2|1)P(2|1)p₁ + c(1|2)P(1|2)p₂, in 30 digits  [KIM-2.9] [ECM.P1]."""
    rule = Rule(means=[[0, 0], [1, 2]], covariances=[[2, 1], [1, 3]], priors=["1/4", "3/4"], costs=[[0, 2], [7, 0]],
                arithmetic="decimal:30").fit()  # fmt: skip
    P, p = rule.misclassification_probabilities_, rule.priors_
    assert abs(rule.expected_cost_ - (2 * P[0][1] * p[1] + 7 * P[1][0] * p[0])) * 10**28 < 1


def test_unequal_variances_have_two_cuts():
    """N(0, 1) against N(4, 9): the wider class also gets what lies far on the other side  [FISHER-UNEQ.P1] [M-X8]."""
    rule = Rule(means=[0, 4], covariances=[1, 9]).fit()
    assert rule.predict([[-3], [0], [1.67], [1.68]]) == [1, 0, 0, 1]
    assert rule.expected_cost_ < 0.13307


def test_exact_arithmetic_decides_and_refuses_to_integrate():
    """Labels and ties are exact; Φ is refused  [UNCLASS.P1]."""
    rule = Rule(means=[0, 2], covariances=1, arithmetic="exact").fit()
    assert rule.ties([["1"], ["1.0000000001"]]) == [[0, 1], [1]] and rule.predict([["1"]]) == [0]
    for ask in (
        lambda: rule.misclassification_probabilities_,
        lambda: rule.expected_cost_,
    ):
        with pytest.raises(NotExact):
            ask()
    assert rule.log_determinants_ == [0, 0]
    with pytest.raises(NotExact):
        _ = Rule(means=[0, 2], covariances=2, arithmetic="exact").fit().log_determinants_
    assert rule.condition_ == Fraction(1)


def test_labels_name_the_classes():
    """Labels given to fit name the classes in class order, and must be as many as means."""
    rule = Rule(means=[[0, 0], [4, 4]], covariances=[[1, 0], [0, 1]])
    assert rule.fit([[0, 0], [4, 4]], ["low", "high"]).predict([[0, 1], [4, 3]]) == ["high", "low"]
    with pytest.raises(InvalidInput, match="labels of 2 classes"):
        rule.fit(y=[1, 2, 3])
    with pytest.raises(InvalidInput, match="2 numbers"):
        rule.fit([[1]])


def test_posteriors_are_those_of_the_densities():
    """At the midpoint of equal classes the posterior is the prior."""
    rule = Rule(means=[[0, 0], [2, 2]], covariances=[[1, 0], [0, 1]], priors=[0.25, 0.75]).fit()
    (p,) = rule.predict_proba([[1, 1]])
    assert abs(p[0] - 0.25) < 1e-15 and abs(rule.decision_function([[1, 1]])[0] - 1.0986122886681098) < 1e-15


def test_one_covariance_or_one_for_each_class():
    """A common matrix and K copies of it are the same rule; scalars do on the line."""
    S = [[2, 1], [1, 3]]
    a, b = (Rule(means=[[0, 0], [1, 2]], covariances=c).fit() for c in (S, [S, S]))
    points = [[0.3, 0.4], [1, 1], [-2, 5]]
    assert a.predict(points) == b.predict(points) and a.covariances_ == b.covariances_
    line = [Rule(means=m, covariances=c).fit() for m, c in (([0, 1], [[2]]), ([[0], [1]], 2), ([0, 1], [2, 2]))]
    assert line[0].covariances_ == line[1].covariances_ == line[2].covariances_ == [[[2.0]], [[2.0]]]


@pytest.mark.parametrize(
    ("means", "covariances", "error"),
    [
        ([0], 1, InvalidInput),
        ([0, 1], [1, 2, 3], InvalidInput),
        ([[0, 0], [1, 1]], [[1, 0]], InvalidInput),
        ([[0, 0], [1, 1]], [[1, 2], [0, 1]], InvalidInput),
        ([[0, 0], [1, 1]], [[[1, 0], [0, 1]]] * 3, InvalidInput),
        ([[0, 0], [1, 1]], "x", InvalidInput),
        ([0, 1], -1, NoAnswer),
        ([0, 1], 0, NoAnswer),
        ([[0, 0], [1, 1]], [[1, 1], [1, 1]], NoAnswer),
        ("ab", 1, InvalidInput),
    ],
)
def test_parameters_that_are_no_normals_are_refused(means, covariances, error):
    """Means and covariances must fit, and covariances be positive definite."""
    with pytest.raises(error):
        Rule(means=means, covariances=covariances).fit()


def test_where_no_closed_form_is_known_it_says_so():
    """Three classes in the plane: labels yes, integrals no."""
    rule = Rule(means=[[0, 0], [1, 0], [0, 1]], covariances=[[1, 0], [0, 1]]).fit()
    assert rule.predict([[2, 0]]) == [1]
    with pytest.raises(NoAnswer, match="3 classes in 2 variables"):
        _ = rule.expected_cost_


def test_no_linear_rule_errs_less_than_the_optimum():
    """The actual error rate of the optimal plane is the optimum; of any other it is larger, and the midpoint of unequal
    variances has .13762, their crossing .13307  [RISK-ACTUAL.P1] [M-X8]."""
    rule = Rule(means=[[0, 0], [2, 1]], covariances=[[1, 0.3], [0.3, 2]]).fit()
    best = rule.expected_cost_
    beta = [3.7 / 1.91, 0.4 / 1.91]  # Σ⁻¹(μ₂ − μ₁)
    half = -(beta[0] * 1 + beta[1] * 0.5)
    assert abs(rule.actual_error(beta, half) - best) < 1e-14
    assert all(
        rule.actual_error([beta[0] + a, beta[1] + b], half + c) > best
        for a, b, c in ((0.1, 0, 0), (0, 0.2, 0), (0, 0, 0.1))
    )
    line = Rule(means=[0, 4], covariances=[1, 9]).fit()
    assert round(line.actual_error([1], -2), 5) == 0.13762 and round(line.actual_error([1], -1.672988), 5) == 0.13307


def test_an_estimated_rules_actual_rate_is_what_many_new_rows_show():
    """Linear discriminants of forty rows: the share of errors on 20,000 new rows is within three standard errors
    [RISK-ACTUAL.P2]."""
    rng = Random(3)

    def drawn(n):
        rows = [[rng.gauss(2 * k, 1), rng.gauss(k, 1)] for k in (0, 1) for _ in range(n)]
        return rows, [0] * n + [1] * n

    model = LinearDiscriminantAnalysis(priors=[0.5, 0.5]).fit(*drawn(20))
    beta, beta0 = model.coef_[-1], model.intercept_[-1]
    if len(model.coef_) == 2:
        beta = [b - a for a, b in zip(*model.coef_)]
        beta0 = model.intercept_[1] - model.intercept_[0]
    rule = Rule(means=[[0, 0], [2, 1]], covariances=[[1, 0], [0, 1]]).fit()
    actual = rule.actual_error(beta, beta0)
    Z, truth = drawn(10000)
    share = sum(a != b for a, b in zip(model.predict(Z), truth)) / 20000
    assert rule.expected_cost_ < actual and abs(share - actual) < 3 * (actual * (1 - actual) / 20000) ** 0.5


@pytest.mark.parametrize(
    "seed", [0, pytest.param(3, marks=pytest.mark.slow), pytest.param(5, marks=pytest.mark.thorough)]
)
@pytest.mark.parametrize("offset, unit", [(10**3, 1), (10**9, 10**6), (-(10**6), Fraction(1, 10**6))])
def test_probabilities_are_the_same_about_every_origin_and_in_every_unit(seed, offset, unit):
    """Those of intervals between classes up to 1000 deviations apart, whose ends bisection finds beside the means."""
    rng = Random(seed)
    K, apart = 2 + seed % 3, rng.choice([3, 1000])
    means = [Fraction(round(100 * rng.gauss(0, apart)), 100) for _ in range(K)]
    variances, priors = [rng.choice([1, 4, 100]) for _ in means], [Fraction(1 + k, K * (K + 1) // 2) for k in range(K)]
    costs = [[0 if i == j else rng.choice([1, 2, 5]) for j in range(K)] for i in range(K)] if seed % 2 else None
    rule = Rule(
        means=[offset + unit * m for m in means],
        covariances=[unit**2 * v for v in variances],
        priors=priors,
        costs=costs,
    ).fit()
    own = Rule(means=means, covariances=variances, priors=priors, costs=costs, arithmetic="decimal:30").fit()
    marks = sorted(m + Fraction(t, 2) * isqrt(v) for m, v in zip(means, variances) for t in range(-30, 31))
    said = own.predict([[x] for x in marks])
    ends, kept = [], [said[0]]
    for a, b, left, right in zip(marks, marks[1:], said, said[1:]):
        while left != right and b - a > Fraction(1, 10**9):
            middle = (a + b) / 2
            a, b = (middle, b) if own.predict([[middle]]) == [left] else (a, middle)
        if left != right:
            ends, kept = [*ends, a], [*kept, right]
    laws = [NormalDist(float(m), isqrt(v)) for m, v in zip(means, variances)]
    for j, law in enumerate(laws):
        below = [0.0, *(law.cdf(float(e)) for e in ends), 1.0]
        for i in range(K):
            mass = sum(hi - lo for lo, hi, d in zip(below, below[1:], kept) if d == i)
            assert abs(rule.misclassification_probabilities_[i][j] - mass) < 1e-8
    assert rule.certificate_.status == "within roundoff"


def posterior(x, priors, means, variances):
    """Return the posteriors of normal densities in one variable, from fractions, exponentials of 60 digits."""
    with localcontext() as context:
        context.prec = 60
        logs = []
        for pi, m, v in zip(priors, means, variances):
            square = (Fraction(x) - Fraction(m)) ** 2 / Fraction(v) / 2
            exponent = Decimal(square.numerator) / Decimal(square.denominator)
            logs.append(Decimal(pi).ln() - Decimal(v).ln() / 2 - exponent)
        weights = [(v - max(logs)).exp() for v in logs]
        return [Fraction(w / sum(weights)) for w in weights]


@pytest.mark.parametrize("seed", range(examples(30)))
def test_posteriors_have_ten_digits_far_from_zero(seed):
    """Of means about 10⁹ to 10¹⁵ that differ by some deviations, of one variance or of several: labels, too."""
    r = Random(seed)
    K, about, unit = r.choice([2, 3]), r.choice([0, 1e9, 1e12, 1e15]), r.choice([1.0, 2.0, 1e4])
    means = [about + unit * r.uniform(-9, 9) for _ in range(K)]
    variances = [unit * unit * r.choice([1, 4, 1 / 16]) for _ in range(K)]
    variances = variances if r.random() < 0.5 else variances[:1] * K
    rule = Rule(means=means, covariances=variances if len(set(variances)) > 1 else variances[0]).fit()
    points = [*means, *(m + unit for m in means)]
    said = rule.predict_proba([[x] for x in points])
    for x, own, label in zip(points, said, rule.predict([[x] for x in points])):
        want = posterior(x, [1 / K] * K, means, variances)
        assert max(abs(Fraction(p) - q) for p, q in zip(own, want)) < Fraction(1, 10**9)
        assert want[label] > max(want) - Fraction(1, 10**9)


@pytest.mark.parametrize("arithmetic", ["float", "decimal:20"])
def test_rows_beyond_the_numbers_are_refused_with_costs_too(arithmetic):
    """Scores that are infinite, or no numbers, are compared by no costs."""
    rule = Rule(means=[5e-07, 0.01], covariances=1e-12, costs=[[0, 1e-3], [2, 0]], arithmetic=arithmetic)
    if arithmetic != "float":
        assert rule.fit().predict([[0.0], [1e300]]) == [0, 1]
        return
    with pytest.raises(InvalidInput, match="within the range of numbers.*row=1"):
        rule.fit().predict([[0.0], [1e300]])


@pytest.mark.parametrize("arithmetic", ["float", "decimal:30"])
@pytest.mark.parametrize("variance", [4, 9, 16])
@pytest.mark.parametrize("mean", ["0", "0.1", "1000000000"])
def test_parabolas_that_touch_leave_a_class_nothing(arithmetic, variance, mean):
    """One mean, and priors in proportion to the standard deviations: log-densities are equal at one point alone."""
    narrow = Fraction(1, 1 + isqrt(variance))
    given = {"means": [[mean], [mean]], "covariances": [[[1]], [[variance]]], "priors": [narrow, 1 - narrow]}
    rule = Rule(**given, arithmetic=arithmetic).fit()
    assert rule.misclassification_probabilities_ == [[0, 0], [1, 1]]
    assert abs(rational(rule.expected_cost_) - narrow) < Fraction(1, 10**15)
    assert rule.certificate_.status in ("optimal", "within roundoff")


def test_parabolas_that_nearly_touch_leave_it_what_they_do():
    """A prior larger by 10⁻ᵉ has an interval of ±√(2δ·4/3), δ its log-odds, of probability 2δ′/√(2π), to 14 digits."""
    for e in (12, 20, 30):
        more = Fraction(1, 3) + Fraction(1, 10**e)
        rule = Rule(means=[[0], [0]], covariances=[[[1]], [[4]]], priors=[more, 1 - more]).fit()
        delta = float(Fraction(9, 2) / 10**e)  # log (π₁/π₂) + log 2, to first order
        want = 2 * sqrt(delta * 8 / 3) / sqrt(2 * pi)
        assert abs(rule.misclassification_probabilities_[0][0] / want - 1) < 1e-10
        assert rule.certificate_.status == "within roundoff"


def nearly_singular(seed):
    """Return means and covariances of two classes, of columns that depend on each other but for their last digits."""
    r = Random(seed)
    p, noise = r.choice([2, 3]), 10.0 ** r.choice([-5, -7, -8])
    rows = [[r.gauss(0, 1) for _ in range(p - 1)] for _ in range(8)]
    columns = list(zip(*[[*x, sum(x) + noise * r.gauss(0, 1)] for x in rows]))
    sigma = [[sum(map(mul, a, b)) / 8 for b in columns] for a in columns]
    return [[r.gauss(0, 1) for _ in range(p)] for _ in range(2)], sigma


@pytest.mark.parametrize("seeds", [range(6), pytest.param(range(300), marks=pytest.mark.thorough)])
def test_covariances_that_are_nearly_singular_are_decided_in_fractions(seeds):
    """There is a rule where fractions find a positive definite covariance, that of 200 digits; else a witness."""
    refused = 0
    for seed in seeds:
        means, sigma = nearly_singular(seed)
        exact = [[Fraction(v) for v in row] for row in sigma]
        try:
            rule = Rule(means=means, covariances=sigma).fit()
        except NoAnswer as refusal:
            v = refusal.witness.get("null_vector", refusal.witness.get("direction"))
            assert sum(a * b * c for a, row in zip(v, exact) for b, c in zip(row, v)) <= 0
            refused += 1
            continue
        want = Rule(means=means, covariances=exact, arithmetic="decimal:200").fit()
        points = [means[0], [(a + b) / 2 + 1e-3 for a, b in zip(*means)]]
        for name in ("decision_function", "predict_proba"):
            near = [getattr(model, name)(points) for model in (rule, want)]
            assert near[0] == [pytest.approx(list(map(float, v)) if isinstance(v, list) else float(v), rel=1e-9)
                               for v in near[1]]  # fmt: skip
        assert rule.log_determinants_ == pytest.approx(list(map(float, want.log_determinants_)), rel=1e-9)
        assert rule.expected_cost_ == pytest.approx(float(want.expected_cost_), rel=1e-9, abs=1e-300)
    assert refused < len(seeds)
