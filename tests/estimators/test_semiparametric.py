"""Machines with polynomials beside the kernel that cost nothing."""

from fractions import Fraction
from random import Random
from time import process_time

import pytest

from refclass import (
    HuberRegression,
    KernelClassifier,
    KernelRidge,
    PolynomialRegression,
    SemiparametricClassifier,
    SemiparametricRegression,
    SmoothingSpline,
)
from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.estimators.protocol.certificates.claimed import Reported
from refclass.optimise.active_set.kkt_adjugate import Adjugate

X = [[0, 1], [1, 0], [2, 2], [3, 1], [4, 4], [5, 2], [2, 5], [1, 3]]
LABELS = [1, -1, 1, -1, 1, 1, -1, 1]
NUMBERS = [0, 2, 1, 5, 3, 8, 1, 4]
PLATE = {"name": "thin_plate", "sigma": 1}
RULED = {"penalty": "1/3", "arithmetic": "exact"}


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "squared"])
def test_a_constant_alone_is_an_intercept(loss):
    """Degree 0 is the machine with an intercept, function for function: equal with == [ESL-12.30] [ESL-12.25]
    [PSEM-NULL.P1]."""
    one = SemiparametricClassifier(loss=loss, kernel="spline", degree=0, **RULED).fit(X, LABELS)
    two = KernelClassifier(loss=loss, kernel="spline", **RULED).fit(X, LABELS)
    assert one.objective_ == two.objective_ and one.certificate_.gap == 0
    if loss != "hinge":
        assert one.decision_function(X) == two.decision_function(X)


def test_regressions_with_a_constant_alone_are_those_of_the_kernel():
    """The squared loss with λ is ridge regression with λ/2 [ERR-ESL-07]; Huber's is Huber's [ESL-12.45] [ESL-12.36]."""
    ours = SemiparametricRegression(degree=0, **RULED).fit(X, NUMBERS)
    ridge = KernelRidge(kernel="spline", penalty="1/6", arithmetic="exact").fit(X, NUMBERS)
    assert ours.predict(X) == ridge.predict(X) and ours.objective_ == ridge.objective_
    ours = SemiparametricRegression(loss={"name": "huber", "c": 1}, degree=0, **RULED).fit(X, NUMBERS)
    assert ours.objective_ == HuberRegression(c=1, kernel="spline", **RULED).fit(X, NUMBERS).objective_


def test_one_variable_with_lines_free_is_the_smoothing_spline():
    """Squared loss, the spline's kernel, {1, x} unpenalised: the cubic smoothing spline, exactly, wherever the kernel
    begins [ESL-12.30] [ESL-12.3.3-additive] [K-ADDSPLINE.P2] [PSEM-NULL.P2]."""
    points, y = [[v] for v in (0, 1, 3, 4, 6, 7)], [0, 2, 1, 4, 3, 5]
    spline = SmoothingSpline(penalty="1/6", arithmetic="exact").fit(points, y)
    for start in (0, -5):
        ours = SemiparametricRegression(kernel={"name": "spline", "start": start}, **RULED).fit(points, y)
        assert ours.predict(points) == spline.predict(points)


@pytest.mark.parametrize("kernel", ["spline", PLATE])
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "huberised_hinge", "squared"])
def test_the_coefficients_are_contrasts(kernel, loss):
    """Σ cᵢ = Σ cᵢxᵢ = 0, and no gap: also for the thin plate, a kernel on contrasts only [ESL-12.30] [K-TPS.P1]
    [MMST-T11.1] [PSEM-NULL.P3]."""
    m = SemiparametricClassifier(loss=loss, kernel=kernel, **RULED).fit(X, LABELS)
    moments = [sum(c * x for c, x in zip(m.coefficients_, column)) for column in ([1] * len(X), *zip(*X))]
    assert moments == [0, 0, 0] and any(m.coefficients_)
    assert m.certificate_.status == "optimal" and m.certificate_.gap == 0


def test_a_heavy_penalty_leaves_the_polynomial():
    """As λ grows the fit tends to least squares on the monomials: the distance falls as 1/λ [ESL-12.30]."""
    plane = PolynomialRegression(degree=1, arithmetic="exact").fit(X, NUMBERS).predict(X)

    def away(penalty):
        m = SemiparametricRegression(kernel="spline", penalty=penalty, arithmetic="exact").fit(X, NUMBERS)
        return max(abs(a - b) for a, b in zip(m.predict(X), plane))

    assert 0 < away(10**9) < Fraction(11, 100) * away(10**8)


