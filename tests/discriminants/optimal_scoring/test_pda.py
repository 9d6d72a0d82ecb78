"""Penalised discriminants: a ridge regression, a Rayleigh quotient, and a Mahalanobis distance that say the same."""

from dataclasses import replace
from fractions import Fraction
from inspect import unwrap

import pytest
from hypothesis import given

from refclass import PenalizedDiscriminantAnalysis
from refclass.discriminants.gaussian import lda
from refclass.discriminants.optimal_scoring import fda, pda
from refclass.errors import InvalidInput, NoAnswer, NotConverged, NotExact
from refclass.linear import canon
from refclass.linear.eigen import one_sided_jacobi
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.regress.linear import least_squares, ridge
from refclass.sample import covariance
from refclass.sample.indicator import indicator
from refclass.sample.mean import class_means
from tests.discriminants.optimal_scoring.test_fda import spread
from tests.discriminants.samples import PLANE, apart, exact, few, matrix, multiple, over, regular, vector
from tests.numbers import STRICT
from tests.strategies import semidefinite

D = decimal(40)
LAM = Fraction(3, 2)
# Three classes in four variables, of sizes 4, 3, 3: curves at four places.
CURVES = exact(
    [[0, 1, 3, 4], [1, 1, 2, 5], [0, 2, 2, 3], [1, 0, 4, 4], [3, 3, 1, 0], [4, 2, 2, 1], [3, 4, 0, 1], [2, 6, 5, 1],
     [1, 5, 6, 2], [2, 5, 4, 0]],
    list("aaaabbbccc"),
)  # fmt: skip
ROUGH = pda.adjacent(4, 2, Fraction)
FLAT = exact(*PLANE)


def given_options(F, **more):
    """Return λ and Ω over a field."""
    omega = Matrix([[F.lift(v) for v in row] for row in ROUGH])
    return {"penalty": F.lift(LAM), "omega": omega, **more}


@few
@given(regular(classes=3, p=2), semidefinite(2, 1))
def test_regression_and_distance_give_the_same_scores(sample, omega):
    """Σ wₗ(βₗᵀh − βₗᵀh̄ₖ)² is (h − h̄ₖ)ᵀ(Σ_W + (λ/n)Ω)⁻¹(h − h̄ₖ) but for what is the same for all classes,
    exactly, for any Ω ⪰ 0  [PDA-DIST.P1] [FDA-WEIGHTS.P1] [YANG-pda] [YANG-pda-distance] [RC-9] [ERR-YANG-11].
    """
    apart(sample)
    by_regression = pda.fit(RATIONAL, sample, penalty=LAM, omega=omega)
    by_distance = pda.penalised(RATIONAL, sample, penalty=LAM, omega=omega)
    for x in [*sample.X, vector(9, -4)]:
        assert not any(spread(by_regression.exponents(x), by_distance.exponents(x)))
    assert by_regression.classify(sample.X) == by_distance.classify(sample.X)


def test_the_bare_residual_gives_another_distance():
    """With r² = RSS/n in place of 1 − μ the weighted distance is not the penalised one  [FDA-WEIGHTS.P1] [ERR-YANG-12]
    [YANG-connection-with-lda].
    """
    sample, options = over(D, CURVES), given_options(D)
    model, rule = pda.fit(D, sample, **options), pda.penalised(D, sample, **options)
    target = indicator(sample) @ model.optimal.theta
    missed = target - model.coordinates(sample.X)
    bare = [column @ column / sample.n for column in missed.T]
    wrong = replace(model, weights=Vector([1 / (r * (1 - r)) for r in bare]))
    x = sample.X[7]
    far = rule.exponents(x).largest()
    assert all(near(D, v, D.kind(0), far, 1000) for v in spread(model.exponents(x), rule.exponents(x)))
    assert max(abs(v) for v in spread(wrong.exponents(x), rule.exponents(x))) > far / 100


def test_the_slides_scaling_is_another_distance():
    """Σ_W + λΩ in place of Σ_W + (λ/n)Ω shifts classes differently: the printed distance belongs to another λ
    [ERR-YANG-11] [YANG-pda-distance].
    """
    model = pda.fit(RATIONAL, CURVES, penalty=LAM, omega=ROUGH)
    printed = pda.penalised(RATIONAL, CURVES, penalty=10 * LAM, omega=ROUGH)
    right = pda.penalised(RATIONAL, CURVES, penalty=LAM, omega=ROUGH)
    x = CURVES.X[2]
    assert any(spread(model.exponents(x), printed.exponents(x)))
    assert not any(spread(model.exponents(x), right.exponents(x)))


