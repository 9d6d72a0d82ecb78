"""Support vector regression as its users meet it."""

from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass import SVR
from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.number.binary64 import BINARY64
from refclass.number.tolerance import near
from tests.profiles import examples
from tests.strategies import positive

X = [[0, 0], [1, 0], [0, 2], [2, 2], [3, 1], [-1, 1], [2, 0], [1, 2]]
Y = [0, 1, 2, 5, 3, "1/2", 2, 4]
GAUSSIAN = {"name": "gaussian", "gamma": 1}
LOSSES = ("epsilon_insensitive", "squared_epsilon_insensitive", "quadratic_epsilon_insensitive")
kernels = pytest.mark.parametrize("kernel", ["linear", GAUSSIAN, {"name": "polynomial", "degree": 2, "c": 1}])
losses = pytest.mark.parametrize("loss", LOSSES)
NUMBERS = [float(Q(v)) for v in Y]


@kernels
@losses
@pytest.mark.parametrize("intercept", [True, False])
def test_exact_fits_have_a_gap_of_zero(loss, kernel, intercept):
    """Primal and dual are equal as fractions, no condition fails  [SVR-DUAL.P1] [SVR-L2.P1] [SVR-KERNEL.P1] [RC-21]."""
    m = SVR(C="3/2", epsilon="1/4", kernel=kernel, loss=loss, intercept=intercept, arithmetic="exact").fit(X, Y)
    c = m.certificate_
    assert (c.status, c.gap, c.worst_violation) == ("optimal", 0, 0)
    assert m.objective_ == m.dual_objective_ == c.primal
    assert ("rounded values" in c.premise) == (kernel is GAUSSIAN)


@kernels
@losses
@pytest.mark.parametrize("arithmetic", ["float", "decimal:30"])
def test_rounded_fits_are_proven(loss, kernel, arithmetic):
    """The certificate is exact and says optimal, also where √ε is irrational  [SVR-L1.P1] [RC-20]."""
    m = SVR(C=1.5, epsilon=0.3, kernel=kernel, loss=loss, arithmetic=arithmetic).fit(X, NUMBERS)
    F, c = m.field(), m.certificate_
    assert c.status == "optimal" and c.gap >= 0
    assert near(F, m.objective_, F.lift(c.primal), steps=64) and near(F, m.dual_objective_, m.objective_, F.lift(1), 64)


@losses
def test_the_multipliers_make_up_the_coefficients(loss):
    """coefficients = α* − α, both ≥ 0, one of them zero; f(x) is their sum with the kernel
    [SVR-DUAL.P2] [SVR-DUAL.P3] [ESL-12.39] [ESL-12.40] [MMST-11.123]."""
    m = SVR(C=1, epsilon="1/4", loss=loss, arithmetic="exact").fit(X, Y)
    assert m.coefficients_ == [b - a for a, b in zip(m.alpha_, m.alpha_star_)]
    assert min(m.alpha_) >= 0 and min(m.alpha_star_) >= 0 and all(a * b == 0 for a, b in zip(m.alpha_, m.alpha_star_))
    assert m.coef_ == [sum(c * x[j] for c, x in zip(m.coefficients_, X)) for j in range(2)]
    assert m.predict([[2, 3]]) == [2 * m.coef_[0] + 3 * m.coef_[1] + m.intercept_[0]]
    assert m.support_ == [i for i, c in enumerate(m.coefficients_) if c]


def test_an_intercept_that_is_not_unique_is_reported_as_an_interval():
    """Two points inside a wide tube: β = 0, and any intercept within ε of both  [SVR-L1.P2] [SVR-KKT.P1]."""
    m = SVR(C=1, epsilon=2, arithmetic="exact").fit([[0], [1]], [0, 1])
    assert m.intercept_interval_ == (-1, 2) and m.intercept_ == [Q(1, 2)] and m.support_ == []
    assert m.certificate_.unique == {"f": True, "intercept": False} and m.predict([[9]]) == [Q(1, 2)]