def test_polynomials_of_the_degree_are_fitted_without_cost():
    """Responses that are a quadratic polynomial leave no residual and no penalty at degree 2  [ESL-12.30]."""
    y = [1 + x - 2 * z + x * z + 3 * z * z for x, z in X]
    m = SemiparametricRegression(kernel=PLATE, degree=2, arithmetic="exact").fit(X, y)
    assert m.objective_ == 0 and m.support_ == [] and m.polynomial_ == [1, 1, -2, 0, 1, 3]
    assert m.predict(X) == y


@pytest.mark.parametrize(
    "loss", ["squared", {"name": "huber", "c": 1}, {"name": "epsilon_insensitive", "epsilon": "1/10"}]
)
def test_doubles_are_proven(loss):
    """Thirty random points in doubles: the rounded optimum is proven to nine digits, and a changed coefficient is
    noticed [ESL-12.30]."""
    r = Random(3)
    rows = [[r.gauss(0, 1), r.gauss(0, 1)] for _ in range(30)]
    y = [x * z + r.gauss(0, 0.1) for x, z in rows]
    m = SemiparametricRegression(loss=loss, kernel=PLATE, penalty=0.01).fit(rows, y)
    assert m.certificate_.status == "optimal" and m.score(rows, y) > 0.9
    again = SemiparametricRegression(loss=loss, kernel=PLATE, penalty=0.01).fit(rows, y)
    again.polynomial_[0] += 1e-6
    assert again.certificate_.status != "optimal"


def test_a_polynomial_is_no_optimum_of_responses_beside_it():
    """Least squares on the line, of responses 10⁻⁷ from it, costs hundreds of times the optimum: no digit of it."""
    r, points = Random(1), [[i] for i in range(12)]
    y = [1 + 2 * i + 1e-7 * r.gauss(0, 1) for (i,) in points]
    fit = SemiparametricRegression(kernel="spline", penalty=1e-3).fit(points, y)
    line = PolynomialRegression(degree=1).fit(points, y)
    claim = SemiparametricRegression(kernel="spline", penalty=1e-3)
    claim.claim(points, y, Reported({"coefficients": [0] * 12, "polynomial": [line.predict([[0]])[0], 2]}))
    assert fit.certificate_.status == "optimal" and claim.objective_ > 100 * fit.objective_
    assert claim.certificate_.status == "not converged" and claim.certificate_.digits == 0


@pytest.mark.parametrize("loss", ["epsilon_insensitive", "squared"])
def test_an_optimum_of_zero_has_the_scale_of_zero(loss):
    """Responses on a line, and a slope that misses it by 10⁻¹²: a part of what f = 0 costs  [ESL-12.30]."""
    points = [[i] for i in range(6)]
    claim = SemiparametricRegression(loss={"name": loss, **({"epsilon": 0} if "eps" in loss else {})}, kernel="spline")
    claim.claim(
        points, [1 + 2 * i for (i,) in points], Reported({"coefficients": [0] * 6, "polynomial": [1, 2 + 1e-12]})
    )
    assert claim.certificate_.dual == 0 < claim.certificate_.primal and claim.certificate_.digits > 10


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "huberised_hinge"])
def test_doubles_have_the_support_of_fractions(loss):
    """Fifteen random points: the multipliers that are zero in doubles are those that are zero exactly [ESL-12.30]."""
    r = Random(5)
    rows = [[r.gauss(0, 1), r.gauss(0, 1)] for _ in range(15)]
    labels = [1 if x + z * z + r.gauss(0, 0.5) > 0.7 else -1 for x, z in rows]
    ours, exactly = (SemiparametricClassifier(loss=loss, arithmetic=a).fit(rows, labels) for a in ("float", "exact"))
    assert ours.support_ == exactly.support_ and ours.certificate_.digits > 13


