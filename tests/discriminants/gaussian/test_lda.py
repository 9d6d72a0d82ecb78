"""Linear discriminants, exact on fractions."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from refclass.discriminants.decision import power_diagram
from refclass.discriminants.gaussian import bayes, cutpoint, fisher, lda, qda
from refclass.errors import NoAnswer
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import THRESHOLD, near
from refclass.sample import covariance, data, gaussian, metric
from refclass.sample.mean import class_means
from refclass.sample.observations import Sample
from tests.discriminants.samples import PLANE, apart, exact, few, matrix, multiple, over, regular, vector
from tests.numbers import STRICT
from tests.strategies import fractions, positive, semidefinite, vectors

KINDS = st.integers(2, 4).flatmap(lambda K: regular(classes=K))


@st.composite
def populations(draw, p=2):
    """Two different means and a regular covariance over the fractions."""
    mean1, mean2 = draw(vectors(p)), draw(vectors(p))
    assume(mean1 != mean2)
    return mean1, mean2, metric.factor(RATIONAL, draw(semidefinite(p, p)) + Matrix.identity(p, Fraction))


def test_the_model_agrees_with_paper():
    """Points 0, 2 and 6, 8: π̂ = ½, μ̂ = 1 and 7, Σ̂ = 2, log-odds x·6/2 − ½·3·8 = 3x − 12
    [ESL-4.11] [ESL-4.3-pooled].
    """
    model = lda.fit(RATIONAL, exact([[0], [2], [6], [8]], list("aabb")))
    assert model.metric.matrix == matrix([2]) and model.means == matrix([1], [7])
    assert model.priors == vector("1/2", "1/2")
    assert lda.log_odds(model) == (vector(3), -12)
    assert model.decide(vector(4)).classes == (0, 1) and model.predict(vector(5)) == 1
    assert model.predict(vector(4), tie=lambda classes: None) is None


@few
@given(KINDS, st.data())
def test_common_covariances_make_quadratic_discriminants_linear(sample, more):
    """δₖ − δₗ is that of the quadratic rule when all covariances are Σ̂, and the labels are the same
    [LDA-K.P1] [QDA.P1] [ESL-4.9] [ESL-4.10].
    """
    model = lda.fit(RATIONAL, sample)
    same = qda.rule(RATIONAL, model.priors, model.means, [model.metric] * sample.K)
    x = more.draw(vectors(sample.p))
    r, q = model.exponents(x), same.exponents(x)
    assert all(r[k] - r[0] == q[k] - q[0] for k in range(sample.K))
    assert model.decide(x) == same.decide(x)


@few
@given(regular(), st.data())
def test_two_classes_are_the_estimated_two_class_rule(sample, more):
    """K = 2: the decision is L(x) > log(p₂/p₁) with unit costs and p̂ₖ = nₖ/n, L with the first class first
    [LDA-K.P2] [TH-KIM-2.1.3] [KIM-Thm2.1.3] [KIM-2.27] [ESL-4.11].
    """
    model = lda.fit(RATIONAL, sample)
    x = more.draw(vectors(sample.p))
    L = bayes.linear(x, model.means[0], model.means[1], model.metric)
    F = decimal(40)
    threshold = F.log(F.lift(model.priors[1] / model.priors[0]))
    if F.lift(L) - threshold > F.lift("1e-30"):
        assert model.predict(x) == 0
    elif threshold - F.lift(L) > F.lift("1e-30"):
        assert model.predict(x) == 1


@few
@given(KINDS, st.data())
def test_boundaries_are_affine(sample, more):
    """rₖ − rₗ at a point between two others is that combination of its values there  [LDA-K.P3] [LDA-POST.P2]."""
    model = lda.fit(RATIONAL, sample)
    x, z, t = more.draw(vectors(sample.p)), more.draw(vectors(sample.p)), more.draw(fractions)
    between = model.exponents(t * x + (1 - t) * z)
    assert between == t * model.exponents(x) + (1 - t) * model.exponents(z)


@few
@given(KINDS, st.data())
def test_the_printed_discriminants_differ_by_a_shift(sample, more):
    """xᵀΣ̂⁻¹μ̂ₖ − ½ μ̂ₖᵀΣ̂⁻¹μ̂ₖ, as the book writes it, differs from rₖ(x) by the same amount for all k  [ESL-4.10]."""
    model = lda.fit(RATIONAL, sample)
    x = more.draw(vectors(sample.p))
    shift = model.discriminants(x) - model.exponents(x)
    assert len(set(shift)) == 1


@few
@given(populations(), st.data())
def test_known_parameters_give_the_population_rule(known, more):
    """Fed the true parameters the rule is that of the populations: L(x) against the threshold
    [PLUGIN.P1] [LDA-2EST.P2].
    """
    mean1, mean2, shared = known
    half = vector("1/2", "1/2")
    model = lda.rule(RATIONAL, half, Matrix([mean1, mean2]), shared)
    x = more.draw(vectors(2))
    L = bayes.linear(x, mean1, mean2, shared)
    assert model.decide(x).classes == ((0,) if L > 0 else (1,) if L < 0 else (0, 1))


@few
@given(regular(), st.data())
def test_swapping_class_names_flips_the_rule(sample, more):
    """With the classes' names swapped L changes its sign, and the threshold, too: labels stay  [LDA-2EST.P1]."""
    swapped = exact(sample.X, [1 - g for g in sample.labels])
    x = more.draw(vectors(sample.p))
    model, other = lda.fit(RATIONAL, sample), lda.fit(RATIONAL, swapped)
    assert lda.log_odds(other) == (-lda.log_odds(model)[0], -lda.log_odds(model)[1])
    assert other.decide(x).classes == tuple(sorted(1 - k for k in model.decide(x).classes))