def test_a_centroid_is_the_mean_of_h_and_not_h_of_the_mean():
    """For h(x) = (x, x²) the class mean of h is not h(μ̂); only the first makes the distance that of the regression
    [ERR-YANG-13] [YANG-pda-distance].
    """
    points = [[0], [1], [3], [2], [4], [7], [5], [8]]
    labels = [0, 0, 0, 1, 1, 1, 0, 1]
    wide = exact([[x, x * x] for (x,) in points], labels)
    narrow = class_means(exact(points, labels))
    model = pda.fit(RATIONAL, wide, penalty=LAM)
    known = pda.penalised_metric(RATIONAL, wide, penalty=LAM)
    means, of_means = class_means(wide), Matrix([[m, m * m] for (m,) in narrow])
    assert means != of_means
    for h in wide.X:
        right, wrong = (Vector([known.squared(h - c) / -2 for c in centres]) for centres in (means, of_means))
        assert not any(spread(model.exponents(h), right))
        assert any(spread(model.exponents(h), wrong))


def test_without_a_penalty_it_is_flexible():
    """λ = 0: flexible discriminants on h, the same scores, exactly  [PDA-CRIT.P1] [RC-8]."""
    none = pda.fit(RATIONAL, FLAT, penalty=Fraction(0))
    linear = lda.fit(RATIONAL, FLAT, divisor="n")
    plain = fda.fit(RATIONAL, FLAT, least_squares.fit)
    for x in FLAT.X:
        assert none.exponents(x) == plain.exponents(x)
        assert not any(spread(none.exponents(x), linear.exponents(x)))


def test_coefficients_solve_the_penalised_equations():
    """βₗ = (HᵀH + λΩ)⁻¹HᵀYΘₗ with centred h  [PDA-CRIT.P2] [YANG-pda]."""
    sample, options = over(D, CURVES), given_options(D)
    model = pda.fit(D, sample, **options)
    centre = sum(sample.X[1:], sample.X[0]) / sample.n
    H = Matrix([x - centre for x in sample.X])
    A = H.T @ H + options["penalty"] * options["omega"]
    B = model.regression.coefficients @ model.optimal.theta
    want = H.T @ (indicator(sample) @ model.optimal.theta)
    assert (A @ B - want).largest() < D.lift(Fraction(1, 10**36))


def test_the_objective_is_what_the_eigenvalues_leave():
    """(1/n) Σₗ [‖YΘₗ − ηₗ‖² + λβₗᵀΩβₗ] = Σ (1 − μₗ), and other coefficients pay more  [PDA-CRIT.P3] [YANG-pda]."""
    sample, options = over(D, CURVES), given_options(D)
    model = pda.fit(D, sample, **options)
    target = indicator(sample) @ model.optimal.theta
    turned = ridge.fit(D, sample.X, target, **options)
    paid = ridge.objective(sample.X, target, turned, **options) / sample.n
    assert near(D, paid, sum(1 - mu for mu in model.optimal.values), steps=100)
    worse = replace(turned, coefficients=turned.coefficients + turned.coefficients / 1000)
    assert ridge.objective(sample.X, target, worse, **options) / sample.n > paid


@pytest.mark.parametrize("divisor", ["n", "n-k"])
def test_the_rayleigh_problem_has_the_same_directions(divisor):
    """max uᵀΣ_Bu, uᵀ(Σ_W + λ_mΩ)u = 1 has u parallel to β with λ_m = λ/n for W/n, λ/(n − K) for W/(n − K); with λ
    itself it has other ones  [PDA-RQ.P1] [YANG-pda-rayleigh] [ERR-YANG-11].
    """
    sample, options = over(D, CURVES), given_options(D)
    model = pda.fit(D, sample, **options)
    B = model.regression.coefficients @ model.optimal.theta
    found = pda.rayleigh(D, sample, divisor=divisor, **options)
    printed = pda.rayleigh(D, sample, **{**options, "penalty": sample.n * options["penalty"]})
    for b, u, v in zip(B.T, found.vectors.T, printed.vectors.T):
        assert near(D, cosine(b, u), D.kind(1), steps=100)
        assert cosine(b, v) < 1 - D.lift(Fraction(1, 1000))
    if divisor == "n":
        assert all(near(D, d, mu / (1 - mu), steps=100) for d, mu in zip(found.eigenvalues, model.optimal.values))
        assert (found.vectors - canon.signs(pda.directions(D, model))).largest() < D.lift(Fraction(1, 10**34))


