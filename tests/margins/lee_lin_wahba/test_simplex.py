"""Labels as corners of a simplex, and functions that sum to zero."""

from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows
from refclass.kernels.spaces import rkhs
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba import simplex
from refclass.number.rational import RATIONAL
from tests.margins.columns import QUADRATIC
from tests.numbers import STRICT, Strict
from tests.profiles import examples
from tests.strategies import fractions, matrices, vectors

classes = st.integers(2, 6)
FEW = settings(max_examples=examples(15))


@given(classes)
def test_a_label_sums_to_zero(m):
    """Σ v_k = 0 [MMST-11.4.2-code] [MC-LLW-CODE.P1]."""
    assert all(simplex.code(k, m, Q).sum() == 0 for k in range(m))


@given(classes)
def test_labels_are_the_corners_of_a_regular_simplex(m):
    """v_jᵀv_k = m/(m − 1) if j = k, else −m/(m − 1)² [MMST-11.4.2-code] [MC-LLW-CODE.P2]."""
    corners = [simplex.code(k, m, Q) for k in range(m)]
    assert all(
        a @ b == (Q(m, m - 1) if j == k else Q(-m, (m - 1) ** 2))
        for j, a in enumerate(corners)
        for k, b in enumerate(corners)
    )


def test_two_classes_have_the_labels_of_opposite_signs():
    """K = 2: (1, −1) and (−1, 1) [MMST-11.4.2-code] [MC-LLW-CODE.P3]."""
    assert [simplex.code(k, 2, Q) for k in (0, 1)] == [Vector([Q(1), Q(-1)]), Vector([Q(-1), Q(1)])]


@given(classes)
def test_a_label_is_read_back_as_its_class(m):
    """The largest entry of v_k stands in place k [MMST-11.4.2-code] [REG-FORM.P1]."""
    assert [simplex.decoded(simplex.code(k, m, Q)) for k in range(m)] == list(range(m))


def test_of_equal_scores_the_first_class_is_said():
    """argmax takes the first of equal ones [MMST-11.108] [MC-LLW-PRED.P1]."""
    assert simplex.decoded([Q(0), Q(1), Q(1)]) == 1


def test_costs_of_errors_are_one_and_of_the_own_class_none():
    """L is 0 in the place of the own class and 1 elsewhere [MMST-11.4.2-cost]."""
    assert simplex.equal_costs(1, 3, Q) == Vector([Q(1), Q(0), Q(1)])


@given(fractions)
def test_two_classes_pay_the_hinge(v):
    """K = 2: the first class pays (1 − f_1)₊, the second (1 + f_1)₊ [MMST-11.78] [MMST-11.79] [MC-LLW.P1]."""
    f = Vector([v, -v])
    pay = [simplex.loss(f, simplex.code(k, 2, Q), simplex.equal_costs(k, 2, Q)) for k in (0, 1)]
    assert pay == [max(1 - v, Q(0)), max(1 + v, Q(0))]


@FEW
@given(classes, st.data())
def test_only_the_functions_of_wrong_classes_are_paid_for(m, data):
    """The loss does not depend on the function of the own class [MMST-11.77] [MC-LLW.P3]."""
    k = data.draw(st.integers(0, m - 1))
    f = data.draw(vectors(m))
    other = Vector([v if j != k else data.draw(fractions) for j, v in enumerate(f)])
    y, L = simplex.code(k, m, Q), simplex.equal_costs(k, m, Q)
    assert simplex.loss(f, y, L) == simplex.loss(other, y, L)


def functions(data, m, n=4, kernel=None):
    """Points with functions of coefficients and intercepts; their Gram matrix may be singular."""
    X = data.draw(matrices(n, 2, st.integers(-2, 2).map(Q)))
    beta = tuple(data.draw(vectors(n)) for _ in range(m))
    return Rows(RATIONAL, kernel or Linear(), X), beta, data.draw(vectors(m))


@FEW
@given(classes, st.data())
def test_values_are_inner_products_with_the_kernels_of_the_points(m, data):
    """f_k(x_i) = β_0k + ⟨h_k, K(x_i, ·)⟩ [MMST-11.74] [MMST-11.75] [MMST-11.83] [MMST-11.84] [MMST-11.109]
    [MC-LLW-REP.P1]."""
    K, beta, beta0 = functions(data, m, kernel=QUADRATIC)
    f = simplex.values(K, beta, beta0)
    h = [rkhs.Expansion(QUADRATIC, tuple(K.X), own) for own in beta]
    assert all(f[k][i] == beta0[k] + h[k](RATIONAL, x) for k in range(m) for i, x in enumerate(K.X))


@FEW
@given(classes, st.data())
def test_the_norm_is_that_of_the_sum_of_kernels(m, data):
    """‖h_k‖² = Σ β_l β_i K(x_l, x_i), with a linear kernel that of the weights [MMST-11.85] [MC-LLW-REP.P1]."""
    K, beta, _ = functions(data, m)
    for own in beta:
        w = K.X.T @ own
        assert simplex.square(K, own) == w @ w


@FEW
@given(classes, st.data())
def test_the_last_function_follows_from_the_others(m, data):
    """f_m = −Σ_{k<m} f_k makes the sum zero at every point [MMST-11.82] [MMST-11.76] [MMST-11.86]."""
    K, beta, beta0 = functions(data, m)
    own, intercept = simplex.last(beta[:-1], Vector(beta0[:-1]))
    whole = (*beta[:-1], own), Vector([*beta0[:-1], intercept])
    assert not any(simplex.sums(K, *whole))
    assert simplex.square(K, own) == simplex.square(K, sum(beta[1:-1], beta[0]))