@few
@given(regular(), st.data())
def test_equal_priors_cut_at_the_midpoint(sample, more):
    """With the product of ratios 1 the rule is Fisher's midpoint allocation
    [LDA-2MID.P1] [FISHER-ALLOC.P1] [TH-KIM-2.2.2] [KIM-Thm2.2.2] [KIM-2.28] [KIM-2.29] [KIM-2.30] [KIM-2.34]
    [KIM-2.35].
    """
    model = lda.fit(RATIONAL, sample, priors=vector("1/2", "1/2"))
    apart(sample)
    rule = fisher.allocation(model.means, model.metric)
    x = more.draw(vectors(sample.p))
    assert rule.decide(x) == model.decide(x)
    d, c = lda.log_odds(model)
    assert rule == cutpoint.Rule(d, -c)


@few
@given(KINDS, st.data())
def test_the_nearest_centroid_view_decides_alike(sample, more):
    """argmin of the distance minus 2 log πₖ is the decision; with equal priors the nearest centroid in Mahalanobis's
    metric
    [LDA-CENTROID.P1] [LDA-CENTROID.P2] [CENTROID-SUBSPACE.P1].
    """
    x = more.draw(vectors(sample.p))
    model = lda.fit(RATIONAL, sample)
    assert model.weighing.decide(model.distances(x) / -2) == model.decide(x)
    even = lda.fit(RATIONAL, sample, priors=fisher.equal_priors(sample))
    d = even.distances(x)
    assert even.decide(x).classes == tuple(k for k, v in enumerate(d) if v == min(d))


@pytest.mark.parametrize("F", [BINARY64, decimal(30)], ids=lambda F: F.name)
def test_sphered_data_have_the_identity_and_the_same_labels(F):
    """The pooled covariance of x* = D^(−1/2)Uᵀx is I, and the nearest sphered mean minus 2 log π is the decision
    [LDA-SPHERE.P1] [LDA-SPHERE.P2] [ESL-4.3.2-sphere].
    """
    sample = data.read(F, *PLANE)
    model = lda.fit(F, sample)
    white, centres = lda.sphered(F, model)
    X = Matrix([white @ x for x in sample.X])
    sphered = Sample(X, sample.labels, sample.classes, sample.weights)
    S = covariance.pooled(sphered)
    assert all(near(F, S[i][j], F.kind(int(i == j)), F.kind(1), 30) for i in range(2) for j in range(2))
    for x, z in zip(sample.X, X):
        d = Vector([(z - c) @ (z - c) for c in centres])
        assert model.weighing.decide(d / -2) == model.decide(x)


@pytest.mark.parametrize("F", [RATIONAL, BINARY64, decimal(20)], ids=lambda F: F.name)
def test_a_singular_covariance_is_refused_unless_the_pseudo_inverse_is_asked_for(F):
    """Collinear points have a null vector as witness; with the pseudo-inverse the rule is that of the line they lie on
    [LDA-SPHERE.P3].
    """
    line = [[0, 0], [1, 2], [5, 10], [7, 14]]
    sample = data.read(F, line, list("aabb"))
    with pytest.raises(NoAnswer, match="positive definite covariance; got a singular one") as refusal:
        lda.fit(F, sample)
    v = refusal.value.witness["null_vector"]
    assert near(F, v[0], -2 * v[1], steps=10) and any(v)
    model = lda.fit(F, sample, pseudo_inverse=True)
    alone = lda.fit(F, data.read(F, [[x[0]] for x in line], list("aabb")))
    for x in sample.X:
        got, want = model.exponents(x), alone.exponents(Vector([x[0]]))
        assert near(F, got[1] - got[0], want[1] - want[0], F.kind(50), 20)