def cosine(a, b):
    """Return |cos| of the angle between two directions."""
    return abs(a @ b) / (D.sqrt(a @ a) * D.sqrt(b @ b))


def test_a_large_penalty_leaves_euclidean_centroids():
    """λ → ∞ with Ω = I: labels are those of the nearest class mean in Euclidean distance (classes of equal prior)
    [PDA-DIST.P2] [YANG-pda-distance].
    """
    priors = Vector([Fraction(1, 3)] * 3)
    model = pda.fit(RATIONAL, CURVES, penalty=Fraction(10**9), priors=priors)
    means = class_means(CURVES)
    nearest = []
    for x in CURVES.X:
        squares = [(x - m) @ (x - m) for m in means]
        nearest.append(squares.index(min(squares)))
    assert model.classify(CURVES.X) == nearest
    x = CURVES.X[0]
    order = sorted(range(3), key=model.exponents(x).__getitem__, reverse=True)
    assert order == sorted(range(3), key=lambda k: (x - means[k]) @ (x - means[k]))


def test_rough_coordinates_weigh_less():
    """Σ_W = I, Ω = diag(ω): coordinate j weighs 1/(1 + λ_mω_j), less the rougher  [PDA-SMOOTH.P1] [YANG-pda-smooth]."""
    corners = [[a, b] for a in (-1, 1) for b in (-1, 1)]
    sample = exact([*corners, *([a + 3, b + 1] for a, b in corners)], [0] * 4 + [1] * 4)
    assert covariance.pooled(sample, "n") == matrix([1, 0], [0, 1])
    known = pda.penalised_metric(RATIONAL, sample, penalty=Fraction(8), omega=matrix([1, 0], [0, 5]))
    assert known.squared(vector(1, 0)) == Fraction(1, 2) > known.squared(vector(0, 1)) == Fraction(1, 6)


def test_rough_combinations_weigh_less():
    """Σ_W = I, Ω not diagonal: the same along its eigenvectors  [PDA-SMOOTH.P2] [YANG-pda-smooth]."""
    corners = [[a, b] for a in (-1, 1) for b in (-1, 1)]
    sample = exact([*corners, *([a + 3, b + 1] for a, b in corners)], [0] * 4 + [1] * 4)
    omega = matrix([2, 1], [1, 2])
    known = pda.penalised_metric(RATIONAL, sample, penalty=Fraction(8), omega=omega)
    for u, value in ((vector(1, 1), 3), (vector(1, -1), 1)):
        assert multiple(omega @ u, u) and known.squared(u) / (u @ u) == Fraction(1, 1 + value)


def test_roughness_of_adjacent_coordinates_spares_straight_lines():
    """βᵀΩβ is the sum of squared second differences; straight coefficients are free, and smoother ones win
    [PDA-SMOOTH] [YANG-pda].
    """
    line, bent = vector(1, 3, 5, 7), vector(1, 3, 2, 7)
    assert line @ (ROUGH @ line) == 0 and bent @ (ROUGH @ bent) == 9 + 36
    jagged, smooth = (pda.fit(D, over(D, CURVES), **given_options(D, penalty=D.lift(v))) for v in (0, 100))
    rough = []
    for model in (jagged, smooth):
        u = pda.directions(D, model).T[0]
        rough.append(u @ (given_options(D)["omega"] @ u) / (u @ u))
    assert rough[1] < rough[0]


