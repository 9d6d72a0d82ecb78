import random
from fractions import Fraction

import pytest

from refclass import SVC, SVMPath
from refclass.errors import InvalidInput, NoAnswer, NotConverged, NotExact
from refclass.linear.vector import Vector
from refclass.margins.svm import certificate
from refclass.margins.svm.soft import Machine
from tests.hunt import test_paths as paths

X = [[4, 1], [1, 3], [0, 2], [3, 3], [2, -1], [-1, 1], [0, 0], [1, 1], [-2, 3]]
y = ["b", "b", "b", "b", "b", "a", "a", "a", "a"]


@pytest.mark.parametrize("kernel", ["linear", {"name": "polynomial", "degree": 2, "c": 1}])
def test_a_machine_of_the_path_is_the_classifier_of_its_cost(kernel):
    """at(λ) equals SVC with C = 1/λ, attribute by attribute, exactly [OPT-PATH.P2] [ESL-12.25]."""
    whole = SVMPath(kernel=kernel, arithmetic="exact").fit(X, y)
    for lam in (Fraction(1, 5), Fraction(2), whole.lambdas_[0] * 2):
        along = whole.at(lam)
        alone = SVC(C=1 / lam, kernel=kernel, arithmetic="exact").fit(X, y)
        assert along.objective_ == alone.objective_ == along.dual_objective_
        assert along.intercept_interval_ == alone.intercept_interval_
        assert along.decision_function(X) == alone.decision_function(X)
        assert along.certificate_.status == "optimal" and along.certificate_.gap == 0
        assert along.classes_ == ["a", "b"] and along.predict(X) == alone.predict(X)


def test_the_classifier_of_the_path_has_every_attribute_of_a_fitted_one():
    """What SVC.fit sets, at(λ) sets [ESL-12.34]."""
    machine = SVMPath().fit(X, y).at(0.5)
    for name in SVC.fitted:
        assert hasattr(machine, name)
    assert machine.C == 2 and machine.get_params()["kernel"] == "linear"


def test_the_three_arithmetics_agree():
    """Floats, fractions and decimals see the same events at the same λ [ESL-12.3.5-path]."""
    exact = SVMPath(arithmetic="exact").fit(X, y)
    floats, digits = SVMPath().fit(X, y), SVMPath(arithmetic="decimal:30").fit(X, y)
    assert exact.events_ == floats.events_ == digits.events_
    assert all(abs(float(a) - b) <= 1e-12 * b for a, b in zip(exact.lambdas_, floats.lambdas_))
    assert all(abs(a - Fraction(b)) <= a / 10**25 for a, b in zip(exact.lambdas_, digits.lambdas_))


def test_a_gaussian_kernel_in_exact_arithmetic_is_taken_at_its_binary_values():
    """The path of that Gram matrix is exact [OPT-PATH.P1]."""
    whole = SVMPath(kernel={"name": "gaussian", "gamma": 1}, arithmetic="exact").fit(X, y)
    assert all(type(lam) is Fraction for lam in whole.lambdas_)
    assert whole.at(whole.lambdas_[3]).certificate_.gap == 0


def test_a_precomputed_gram_matrix_gives_the_same_path():
    """The path needs the kernel's values only [ESL-12.34]."""
    G = [[sum(a * b for a, b in zip(u, v)) for v in X] for u in X]
    plain, given = SVMPath().fit(X, y), SVMPath(kernel="precomputed").fit(G, y)
    assert plain.lambdas_ == given.lambdas_ and plain.alphas_ == given.alphas_


@pytest.mark.parametrize("lam", [0, -1, float("nan"), float("inf"), "one"])
def test_a_lambda_that_is_no_positive_number_is_refused(lam):
    """λ is a finite number > 0 [ESL-12.25]."""
    with pytest.raises(InvalidInput, match="λ"):
        SVMPath().fit(X, y).at(lam)


def test_before_fit_there_is_no_machine():
    """at needs a fitted path [ESL-12.25]."""
    with pytest.raises(InvalidInput, match="fit"):
        SVMPath().at(1)


@pytest.mark.parametrize("labels, complaint", [(["a"] * 9, "two classes"), (list("abcabcabc"), "two classes")])
def test_other_than_two_classes_are_refused(labels, complaint):
    """The path is that of a two-class machine [ESL-12.3.5-path]."""
    with pytest.raises(InvalidInput, match=complaint):
        SVMPath().fit(X, labels)


