"""What the optimality conditions say of a support vector regression."""

from fractions import Fraction as Q

import pytest

from refclass import SVR
from refclass.errors import InvalidInput

X, Y = [[0], [1], [2], [3], [5]], [0, 1, 4, 2, 3]


@pytest.mark.parametrize("kernel", ["linear", {"name": "polynomial", "degree": 2, "c": 1}])
@pytest.mark.parametrize("intercept", [True, False])
def test_an_exact_fit_meets_its_conditions(kernel, intercept):
    """Every condition holds, and the Lagrangian is both objectives
    [MMST-11.114] [MMST-11.115] [MMST-11.116] [MMST-11.117] [MMST-11.118] [MMST-11.119] [MMST-11.121] [MMST-11.128]."""
    model = SVR(C=1, epsilon="1/2", kernel=kernel, intercept=intercept, arithmetic="exact").fit(X, Y)
    found = model.conditions()
    assert not any(found.conditions.values()) and ("balance" in found.conditions) == intercept
    assert found.lagrangian == found.dual == model.objective_
    assert all(b == model.intercept_[0] for b in found.intercepts)
    assert (found.weights is None) == (kernel != "linear")
    if found.derivatives:
        d_beta0, *others = found.derivatives
        assert not any(v for part in others for v in part) and (d_beta0 == 0 or not intercept)
        assert list(found.weights) == model.coef_


def test_weights_multiply_the_cost_and_must_be_equal():
    """Equal weights are a cost; the conditions of another loss are not printed  [MMST-11.122]."""
    model = SVR(C=1, epsilon="1/2", arithmetic="exact").fit(X, Y, sample_weight=[2] * 5)
    assert not any(model.conditions().conditions.values())
    assert max(model.conditions().slack_multipliers[0]) <= Q(2)
    with pytest.raises(InvalidInput, match="equal weights"):
        SVR().fit(X, Y, sample_weight=[1, 2, 1, 1, 1]).conditions()
    with pytest.raises(InvalidInput, match="epsilon_insensitive"):
        SVR(loss="squared_epsilon_insensitive").fit(X, Y).conditions()