@settings(max_examples=examples(20))
@given(st.lists(st.integers(-6, 6), min_size=2, max_size=5), positive, st.integers(0, 4))
def test_an_integer_weight_stands_for_copies_of_a_row(values, C, i):
    """A weight of two is as good as the row twice, of zero as good as none  [SVC-COST-I]."""
    rows, i = [[v] for v in range(len(values))], i % len(values)
    w = [2 if k == i else 1 for k in range(len(values))]
    options = {"C": C, "epsilon": "1/3", "arithmetic": "exact"}
    weighted = SVR(**options).fit(rows, values, sample_weight=w)
    copied = SVR(**options).fit([*rows, rows[i]], [*values, values[i]])
    assert weighted.objective_ == copied.objective_ and weighted.coef_ == copied.coef_
    without = SVR(**options).fit([*rows, [99]], [*values, 7], sample_weight=[1] * len(values) + [0])
    plain = SVR(**options).fit(rows, values)
    assert without.coef_ == plain.coef_ and without.coefficients_[-1] == 0 and len(without.alpha_) == len(rows) + 1


def test_the_score_is_the_share_of_variance_explained():
    """R² = 1 − Σ(y − f)²/Σ(y − ȳ)²; of a response that does not vary there is none  [ESL-12.35]."""
    m = SVR(C=100, epsilon=0, arithmetic="exact").fit([[0], [1], [2]], [0, 1, 2])
    assert m.score([[0], [1], [2]], [0, 1, 2]) == 1 and m.score([[0], [1]], [1, 0]) == 1 - Q(2) / Q(1, 2)
    with pytest.raises(NoAnswer, match="that vary"):
        m.score([[0], [1]], [3, 3])


def test_words_and_tables_may_be_regressed_on():
    """A string kernel and a precomputed one  [SVR-KERNEL.P1] [K-NONVEC]."""
    kernel = {"name": "string", "length": 2, "decay": "1/2", "normalised": False}
    m = SVR(C=10, epsilon=0, kernel=kernel, arithmetic="exact").fit(["cat", "cart", "dog"], [1, 2, 7])
    assert m.certificate_.gap == 0 and len(m.predict(["car", "dot"])) == 2
    table = SVR(C=1, epsilon=0, kernel="precomputed").fit([[2, 1], [1, 2]], [0, 1])
    assert all(near(BINARY64, f, y, 1) for f, y in zip(table.predict([[2, 1], [1, 2]]), (0, 1)))
    with pytest.raises(NoAnswer, match="negative curvature"):
        SVR(kernel="precomputed").fit([[0, 1], [1, 0]], [0, 1])


@pytest.mark.parametrize(
    ("options", "need"),
    [
        ({"C": 0}, "C a finite number > 0"),
        ({"epsilon": -1}, "epsilon a finite number ≥ 0"),
        ({"loss": "absolute"}, "loss among"),
        ({"intercept": 2}, "intercept among"),
        ({"kernel": "wavelet"}, "a name among"),
    ],
)
def test_bad_parameters_are_refused(options, need):
    """Each in one line that says what was needed  [MMST-11.113]."""
    with pytest.raises(InvalidInput, match=need):
        SVR(**options).fit(X, NUMBERS)


def test_bad_data_and_irrational_roots_are_refused():
    """Lengths, NaN, no weights; in exact arithmetic the printed quadratic loss needs a rational √ε
    [MMST-11.5.1-quadratic] [ERR-MMST-06]."""
    with pytest.raises(InvalidInput, match="8 numbers in y"):
        SVR().fit(X, NUMBERS[:-1])
    with pytest.raises(InvalidInput, match="finite number"):
        SVR().fit(X, [float("nan"), *NUMBERS[1:]])
    with pytest.raises(InvalidInput, match="positive weight"):
        SVR().fit(X, NUMBERS, sample_weight=[0] * 8)
    with pytest.raises(NotExact, match="rational square root"):
        SVR(loss="quadratic_epsilon_insensitive", epsilon="1/2", arithmetic="exact").fit(X, Y)
    with pytest.raises(InvalidInput, match="fitted estimator"):
        SVR().predict(X)


def test_a_linear_regression_on_the_edge_of_its_tube_is_moved_inside_before_it_is_rounded():
    """One far point, C = 10⁸: the last place of f costs more than the optimum of 10⁻⁸, and the fit was refused."""
    own = {"C": 1e8, "epsilon": 1e-6, "loss": "quadratic_epsilon_insensitive", "intercept": False}
    machine = SVR(**own).fit([[3e9, -0.743874870149196, 3e9]], [1000402.0393377199])
    assert machine.certificate_.digits >= 9
    assert machine.objective_ == pytest.approx(2.7800117730841e-8, rel=1e-9)