def far(seed):
    """A few points far from the origin, on columns of other scales, in copies, or on a line."""
    chance = random.Random(seed)
    n, d = chance.choice([3, 5, 8]), chance.choice([1, 2])
    rows = [[chance.gauss(0, 1) for _ in range(d)] for _ in range(n)]
    offset, scale = chance.choice([(0, 1), (1e6, 1), (1e9, 1), (0, 1e6), (1e6, 1e-3)])
    rows = [[offset + v * scale ** (k + 1) for k, v in enumerate(x)] for x in rows]
    if chance.random() < 0.3:
        rows[-1] = rows[0]
    return rows, [k % 2 for k in range(n)], chance.choice(["linear", {"name": "polynomial", "degree": 2, "c": 1}])


def both(seed):
    """The path of those points in fractions, and in doubles; None where doubles hold no digit of its first break point,
    where `SVC` has the same refusal."""
    rows, labels, kernel = far(seed)
    exact = SVMPath(kernel=kernel, arithmetic="exact").fit(rows, labels)
    try:
        return exact, SVMPath(kernel=kernel).fit(rows, labels)
    except NotConverged as refusal:
        bounds, lam = refusal.witness, exact.lambdas_[0]
        assert abs(Fraction(bounds["lam"]) - lam) <= lam / 10**9
        assert bounds["dual"] <= exact.at(bounds["lam"]).objective_ <= bounds["primal"]
        with pytest.raises(NotConverged):
            SVC(C=1 / float(lam), kernel=kernel).fit(rows, labels)
        return exact, None


@pytest.mark.parametrize("seed", range(12))
def test_doubles_find_the_break_points_that_fractions_find(seed):
    """Far from the origin, on mixed scales and with copies: the same break points, each to nine digits
    [ESL-12.3.5-path] [OPT-PATH.P2]."""
    exact, rounded = both(seed)
    if rounded is not None:
        close = lambda a, b: abs(Fraction(a) - Fraction(b)) <= Fraction(b) / 10**9  # noqa: E731
        down = [b for b in exact.lambdas_ if b >= Fraction(rounded.least_lambda_) * (1 - Fraction(1, 10**9))]
        assert all(any(close(a, b) for b in down) for a in rounded.lambdas_)
        assert all(any(close(a, b) for a in rounded.lambdas_) for b in down)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_what_the_path_returns_is_proven_or_as_good_as_doubles_can_tell(seed):
    """Nine digits, or within one of those that the exact optimum has when it is rounded; where that is less than one
    digit it is refused, as `SVC` does [ESL-12.14] [ESL-12.16]."""
    (rows, labels, kernel), (exact, rounded) = far(seed), both(seed)
    for lam in (exact.lambdas_[0] * 2, exact.lambdas_[0] / 3, exact.lambdas_[-1]) if rounded else ():
        cost = 1 / float(lam)
        best = exact.at(1 / Fraction(cost))
        try:
            digits = rounded.at(float(lam)).certificate_.digits
            assert best.objective_ <= rounded.at(float(lam)).certificate_.primal
        except NotConverged as refusal:
            digits = 0
            assert refusal.witness["dual"] <= best.objective_ <= refusal.witness["primal"]
            with pytest.raises(NotConverged):
                SVC(C=cost, kernel=kernel).fit(rows, labels)
        if digits < 9:
            held = certificate.certify(
                Machine(rounded._model.held, rounded._model.y, (cost,) * len(labels)),
                Vector([float(a) for a in best.alpha_]),
                float(best.intercept_[0]),
            )
            assert digits >= held.digits - 1


def test_points_far_from_the_origin_have_their_break_point():
    """Three points at 10⁶ in a polynomial kernel: a break point at 2.2·10¹², where doubles alone see another, and the
    machine of λ = 0.001 is proven to the digits that it is rounded to, beside the exact optimum [ESL-12.14]."""
    chance = random.Random(2)
    rows = [[1e6 + chance.gauss(0, 1)] for _ in range(3)]
    whole = SVMPath(kernel={"name": "polynomial", "degree": 2, "c": 1}).fit(rows, [0, 1, 0])
    assert whole.lambdas_ == [2237515220113.6646]
    found = whole.at(1e-3).certificate_
    best = SVC(C=1000, kernel={"name": "polynomial", "degree": 2, "c": 1}, arithmetic="exact").fit(rows, [0, 1, 0])
    exact = Fraction(best.objective_)
    assert found.ceiling >= found.digits >= 9
    assert found.dual <= exact <= found.primal <= exact * (1 + Fraction(1, 10**9))


