"""Of a machine with one linear function the certificate's primal is the worse of its coefficients and multipliers."""

from fractions import Fraction
from random import Random

import pytest

from refclass import SVC, SVR
from refclass.certificate import digits
from refclass.errors import NotConverged
from tests.hunt.scaled_tables import of_scales, offset, unscaled
from tests.profiles import examples


def hinge(y, f):
    return max(1 - y * f, 0)


def tube(y, f):
    return max(abs(y - f) - Fraction(1, 10), 0)


MACHINES = {  # the machine of cost 1, its loss, its coefficients, its signed multipliers
    "svc": (SVC, hinge, lambda m: m.coef_[0], lambda m, y: [Fraction(a) * t for a, t in zip(m.alpha_, y)]),
    "svr": (SVR, tube, lambda m: m.coef_, lambda m, _: m.coefficients_),
}


def primals(beta, a, b, loss, x, y):
    """Return the objective with the coefficients, and with the sums of the multipliers, in fractions."""
    found = []
    sums = [sum(Fraction(v) * row[j] for v, row in zip(a, x)) for j in range(len(x[0]))]
    for w in (list(map(Fraction, beta)), sums):
        lost = sum(loss(t, sum(u * v for u, v in zip(w, row)) + b) for t, row in zip(y, x))
        found.append(sum(v * v for v in w) / 2 + lost)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("seed", range(examples(6)))
def test_the_primal_of_a_certificate_is_the_worse_of_coefficients_and_multipliers(name, seed):
    """So that its digits hold for whichever of them is used."""
    r = Random(f"worse {seed}")
    x = r.choice([of_scales, offset, unscaled])(r, 8, 2)
    y = [2 * (i % 2) - 1 for i in range(8)]
    machine, loss, coefficients, signed = MACHINES[name]
    try:
        m = machine().fit(x, y)
    except NotConverged:
        return
    right = m.certificate_
    rows = [list(map(Fraction, row)) for row in x]
    both = primals(coefficients(m), signed(m, y), Fraction(m.intercept_[0]), loss, rows, y)
    assert right.primal == max(both)
    assert all(digits(P - Fraction(right.dual), max(abs(P), abs(right.dual))) >= right.digits for P in both)
