"""What the optimality conditions say of a fit: zero residuals at the optimum, and at no other multipliers."""

from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass import SVC
from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.margins.svm import fit
from refclass.margins.svm.optimality import optimality
from refclass.number.rational import RATIONAL
from tests.margins.machines import hard_residuals, machines, separable, solved
from tests.profiles import examples

few = settings(max_examples=examples(10))
X, Y = [[0, 0], [1, 0], [0, 2], [2, 2], [3, 1], [1, 1]], [-1, -1, 1, 1, 1, -1]


@few
@given(machines(), st.data())
def test_all_residuals_are_zero_at_the_optimum_and_nowhere_else(m, data):
    """At the solved α nothing is violated and L_P is between the equal objectives; a moved multiplier shows
    [ESL-12.14] [ESL-12.15] [ESL-12.16] [ESL-12.9] [ISML-27.3-complementarity]."""
    t = fit.train(RATIONAL, m)
    found = optimality(m, t.alpha, t.beta0)
    assert not any(found.residuals.values()) and found.violators == ()
    assert found.primal == found.dual == found.lagrangian == t.objective
    assert all(v == 0 for v in (*found.derivatives[0], found.derivatives[1], *found.derivatives[2]))
    assert found.intercept is None or found.intercept == t.beta0
    i = data.draw(st.integers(0, len(m.y) - 1))
    other = Q(0) if t.alpha[i] == m.costs[i] else m.costs[i]
    moved = optimality(m, t.alpha + (other - t.alpha[i]) * Vector.unit(len(m.y), i, Q), t.beta0)
    assert any(moved.residuals.values())


@few
@given(separable())
def test_the_hard_margin_has_its_own_conditions(case):
    """Without slack there is no μ, and the residuals are those of the hard margin
    [MMST-11.16] [MMST-11.18] [KIM-3.24] [KIM-3.25]."""
    m, t = solved(*case, C=None)
    found = optimality(m, t.alpha, t.beta0)
    assert found.slack_multipliers is None and found.residuals == {**hard_residuals(m, t.alpha, t.beta0), "norm": 0}
    assert found.primal == found.dual == found.lagrangian and not any(found.residuals.values())


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("kernel", ["linear", {"name": "polynomial", "degree": 2, "c": 1}])
@pytest.mark.parametrize("C", [1, float("inf")])
def test_an_exact_fit_meets_its_conditions(loss, kernel, C):
    """SVC.conditions() of every exact fit has residuals zero and the objectives of the fit
    [ESL-12.13] [MMST-11.49] [MMST-Ex11.3b]."""
    rows = X if C == 1 else [[0, 0], [1, 0], [0, 2], [2, 2], [3, 3], [-1, 0]]
    model = SVC(C=C, loss=loss, kernel=kernel, arithmetic="exact").fit(rows, Y)
    found = model.conditions()
    assert not any(found.residuals.values())
    assert found.primal == found.dual == found.lagrangian == model.objective_
    assert (found.weights is None) == (kernel != "linear")
    assert {found.categories[i] for i in range(6) if model.alpha_[i] == 0} <= {"none"}


def test_points_without_a_cost_have_no_condition():
    """A point of weight zero is left out, and several machines have a list of conditions  [KIM-3.3-costs]."""
    model = SVC(arithmetic="exact").fit(X, Y, sample_weight=[1, 1, 1, 1, 1, 0])
    assert model.conditions().rows == (0, 1, 2, 3, 4)
    several = SVC(arithmetic="exact").fit(X, list("aabbcc"))
    assert [not any(c.residuals.values()) for c in several.conditions()] == [True] * 3
    assert len(several.hyperplane()) == 3


def test_the_hyperplane_of_a_fit_measures_points():
    """x₁ = 1: sides, distances, feet, margins and the half-width of the band
    [ESL-12.2] [MMST-11.7] [KIM-3.13] [KIM-3.16] [KIM-3.17] [KIM-3.18] [KIM-3.2-shift] [MMST-11.2.1-margin]."""
    rows, labels = [[0, 0], [0, 1], [2, 0], [2, 5]], [-1, -1, 1, 1]
    plane = SVC(C="10", arithmetic="exact").fit(rows, labels).hyperplane()
    assert plane.sides([[3, 1], [1, 7], [0, 0]]) == [1, 0, -1]
    assert plane.distances([[3, 1], [1, 7]]) == [2, 0] and plane.half_width == 1
    assert [list(x) for x in plane.nearest([[3, 4]])] == [list(x) for x in plane.reached([[3, 4]])] == [[1, 4]]
    assert [list(x) for x in plane.translated([[0, 4]])] == [[1, 4]]
    assert list(plane.margins(rows, labels)) == [1] * 4 and plane.margin(rows, labels) == 1
    assert plane.margins_of_classes([[0, 0], [4, 0]], [-1, 1]) == (1, 3)
    assert plane.distribution(rows, labels) == [(1, 1)]
    assert plane.canonical([[-1, 0], [3, 0]], [-1, 1]).half_width == 2
    assert plane.midway([5, 0], [1, 0]).sides([[3, 3]]) == [0]
    with pytest.raises(InvalidInput, match="labels 1 and"):
        plane.margins(rows, [0, 0, 1, 1])
    with pytest.raises(InvalidInput, match="a linear kernel"):
        SVC(kernel={"name": "gaussian", "gamma": 1}).fit(rows, labels).hyperplane()


def test_the_function_of_a_fit_is_an_element_of_the_kernels_space():
    """⟨f, K(x, ·)⟩ = f(x), ‖f‖ = 1/margin, and the projection to the support points is f itself
    [KIM-3.4-reproducing] [KIM-3.58] [KIM-3.61] [MMST-11.53] [MMST-11.69] [MMST-11.72]."""
    kernel = {"name": "polynomial", "degree": 2, "c": 1}
    model = SVC(kernel=kernel, arithmetic="exact").fit(X, Y)
    f, rows = model.function(), [Vector([Q(v) for v in x]) for x in X]
    for x in rows:
        assert f.reproduced(x) == f(x) == model.decision_function([x])[0] - model.intercept_[0]
    signed = Vector([a * t for a, t in zip(model.alpha_, Y)])
    assert f.squared_norm == f.inner(f) == signed @ Vector([f(x) for x in rows])
    support = [rows[i] for i in model.support_]
    part = f.projected(support[:2])
    assert part(support[0]) == f(support[0]) and part.squared_norm <= f.squared_norm
    assert (f - part).inner(part) == 0
    with pytest.raises(InvalidInput, match="one kernel"):
        f.inner(SVC(arithmetic="exact").fit(X, Y).function())
    assert len(SVC(arithmetic="exact").fit(X, list("aabbcc")).function()) == 3
