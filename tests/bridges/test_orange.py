"""The skin of the orange, simulated: how many points its printed errors belong to."""

from random import Random

import pytest

from refclass import SVC
from refclass.data import skin_of_the_orange
from refclass.number.binary64 import BINARY64


def error(n, seed):
    """The test error of the quadratic machine trained on n points of each class, C the best of a few on the test
    set."""
    rng = Random(seed)
    X, y = skin_of_the_orange.points(BINARY64, n, 0, rng)
    Z, truth = skin_of_the_orange.points(BINARY64, 250, 0, rng)
    kernel = {"name": "polynomial", "degree": 2}
    return 1 - max(SVC(C=C, kernel=kernel).fit(X, y).score(Z, truth) for C in (0.1, 1, 10))


@pytest.mark.thorough
def test_the_printed_errors_belong_to_fifty_points_of_each_class():
    """The quadratic machine errs .078 in the table: the mean over ten simulations with 50 points of each class is
    within three standard errors of it, that with 100 of each, as the text has it, is not, and nearer to .056; both are
    above the Bayes error  [ERR-ESL-09] [ESL-T12.2] [ESL-12.3.4-orange]."""
    printed, seeds = 0.078, range(10)
    for n, far in ((50, False), (100, True)):
        errors = [error(n, seed) for seed in seeds]
        mean = sum(errors) / len(errors)
        standard = (sum((e - mean) ** 2 for e in errors) / len(errors) / (len(errors) - 1)) ** 0.5
        assert (abs(mean - printed) > 3 * standard) == far == (abs(mean - 0.056) < abs(mean - printed))
        assert mean > skin_of_the_orange.bayes_error(BINARY64)
