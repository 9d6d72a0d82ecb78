"""The proof of a linear machine's answer: that of every machine, its hyperplane judged beside its multipliers."""

from fractions import Fraction

from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows
from refclass.linear.matrix import Matrix
from refclass.margins.svm import certificate
from refclass.margins.svm.soft import Machine
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL


def certify(problem, answer):
    """Return the certificate of an answer of `linear_svm.solver`."""
    known = {float: BINARY64, Fraction: RATIONAL}
    F = known.get(problem.kind) or decimal(problem.kind.precision)
    machine = Machine(Rows(F, Linear(), Matrix(problem.X)), problem.y, problem.costs, intercept=problem.intercept)
    return certificate.certify(machine, answer.alpha, answer.beta0, beta=answer.beta)