def test_a_penalty_that_rewards_roughness_is_refused_with_the_direction():
    """Ω with a negative eigenvalue: the witness v has vᵀΩv < 0; roundoff of a semidefinite one is forgiven."""
    wrong = matrix([1, 2], [2, 1])
    with pytest.raises(NoAnswer, match="semidefinite") as refusal:
        pda.fit(RATIONAL, FLAT, penalty=LAM, omega=wrong)
    v = refusal.value.witness["direction"]
    assert v @ (wrong @ v) < 0
    tenth = Vector([0.1, 0.2, 0.3])
    outer = Matrix.outer(tenth, tenth)
    assert pda.semidefinite(BINARY64, outer) == outer
    assert min(one_sided_jacobi.factor(BINARY64, outer).eigenvalues) < 1e-15
    with pytest.raises(NoAnswer):
        pda.semidefinite(BINARY64, outer - 1e-9 * Matrix.identity(3, float))
    with pytest.raises(InvalidInput):
        pda.semidefinite(RATIONAL, matrix([1, 2], [0, 1]))


def test_more_variables_than_points_need_a_penalty():
    """XᵀX singular: refused with λ = 0 by a null vector, answered with λ > 0 [ESL-12.4-prototype]."""
    wide = exact([[1, 2, 3, 5], [2, 1, 0, 1], [4, 4, 1, 2]], [0, 0, 1])
    with pytest.raises(NoAnswer) as refusal:
        pda.fit(RATIONAL, wide, penalty=Fraction(0))
    v = refusal.value.witness["null_vector"]
    assert any(v) and all((x - wide.X[0]) @ v == 0 for x in wide.X)
    assert pda.fit(RATIONAL, wide, penalty=Fraction(1)).classify(wide.X) == [0, 0, 1]


def test_scores_are_linear_functions():
    """Directions and constants give the exponents, but for a shift, at any point."""
    model = pda.fit(RATIONAL, CURVES, penalty=LAM, omega=ROUGH)
    directions, constants = pda.linear(model)
    for x in [*CURVES.X, vector(9, 8, -7, 6)]:
        assert not any(spread(model.exponents(x), directions @ x + constants))


@pytest.mark.parametrize("F", [RATIONAL, BINARY64, D])
def test_the_proof_covers_ridge_and_scores(F):
    """Exact answers are solved; a coefficient that is off, or another λ, is found."""
    sample, options = over(F, CURVES), given_options(F)
    model = pda.fit(F, sample, **options)
    proof = pda.certify(sample, model, **options)
    assert proof.worst_violation <= 1000 * F.eps and (proof.status == "optimal") is F.exact
    assert (
        pda.certify(sample, model, **{**options, "penalty": 2 * options["penalty"]}).where
        == "the equations of the ridge"
    )


def test_a_divisor_that_is_none_is_refused():
    """Divisors are n and n − K; variates need roots."""
    with pytest.raises(InvalidInput):
        pda.penalised_metric(RATIONAL, FLAT, penalty=LAM, divisor="n-1")
    with pytest.raises(NotExact):
        pda.directions(RATIONAL, pda.fit(RATIONAL, FLAT, penalty=LAM))


def test_no_float_slips_into_the_penalty():
    """The fit runs on fractions that refuse floats."""
    sample = over(STRICT, CURVES)
    model = pda.fit(STRICT, sample, **given_options(STRICT))
    assert model.classify(sample.X) == pda.fit(RATIONAL, CURVES, penalty=LAM, omega=ROUGH).classify(CURVES.X)


@pytest.mark.parametrize("arithmetic", ["float", "decimal:30"])
def test_scores_lost_in_roundoff_are_not_said_to_be_none(arithmetic):
    """Columns of 10⁻¹²⁰ under a penalty of 1: few digits do not converge, and the fit has the answer from more."""
    rows, labels = [[1, 2], [2, 1], [3, 5], [4, 4], [5, 9], [7, 8]], [0, 0, 0, 1, 1, 1]
    small = [[v * 1e-120 for v in row] for row in rows]
    asked = PenalizedDiscriminantAnalysis(penalty=1, arithmetic=arithmetic)
    with pytest.raises(NotConverged, match="smaller penalty"):
        unwrap(PenalizedDiscriminantAnalysis.fit)(asked, small, labels)
    exact = PenalizedDiscriminantAnalysis(penalty=1, arithmetic="exact").fit(small, labels)
    assert exact.certificate_.status == "optimal"
    assert float(asked.fit(small, labels).eigenvalues_[0]) == pytest.approx(float(exact.eigenvalues_[0]), rel=1e-12)
    with pytest.raises(NoAnswer):
        PenalizedDiscriminantAnalysis(penalty=1, arithmetic=arithmetic).fit(rows + rows, [0] * 6 + [1] * 6)