@pytest.mark.parametrize("seed", range(4))
def test_exact_optima_are_solved_from_the_active_set_of_doubles(seed, monkeypatch):
    """One exact system, and no step of the active-set method in fractions, which took as many as there are points."""
    monkeypatch.setattr(Adjugate, "pivot", None)
    rng = Random(seed)
    rows = [[rng.gauss(0, 1) for _ in range(2)] for _ in range(14)]
    for kind, y in ((SemiparametricClassifier, LABELS), (SemiparametricRegression, NUMBERS)):
        assert kind(arithmetic="exact").fit(rows, [*y, *y[:6]]).certificate_.gap == 0


def test_weights_are_copies():
    """A weight of 2 is a point twice, a weight of 0 a point less [ESL-12.30]."""
    one = SemiparametricClassifier(loss="squared_hinge", **RULED).fit(X, LABELS, sample_weight=[1, 2, 1, 1, 0, 1, 1, 1])
    two = SemiparametricClassifier(loss="squared_hinge", **RULED)
    kept = [i for i in range(8) if i != 4]
    two.fit([*[X[i] for i in kept], X[1]], [*[LABELS[i] for i in kept], LABELS[1]])
    assert one.decision_function(X) == two.decision_function(X) and one.objective_ == two.objective_


@pytest.mark.parametrize(
    ("change", "kind", "line"),
    [
        ({"degree": -1}, InvalidInput, "semiparametric_classifier: need degree an integer ≥ 0; got -1"),
        ({"loss": "deviance"}, InvalidInput, "need a loss among hinge, squared_hinge, huberised_hinge, squared"),
        ({"kernel": PLATE, "degree": 0}, NoAnswer, "negative curvature"),
        ({"degree": 3}, NoAnswer, "need points at which no function of the null space vanishes everywhere"),
    ],
)
def test_what_cannot_be_is_refused(change, kind, line):
    """Parameters out of range, a kernel that is not positive on the contrasts, polynomials that vanish [ESL-12.30]."""
    with pytest.raises(kind) as refusal:
        SemiparametricClassifier(**change).fit(X, LABELS)
    assert line in str(refusal.value)


def test_an_optimum_of_which_doubles_hold_no_digit_is_refused_with_its_value():
    """Columns at 10⁹ and thin plates: the objective of 10⁻¹² was returned in doubles with no digit of it."""
    spread = ((0.1, 0.3), (0.7, -1.2), (-0.4, 0.8), (0.9, 2.1), (-1.3, -0.6), (0.2, 1.7), (-0.8, -1.9), (1.4, 0.5))
    far, labels = [[1e9 + u, 1e6 * v] for u, v in spread], [0, 1, 0, 1, 1, 0, 1, 0]
    with pytest.raises(NotConverged, match="digits") as refusal:
        SemiparametricClassifier(kernel=PLATE).fit(far, labels)
    best = SemiparametricClassifier(kernel=PLATE, arithmetic="exact").fit(far, labels).objective_
    assert refusal.value.witness["dual"] == refusal.value.witness["primal"] == best


def test_an_optimum_of_which_doubles_hold_few_digits_says_its_ceiling():
    """Responses of 10¹⁵, points 10⁻⁶ and 10⁻¹⁵ apart: a digit in doubles, 40 in decimals, no ceiling in fractions."""
    X, y = [[-1.03], [-1.03 - 1e-15], [-1.49], [-1.4900014], [-1.33]], [1e15 + i for i in range(5)]
    machine = SemiparametricRegression(penalty=1e-9, kernel={"name": "laplacian", "sigma": 10}, degree=1)
    for arithmetic in ("float", "decimal:40"):
        proof = machine.set_params(arithmetic=arithmetic).fit(X, y).certificate_
        assert 1 <= proof.digits == proof.ceiling
    assert machine.set_params(arithmetic="exact").fit(X, y).certificate_.ceiling is None


@pytest.mark.long
def test_columns_at_both_ends_of_the_doubles_are_solved_in_time():
    """Numbers of 3,500 bits: p-adic systems of each working set took minutes; the dense method takes a second."""
    r = Random(7)
    x = [[1e155 * r.gauss(0, 1), 1e-155 * r.gauss(0, 1)] for _ in range(12)]
    began = process_time()
    try:
        assert SemiparametricClassifier().fit(x, [0, 1] * 6).certificate_.digits >= 1
    except NotConverged as refusal:
        assert refusal.witness["primal"] >= refusal.witness["dual"]
    assert process_time() - began < 20