def test_a_function_and_its_negative_have_twice_the_square():
    """‖h‖² + ‖−h‖² = 2‖h‖² [MMST-11.80] [MC-LLW.P1]."""
    K = Rows(RATIONAL, Linear(), Matrix([[Q(1), Q(2)], [Q(0), Q(3)]]))
    h = Vector([Q(1, 2), Q(-3)])
    assert simplex.square(K, h) + simplex.square(K, -h) == 2 * simplex.square(K, h)


def zero_sum(data, m):
    """Functions that sum to zero at the points, though their coefficients do not: the points are twice there."""
    K, beta, beta0 = functions(data, m, n=2)
    K = Rows(RATIONAL, Linear(), Matrix([*K.X, *K.X]))
    beta = [Vector([*own, *(Q(0),) * 2]) for own in beta]
    total = sum(beta[1:], beta[0])
    beta[0] = beta[0] - Vector([*(Q(0),) * 2, total[0], total[1]])
    return K, tuple(beta), beta0 - Vector([beta0.sum(), *(Q(0),) * (m - 1)])


@FEW
@given(classes, st.data())
def test_centring_leaves_the_values_and_does_not_raise_the_norm(m, data):
    """Where Σ f_k = 0 at the points, functions less their mean have the same values there, and Σ‖h*_k‖² =
    Σ‖h_k‖² − m β̄ᵀKβ̄ ≤ Σ‖h_k‖² [MMST-11.87] [MMST-11.88] [MMST-11.89] [MC-LLW-SUM0.P2]."""
    K, beta, beta0 = zero_sum(data, m)
    assert not any(simplex.sums(K, beta, beta0))
    centred, intercepts = simplex.centred(beta, beta0)
    assert simplex.values(K, centred, intercepts) == simplex.values(K, beta, beta0)
    mean = sum(beta[1:], beta[0]) / m
    lost = m * simplex.square(K, mean)
    assert lost >= 0
    before, after = (sum(simplex.square(K, own) for own in each) for each in (beta, centred))
    assert after == before - lost


@FEW
@given(classes, st.data())
def test_centred_functions_sum_to_zero_everywhere(m, data):
    """Functions less their mean sum to zero at any point, whatever the rank of the Gram matrix [MMST-11.90]
    [MMST-11.91] [MC-LLW-SUM0.P1] [ID-MMST-11.91]."""
    K, beta, beta0 = zero_sum(data, m)
    centred, intercepts = simplex.centred(beta, beta0)
    total = sum(centred[1:], centred[0])
    z = data.draw(vectors(2))
    assert total @ Linear().row(RATIONAL, z, K.X) + intercepts.sum() == 0


@FEW
@given(classes, st.data())
def test_a_zero_sum_at_the_points_is_one_everywhere_where_the_gram_matrix_is_regular(m, data):
    """With a regular Gram matrix Σ f_k = 0 at the points and Σ β_0k = 0 leave Σ_k β_k = 0 [MMST-11.88] [MMST-11.91]
    [MC-LLW-SUM0.P1]."""
    X = Matrix([[Q(v)] for v in (0, 1, 3)])
    K = Rows(RATIONAL, QUADRATIC, X)
    beta = [data.draw(vectors(3)) for _ in range(m)]
    total = sum(beta[1:], beta[0])
    sums = simplex.sums(K, tuple(beta), Vector([Q(0)] * m))
    assert any(sums) == any(total)


def test_an_orthogonal_part_is_not_seen_at_the_points():
    """h + g with g orthogonal to every K(x_i, ·) has h's values at the points and a larger norm, so that at an optimum
    it is zero [MMST-11.81] [ERR-MMST-18] [MC-LLW-REP.P1]."""
    w, g = Vector([Q(2), Q(0)]), Vector([Q(0), Q(1)])  # of points on a line, g is orthogonal to all of them
    points = [Vector([Q(v), Q(0)]) for v in (1, 2, 5)]
    assert [x @ w for x in points] == [x @ (w + g) for x in points]
    assert (w + g) @ (w + g) == w @ w + g @ g > w @ w


def test_rows_of_costs_are_checked():
    """Rows of another length, negative costs, a cost for the own class and rows of zeros are refused, by their place
    [MMST-11.4.2-cost]."""
    zero, one = Q(0), Q(1)
    for rows, need in (
        ([[zero, one], [one]], "2 costs in each row"),
        ([[zero, -one], [one, zero]], "costs ≥ 0"),
        ([[zero, one], [one, one]], "a cost of 0 for the class itself"),
        ([[zero, one], [zero, zero]], "a cost above 0 for some error"),
    ):
        with pytest.raises(InvalidInput, match=need):
            simplex.cost_rows(rows, "test")


def test_no_float_slips_in():
    """Codes, losses, values and centring run on numbers that refuse floats [MMST-11.77]."""
    y, L = simplex.code(0, 3, Strict), simplex.equal_costs(0, 3, Strict)
    simplex.loss(Vector([Strict(0)] * 3), y, L)
    K = Matrix([[Strict(1)]])
    simplex.values(K, (y[:1] and Vector([y[0]]),) * 2, Vector([STRICT.lift(1)] * 2))
    simplex.centred((Vector([y[0]]), Vector([y[1]])), Vector([y[0], y[1]]))


def test_centred_functions_by_hand():
    """(1, 2) and (3, 6) less their mean (2, 4), intercepts 1 and 4 less 5/2  [MMST-11.89] [MMST-11.90]."""
    beta, beta0 = simplex.centred((Vector([Q(1), Q(2)]), Vector([Q(3), Q(6)])), Vector([Q(1), Q(4)]))
    assert beta == (Vector([Q(-1), Q(-2)]), Vector([Q(1), Q(2)]))
    assert beta0 == Vector([Q(-3, 2), Q(3, 2)])
