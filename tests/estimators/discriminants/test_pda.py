"""PenalizedDiscriminantAnalysis."""

from fractions import Fraction

import pytest

from refclass import PenalizedDiscriminantAnalysis
from refclass.errors import InvalidInput, NoAnswer, NotExact
from tests.discriminants.optimal_scoring.test_pda import CURVES
from tests.discriminants.samples import PLANE

X, Y = PLANE
ROWS, LABELS = [list(x) for x in CURVES.X], [CURVES.classes[g] for g in CURVES.labels]


def test_what_is_fitted_is_there():
    """coef_ and intercept_ give the decision values, scalings_ the coordinates, and the certificate is near zero
    [YANG-pda] [YANG-pda-rayleigh].
    """
    model = PenalizedDiscriminantAnalysis(penalty=2, omega="roughness").fit(ROWS, LABELS)
    for x, f in zip(ROWS, model.decision_function(ROWS)):
        g = [sum(a * float(b) for a, b in zip(row, x)) + c for row, c in zip(model.coef_, model.intercept_)]
        shift = f[0] - g[0]
        assert all(abs(u - v - shift) < 1e-9 for u, v in zip(f, g))
    a, b = model.transform(ROWS[:2])
    for j in range(2):
        along = sum(float(u - v) * row[j] for u, v, row in zip(*ROWS[:2], model.scalings_))
        assert abs(a[j] - b[j] - along) < 1e-10
    assert model.certificate_.worst_violation < 1e-12 and 1 < model.degrees_of_freedom_ < 5


def test_two_classes_have_log_odds():
    """One row of coefficients; positive values mean classes_[1], as posteriors do."""
    model = PenalizedDiscriminantAnalysis(penalty=1).fit(X, ["b" if g else "a" for g in Y])
    (row,), (b,) = model.coef_, model.intercept_
    for x, f, p, label in zip(X, model.decision_function(X), model.predict_proba(X), model.predict(X)):
        assert abs(sum(u * v for u, v in zip(row, x)) + b - f) < 1e-10
        assert (f > 0) == (p[1] > 0.5) == (label == "b")


def test_penalties_have_names():
    """None and "identity" are one, "roughness" is the second differences, given as such or as a matrix."""
    same = [
        [PenalizedDiscriminantAnalysis(omega=o, arithmetic="exact").fit(ROWS, LABELS).coef_ for o in group]
        for group in (
            (None, "identity", [[int(i == j) for j in range(4)] for i in range(4)]),
            ("roughness", {"name": "differences", "order": 2},
             [[1, -2, 1, 0], [-2, 5, -4, 1], [1, -4, 5, -2], [0, 1, -2, 1]]),
            ({"name": "differences", "order": 1}, [[1, -1, 0, 0], [-1, 2, -1, 0], [0, -1, 2, -1], [0, 0, -1, 1]]),
        )
    ]  # fmt: skip
    assert all(found[0] == c for found in same for c in found) and len({str(found[0]) for found in same}) == 3


def test_exact_coefficients_and_refused_roots():
    """Coefficients are rational; variates and logarithms of unequal priors are refused when asked for."""
    model = PenalizedDiscriminantAnalysis(penalty=Fraction(1, 3), arithmetic="exact").fit(ROWS, LABELS)
    assert all(isinstance(v, Fraction) for row in model.coef_ for v in row)
    for name in ("scalings_", "intercept_", "eigenvalues_"):
        with pytest.raises(NotExact):
            getattr(model, name)
    assert model.certificate_.status == "optimal" and model.certificate_.worst_violation == 0
    even = PenalizedDiscriminantAnalysis(priors=[Fraction(1, 3)] * 3, arithmetic="exact").fit(ROWS, LABELS)
    assert all(isinstance(v, Fraction) for v in even.intercept_)


def test_fewer_coordinates_have_their_proof_too():
    """`reduced` keeps penalty and Ω; its coefficients have rank one, and its certificate is as near."""
    model = PenalizedDiscriminantAnalysis(penalty=2, omega="roughness").fit(ROWS, LABELS).reduced(1)
    rows = [[a - b for a, b in zip(row, model.coef_[0])] for row in model.coef_[1:]]
    assert all(abs(rows[0][i] * rows[1][j] - rows[0][j] * rows[1][i]) < 1e-9 for i in range(4) for j in range(4))
    assert model.certificate_.worst_violation < 1e-12 and len(model.eigenvalues_) == 1


def test_a_penalty_that_rewards_roughness_is_refused():
    """Ω with a negative direction, with that direction for witness."""
    with pytest.raises(NoAnswer) as refusal:
        PenalizedDiscriminantAnalysis(omega=[[1, 0], [0, -1]]).fit(X, Y)
    v = refusal.value.witness["direction"]
    assert v[0] ** 2 - v[1] ** 2 < 0


@pytest.mark.parametrize("wrong", [{"penalty": -1}, {"penalty": "a"}, {"omega": [[1, 2], [3, 4]]}, {"omega": [[1]]},
                                   {"omega": "smooth"}, {"omega": {"name": "differences", "order": 2}},
                                   {"omega": [[1, 0]]}, {"omega": "roughness"}, {"n_components": 5}])  # fmt: skip
def test_wrong_parameters_are_refused(wrong):
    """A negative λ, an Ω of another shape or that is not symmetric; differences need more coordinates."""
    with pytest.raises(InvalidInput):
        PenalizedDiscriminantAnalysis(**wrong).fit(X, Y)


def test_a_direction_left_open_is_refused():
    """More variables than points and no penalty on a direction: a null vector; with the identity there is an answer."""
    wide, labels = [[1, 2, 3, 5], [2, 1, 0, 1], [4, 4, 1, 2]], [0, 0, 1]
    with pytest.raises(NoAnswer):
        PenalizedDiscriminantAnalysis(penalty=0).fit(wide, labels)
    assert PenalizedDiscriminantAnalysis().fit(wide, labels).predict(wide) == labels
