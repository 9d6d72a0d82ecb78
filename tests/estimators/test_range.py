"""Data and costs at the ends of the range of doubles: answered in finite numbers, or refused in one line."""

import math
import random

import pytest

from refclass import SVC, SVR, SVMPath
from refclass.errors import NotExact, Refusal

SCALES = [1e-300, 1e-160, 1e100, 1e155, 1.7e306]
GAUSSIAN, CUBIC = {"name": "gaussian", "gamma": "scale"}, {"name": "polynomial", "degree": 3}
MACHINES = [
    SVC(),
    SVC(C=1e300),
    SVC(loss="squared_hinge"),
    SVC(loss="squared_hinge", C=1e300),
    SVC(loss="squared_hinge", C=1e-300, intercept=False),
    SVC(kernel=GAUSSIAN),
    SVC(kernel=CUBIC, loss="squared_hinge"),
    SVC(C=1e300, arithmetic="exact"),
    SVMPath(),
    SVR(),
    SVR(C=1e300),
    SVR(kernel=CUBIC, loss="quadratic_epsilon_insensitive"),
]


def data(scale, both):
    rng = random.Random(1)
    X = [[scale * rng.gauss(0, 1), rng.gauss(0, 1) * (scale if both else 1)] for _ in range(8)]
    return X, [i % 2 for i in range(8)]


def finite(value):
    """Whether all numbers within are finite."""
    if isinstance(value, (list, tuple)):
        return all(map(finite, value))
    return not isinstance(value, float) or math.isfinite(value)


@pytest.mark.many
@pytest.mark.parametrize("both", [True, False])
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_extreme_numbers_are_answered_or_refused_in_one_line(machine, scale, both):
    """No infinity, no error of arithmetic and no endless iteration comes out of data of any size, one variable large or
    both [ESL-12.8] [ESL-12.36]."""
    try:
        machine.fit(*data(scale, both))
    except Refusal as refusal:
        assert len(str(refusal)) <= 400 and "\n" not in str(refusal)
    else:
        assert all(finite(value) for name, value in vars(machine).items() if name.endswith("_"))


@pytest.mark.parametrize("machine", [SVC(C=1e308), SVR(C=1e308, epsilon=0)], ids=str)
def test_an_objective_beyond_the_doubles_is_an_answer_that_they_cannot_hold(machine):
    """The data and the costs are good: what is refused is the answer  [ESL-12.8] [ESL-12.36]."""
    with pytest.raises(NotExact, match="need an answer within the range of doubles"):
        machine.fit([[0.0], [0.0], [0.0], [0.0], [1.0]], [0, 1, 0, 1, 1])


def test_the_objective_of_a_path_is_summed_in_fractions():
    """Costs in doubles are as exact as the Gram matrix where the function delivered is valued  [ESL-12.8]."""
    for scale in (1e-300, 1e-160):
        assert SVMPath().fit(*data(scale, False)).certificate_.digits >= 9


def test_a_width_that_doubles_cannot_hold_is_refused():
    """gamma="scale" is one over a variance, which must be a normal double [ESL-12.22]."""
    with pytest.raises(NotExact, match="data: need entries whose squares are within the range of normal doubles"):
        SVC(kernel=GAUSSIAN).fit(*data(1e200, True))