@few
@given(regular(p=2), st.lists(fractions, min_size=4, max_size=4), st.lists(fractions, min_size=2, max_size=2))
def test_affine_maps_move_the_rule_as_they_must(sample, entries, shift):
    """x → A x + b with a regular A: exponents at mapped points are those at the points, up to their common shift
    [LDA-2POP.P3] [QDA.P3].
    """
    A = Matrix([entries[:2], entries[2:]])
    assume(fraction_free.determinant(A) != 0)
    moved = exact([A @ x + Vector(shift) for x in sample.X], sample.labels)
    here, there = lda.fit(RATIONAL, sample), lda.fit(RATIONAL, moved)
    for x in sample.X:
        assert here.exponents(x) == there.exponents(A @ x + Vector(shift))


@few
@given(regular(classes=3), st.data())
def test_integer_weights_are_repeated_rows_to_the_rule(sample, more):
    """A fit with integer weights is the fit of the repeated rows: parameters, directions, priors, for both divisors."""
    w = [more.draw(st.integers(1, 3)) for _ in sample.labels]
    weighted = exact(sample.X, sample.labels, w)
    rows = [i for i, c in enumerate(w) for _ in range(c)]
    repeated = exact([sample.X[i] for i in rows], [sample.labels[i] for i in rows])
    for divisor in ("n-k", "n"):
        a, b = (lda.fit(RATIONAL, s, divisor=divisor) for s in (weighted, repeated))
        assert (a.priors, a.means, a.directions, a.constants) == (b.priors, b.means, b.directions, b.constants)


@few
@given(regular(), positive)
def test_under_equal_priors_the_divisor_does_not_matter(sample, t):
    """Labels under equal priors are those of any divisor: a factor on Σ̂ scales all exponents."""
    half = vector("1/2", "1/2")
    a, b = (lda.fit(RATIONAL, sample, priors=half, divisor=d) for d in ("n-k", "n"))
    assert all(a.decide(x) == b.decide(x) for x in sample.X)
    assert multiple(a.directions[0], b.directions[0]) or not any(a.directions[0])


@few
@given(populations(), st.data())
def test_costs_and_priors_enter_through_their_product(known, more):
    """L(x) > log[(c(1|2)/c(2|1))(p₂/p₁)] gives class 1; a product of 5 shifts the threshold by log 5 exactly
    [COST-RATIO.P2] [KIM-Thm2.1.2] [KIM-2.18] [KIM-2.19].
    """
    mean1, mean2, shared = known
    means = Matrix([mean1, mean2])
    x = more.draw(vectors(2))
    by_cost = lda.rule(RATIONAL, vector("1/2", "1/2"), means, shared, matrix([0, 5], [1, 0]))
    by_prior = lda.rule(RATIONAL, vector("1/6", "5/6"), means, shared)
    assert by_cost.decide(x) == by_prior.decide(x)
    F = decimal(40)
    gap = F.lift(bayes.linear(x, mean1, mean2, shared)) - F.log(F.kind(5))
    if abs(gap) > F.lift("1e-30"):
        assert by_cost.predict(x) == (0 if gap > 0 else 1)


def test_posteriors_are_those_of_gaussian_densities():
    """exp δₖ/Σ exp δₗ is πₖfₖ/Σ πₗfₗ with normal densities  [LDA-POST.P1] [YANG-estimation-lda] [ERR-YANG-19]."""
    F = decimal(40)
    model = lda.fit(F, data.read(F, *PLANE))
    for x in map(Vector, [[F.lift(v) for v in x] for x in ([1, 1], [4, 4], [-3, 9])]):
        joint = [pi * gaussian.density(F, x, mu, model.metric) for pi, mu in zip(model.priors, model.means)]
        assert all(near(F, p, j / sum(joint), F.kind(1), 60) for p, j in zip(model.posterior(x), joint))


@few
@given(KINDS)
def test_decisions_by_rows_are_decisions_one_by_one(sample):
    """`classify` says of many rows what `decide` says of each, in floats, too."""
    for F in (RATIONAL, BINARY64):
        s = over(F, sample)
        model = lda.fit(F, s)
        assert model.classify(s.X) == [model.decide(x).classes[0] for x in s.X]


