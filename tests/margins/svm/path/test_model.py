"""The model of a path: what its proofs are of."""

from fractions import Fraction

from refclass import SVMPath
from refclass.margins.svm.path import fit


def test_the_proof_of_a_linear_machine_in_doubles_is_of_its_coefficients_as_they_are_delivered():
    """No primal is below the objective of β and β₀ as rounded, ½‖β‖² + Σ [1 − y(xᵀβ + β₀)]₊/λ  [ESL-12.25]."""
    rows = [[i * i % 11 / 7, i * i * i % 13 / 9] for i in range(12)]
    y = [1 if i % 3 else -1 for i in range(12)]
    model = SVMPath().fit(rows, y)._model
    for lam in (0.3 + k / 7 for k in range(8)):
        trained = model.at(lam)
        beta, free = [Fraction(v) for v in trained.beta], Fraction(trained.beta0)
        f = [sum((b * Fraction(v) for b, v in zip(beta, x)), free) for x in rows]
        lost = sum(max(1 - t * v, Fraction(0)) for t, v in zip(y, f))
        assert fit.certify(model, lam).primal >= sum(b * b for b in beta) / 2 + lost * Fraction(1 / lam)