@pytest.mark.parametrize("kernel", ["linear", {"name": "gaussian", "gamma": 1}])
def test_the_path_as_its_paper_states_it_is_that_of_the_engine(kernel):
    """solver="hastie" has the same λ, multipliers and intercepts, exactly, for classes of equal size; in doubles λ to
    ten digits [ESL-12.3.5-path] [OPT-PATH.P1]."""
    engine, page = [SVMPath(kernel=kernel, solver=s, arithmetic="exact").fit(X[1:], y[1:]) for s in ("auto", "hastie")]
    assert (page.lambdas_, page.alphas_, page.intercepts_) == (engine.lambdas_, engine.alphas_, engine.intercepts_)
    rounded = SVMPath(kernel=kernel, solver="hastie").fit(X[1:], y[1:])
    assert all(abs(Fraction(a) - b) <= b / 10**10 for a, b in zip(rounded.lambdas_, engine.lambdas_))
    assert rounded.at(0.5).certificate_.status == "optimal"
    with pytest.raises(InvalidInput, match="solver"):
        SVMPath(solver="lars").fit(X, y)


@pytest.mark.parametrize("lam", [1e-12, 1e-9, 1e-3])
@pytest.mark.parametrize("rows", [[[-1e6, 6e5], [5e5, 6e5]], [[-1.4e6, 6e5], [6.5e5, 7.7e5], [5e5, 5.8e5]]])
def test_a_kernel_of_doubles_is_followed_to_tiny_penalties(rows, lam):
    """A Gaussian kernel of points on columns of other scales: nine digits, or the ceiling [ESL-12.14] [ESL-12.16]."""
    labels = [0] * (len(rows) - 1) + [1]
    proof = SVMPath(kernel={"name": "gaussian", "gamma": "scale"}).fit(rows, labels).at(lam).certificate_
    assert proof.digits >= 9 or proof.digits >= proof.ceiling - 1


@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:30"])
def test_a_lost_path_of_an_indefinite_kernel_is_refused_alike_in_every_arithmetic(arithmetic):
    """Thin-plate splines: NoAnswer with a direction Σ dᵢ = 0 of negative curvature, in decimals too."""
    chance = random.Random(1)
    rows = [[chance.randint(-4, 4), chance.randint(-3, 3)] for _ in range(8)]
    with pytest.raises(NoAnswer, match="positive semidefinite") as refusal:
        SVMPath(kernel={"name": "thin_plate", "sigma": 1}, arithmetic=arithmetic).fit(rows, [i % 2 for i in range(8)])
    assert sum(refusal.value.witness["direction"]) == 0


def test_a_path_in_an_indefinite_kernel_is_stationary_as_far_as_it_is_reported_or_refused():
    """No fit returns a path whose certificate says that it is none, or does not say where it ends."""
    kernel = {"name": "sigmoid", "a": 1, "b": 1}
    for seed in range(5, 8):
        r = random.Random(seed)
        X = [[r.gauss(0, 1.5), r.gauss(0, 1.5)] for _ in range(8)]
        found = SVMPath(kernel=kernel).fit(X, [1, -1] * 4)
        assert found.certificate_.status == "stationary"
        assert found.least_lambda_ == found.lambdas_[-1] and "no break points" in found.certificate_.premise
    r = random.Random(8)
    with pytest.raises(NoAnswer, match="path of stationary points"):
        SVMPath(kernel=kernel).fit([[r.gauss(0, 1.5), r.gauss(0, 1.5)] for _ in range(8)], [1, -1] * 4)


@pytest.mark.parametrize(("seed", "delivered"), [(49, True), (177, True), (100, False)])
def test_a_machine_of_which_the_path_holds_no_digit_is_trained_by_itself(seed, delivered):
    """Polynomial kernels far from the origin, λ far below the break points: nine digits, within a digit of the ceiling,
    or bounds that agree; before, refused with bounds 10¹⁶ times each other."""
    kernel, X, y = paths.path(seed)
    path = SVMPath(kernel=kernel).fit(X, y)
    if delivered:
        assert path.at(1).certificate_.digits >= 8.8
        return
    with pytest.raises(NotConverged) as refused:
        path.at(1)
    primal, dual = (refused.value.witness[name] for name in ("primal", "dual"))
    assert 0 <= primal - dual <= primal / 10**9


def test_a_first_break_point_beyond_the_range_is_refused_as_such():
    """Of columns of 10⁻¹⁵⁵ λ is denormal and 1/λ no double; decimals, and the columns times 2⁴⁰, have a path."""
    rows, labels = [[1.8e-155, -2e-156], [1.4e-155, 7e-156], [-1.1e-155, 3e-156], [5e-156, -5e-156]], [0, 1, 0, 1]
    with pytest.raises(NotExact, match="within the range"):
        SVMPath().fit(rows, labels)
    for arithmetic, unit in (("decimal:30", 1), ("float", 2**40)):
        found = SVMPath(arithmetic=arithmetic).fit([[unit * v for v in x] for x in rows], labels)
        assert found.certificate_.digits > 9