def test_half_way_between_two_means_rows_are_decided_as_one_by_one():
    """1 is half way between the means 1/3 and 5/3: a tie in fractions, and one decision of `classify` and `decide` in
    floats.
    """
    sample = exact([[0], [0], [1], [-1], [3], [3], [0], [0], [0]], [0, 0, 0, 1, 1, 1, 2, 2, 2])
    assert lda.fit(RATIONAL, sample).decide(vector(1)).classes == (0, 1)
    for F in (RATIONAL, BINARY64):
        s = over(F, sample)
        model = lda.fit(F, s)
        assert model.classify(s.X) == [model.decide(x).classes[0] for x in s.X]
        assert model.classify(s.X)[2] == 0


def test_parameters_are_counted():
    """(K − 1)(p + 1): 6 for K = 3, p = 2, 110 for K = 11, p = 10; (K − 1) times the dimension of polynomials of
    degree 1
    [PARAM-COUNT.P1] [PARAM-COUNT.P2] [M-PARAM] [ESL-4.3-parameters].
    """
    assert lda.parameters(3, 2) == 6 and lda.parameters(11, 10) == 110
    assert all(lda.parameters(K, p) == (K - 1) * (1 + p) for K in range(2, 6) for p in range(1, 6))


def quadratic(sample):
    """Return the sample in the quadratic expansion."""
    return exact([lda.expansion(x) for x in sample.X], sample.labels)


INSIDE = [[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [2, 1]]
OUTSIDE = [[3, 0], [0, 3], [-3, 1], [1, -3], [2, 2], [-2, 2], [-2, -3]]
CONIC = exact([*INSIDE, *OUTSIDE], [0] * 7 + [1] * 7)


@few
@given(vectors(2), vectors(2), st.integers(-5, 5), st.integers(1, 5))
def test_in_the_quadratic_expansion_boundaries_are_conics(x, d, a, h):
    """Along any line the log-odds are a polynomial of degree two: third differences vanish
    [LDA-QUADBASIS.P1] [ESL-4.3-expansion] [ESL-4.3-boundary].
    """
    model = lda.fit(RATIONAL, quadratic(CONIC))
    f = [lda.log_odds(model)[0] @ lda.expansion(x + Fraction(a + k * h) * d) for k in range(4)]
    assert f[3] - 3 * f[2] + 3 * f[1] - f[0] == 0


@few
@given(st.lists(st.integers(-3, 3), min_size=25, max_size=25))
def test_recombined_features_decide_alike(entries):
    """An invertible recombination of the five features changes no log-odds  [LDA-QUADBASIS.P2]."""
    A = Matrix([[Fraction(v) for v in entries[i : i + 5]] for i in range(0, 25, 5)])
    assume(fraction_free.determinant(A) != 0)
    features = quadratic(CONIC)
    other = exact([A @ x for x in features.X], features.labels)
    here, there = lda.fit(RATIONAL, features), lda.fit(RATIONAL, other)
    assert all(here.exponents(x) == there.exponents(A @ x) for x in features.X)


def test_the_expansion_is_not_the_quadratic_rule():
    """LDA in the quadratic expansion and QDA are different rules: some log-odds differ
    [LDA-QUADBASIS.P3] [M-ESL-F4.6].
    """
    expanded, plain = lda.fit(RATIONAL, quadratic(CONIC)), qda.fit(RATIONAL, CONIC)
    lattice = [vector(i, j) for i in range(-4, 5) for j in range(-4, 5)]
    said = [(expanded.predict(lda.expansion(x)), plain.predict(x)) for x in lattice]
    assert any(a != b for a, b in said) and sum(a == b for a, b in said) > len(said) * 3 // 4


def test_a_far_point_moves_the_direction():
    """A correctly classified point moved outwards along its side changes the LDA direction (a support vector machine
    would
    not notice)  [LDA-VS-SVC.P1].
    """
    rows, labels = [[0, 0], [1, 2], [2, 1], [6, 5], [7, 8], [8, 6]], [0, 0, 0, 1, 1, 1]
    near_by = lda.log_odds(lda.fit(RATIONAL, exact(rows, labels)))[0]
    far = lda.log_odds(lda.fit(RATIONAL, exact([*rows[:5], [80, 6]], labels)))[0]
    assert not multiple(near_by, far)


def test_the_directions_are_certified():
    """Σ times each direction is μₖ − m up to roundoff, exactly on fractions."""
    assert lda.certify(lda.fit(RATIONAL, exact(*PLANE))) == {"Σ Σ⁻¹(μₖ − m) = μₖ − m": 0}
    ratio = lda.certify(lda.fit(BINARY64, data.read(BINARY64, *PLANE)))["Σ Σ⁻¹(μₖ − m) = μₖ − m"]
    assert 0 <= ratio <= THRESHOLD


def test_a_rule_meets_no_float():
    """Everything is made of numbers of the field."""
    sample = data.read(STRICT, *PLANE)
    model = lda.fit(STRICT, sample)
    reference = lda.fit(RATIONAL, exact(*PLANE))
    assert [[v.value for v in d] for d in model.directions] == [list(d) for d in reference.directions]
    assert model.classify(sample.X) == reference.classify(exact(*PLANE).X)


def test_the_rule_depends_on_moments_only():
    """The two-class rule depends on the data only through n₁, n₂, x̄₁, x̄₂ and S: another sample with the same moments
    has the same rule, one with another S has not  [LDA-2EST.P2].
    """
    a = exact([[-1], [-1], [1], [1], [10], [12]], [0, 0, 0, 0, 1, 1])
    b = exact([[0], [0], ["-7/5"], ["7/5"], ["109/10"], ["111/10"]], [0, 0, 0, 0, 1, 1])
    c = exact([[0], [0], [-1], [1], [9], [13]], [0, 0, 0, 0, 1, 1])
    assert class_means(a) == class_means(b) == class_means(c)
    same = covariance.pooled(a) == covariance.pooled(b)
    assert (lda.log_odds(lda.fit(RATIONAL, a)) == lda.log_odds(lda.fit(RATIONAL, b))) == same
    assert covariance.pooled(a) != covariance.pooled(c)
    assert lda.log_odds(lda.fit(RATIONAL, a)) != lda.log_odds(lda.fit(RATIONAL, c))


def test_known_means_far_from_zero_keep_the_digits_of_their_differences():
    """Means 10⁹ and 10⁹ + 1 with priors 0.1 and 0.9: μ₁ − m = −0.9 and μ₂ − m = 0.1 to the last digits  [ESL-4.10]."""
    priors, means = Vector([0.1, 0.9]), Matrix([[1e9], [1e9 + 1]])
    model = lda.rule(BINARY64, priors, means, metric.factor(BINARY64, Matrix([[1.0]])))
    assert near(BINARY64, model.away[0][0], -0.9) and near(BINARY64, model.away[1][0], 0.1, 1.0)


@pytest.mark.parametrize("turn", [1, -1])
def test_distances_leave_open_what_a_sum_of_products_may_round(monkeypatch, turn):
    """Beside the error of distances that of a sum of p products and two constants: (p + 4)u(‖w‖r + |c| + |log π|), both
    the largest over the classes, u = 2⁻⁵³; for one row as for many  [ESL-4.10]."""
    F, asked = BINARY64, []
    monkeypatch.setattr(power_diagram.Diagram, "largest", lambda own, rows, others: asked.append((own, others)) or [0])
    rows = [[turn * v, w] for v, w in ([0, 0], [1, 1], [0, 2], [5, 0], [6, 2], [7, 1], [-9, 4], [-8, 5])]
    model = lda.fit(F, data.read(F, rows, list("aaabbbcc")))
    logs = model.weighing.logs
    assert model._by_distances([Vector([1.0, 2.0])], logs) == [0]
    ((own, others),) = asked
    sizes = [Fraction(abs(c)) + Fraction(abs(v)) for c, v in zip(model.constants, logs)]
    assert min(model.constants) < -1 and len(set(sizes)) == 3
    steepest = max([sum(Fraction(v) ** 2 for v in w) for w in model.directions])
    assert abs(Fraction(own.size) - max(sizes)) < Fraction(1, 10**12)
    for r in (0.5, 3.0, 1e6):
        rounded = (Fraction(others(r)) * 2**53 / 6 - max(sizes)) / Fraction(r)
        assert abs(rounded**2 / steepest - 1) < Fraction(1, 10**9)


def test_directions_of_zero_leave_every_row_to_the_sums():
    """Equal means of two classes in floats: the sites of a power diagram have no scale  [ESL-4.10]."""
    F = BINARY64
    model = lda.fit(F, data.read(F, [[0, 0], [1, 0], [0, 1], [0, 0], [1, 0], [0, 1]], list("aaabbb")))
    assert model._by_distances([Vector([1.0, 2.0]), Vector([3.0, 4.0])], model.weighing.logs) == [None, None]
