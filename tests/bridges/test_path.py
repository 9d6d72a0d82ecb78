"""The path at any λ is the machine of cost 1/λ, whoever computes that."""

from fractions import Fraction

import pytest
from hypothesis import given

from refclass import SVC, SVMPath
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm import certificate
from refclass.margins.svm.soft import Machine
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.linear_svm import solver as linear_svm
from refclass.optimise.path import path_state
from refclass.optimise.path import solution as path
from refclass.oracle import table
from tests.optimise.paths import inquiries, linear, problem, problems
from tests.strategies import samples

POINTS = [[4, 1], [1, 3], [0, 2], [3, 3], [2, -1], [-1, 1], [0, 0], [1, 1], [-2, 3], [2, 2], [-1, -2], [1, -3], [3, 0]]
LABELS = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1]


@pytest.mark.slow
def test_at_a_hundred_values_of_lambda_the_path_is_the_quadratic_problem_exactly():
    """f agrees with the active set's solution with == [OPT-PATH.P2] [ESL-12.25] [PEN-SVM]."""
    case = problem(POINTS, LABELS, lambda x, z: (1 + linear(x, z)) ** 2)
    found = path.solve(case)
    top = found.states[0].lam
    for k in range(1, 101):
        lam = top * Fraction(k * k, 6400)
        machine = Machine(case.K, case.y, (1 / lam,) * len(case.y))
        other = active_set.solve(machine.dual().problem()).x
        at = found.at(lam)
        mine = at.alpha.times(case.y) / lam
        assert case.K @ mine == case.K @ other
        verdict = certificate.certify(machine, at.alpha / lam, at.alpha0 / lam)
        assert verdict.gap == 0 and verdict.worst_violation == 0


@given(samples(per_class=(1, 5)))
def test_for_a_linear_kernel_the_path_and_long_steps_have_the_same_beta(sample):
    """β of the path at λ is β of the iteration at C = 1/λ, exactly [OPT-PATH.P2] [ESL-12.33]."""
    X, labels = sample
    found = path.solve(problem(X, labels))
    rows = [Vector(map(Fraction, x)) for x in X]
    y = Vector([Fraction(1 if k else -1) for k in labels])
    for lam in inquiries(found, 6):
        signed = found.at(lam).alpha.times(y) / lam
        beta = Vector([signed @ Vector(column) for column in zip(*rows)])
        assert beta == linear_svm.solve(linear_svm.Problem(rows, y, (1 / lam,) * len(y))).beta


@given(problems(most=4))
def test_weak_duality_is_strong_along_the_path(case):
    """The gap of every solution is exactly zero [SVC-DUALITY.P1] [OPT-PATH.P2]."""
    found = path.solve(case)
    for lam in inquiries(found, 5):
        at = found.at(lam)
        machine = Machine(case.K, case.y, (1 / lam,) * len(case.y))
        assert certificate.certify(machine, at.alpha / lam, at.alpha0 / lam).gap == 0


@pytest.mark.long
def test_on_the_mixture_data_the_path_is_the_machine_to_nine_digits():
    """ESL's 200 points with a Gaussian kernel: objective and decision values at C from 0.01 to 10000
    [OPT-PATH.P2] [ESL-12.25]."""
    mixture = table.embedded("mixture")
    X, y = mixture.numbers(["x1", "x2"], float), mixture.column("y")
    gaussian = {"name": "gaussian", "gamma": 1}
    whole = SVMPath(kernel=gaussian).fit(X, y)
    for C in (0.01, 0.3, 1, 30, 1000, 10000):
        along, alone = whole.at(1 / C), SVC(C=C, kernel=gaussian).fit(X, y)
        assert abs(along.objective_ - alone.objective_) <= 1e-9 * alone.objective_
        assert abs(along.objective_ - along.dual_objective_) <= 1e-9 * along.objective_
        low, high = alone.intercept_interval_
        shift = along.intercept_[0] - alone.intercept_[0] if high - low > 1e-6 else 0.0
        f, g = along.decision_function(X), alone.decision_function(X)
        assert max(abs(u - v - shift) for u, v in zip(f, g)) <= 1e-7


def test_the_gram_matrix_may_come_row_by_row():
    """Rows on demand and a stored matrix give the same path [ESL-12.3.5-path]."""

    class Demand:
        def __init__(self, K):
            self.K = K

        def __len__(self):
            return len(self.K)

        def row(self, i):
            return self.K[i]

        def diagonal(self):
            return self.K.diagonal()

    case = problem(POINTS, LABELS)
    demand = path_state.Problem(Demand(Matrix(case.K)), case.y)
    assert [s.alpha for s in path.steps(demand)] == [s.alpha for s in path.steps(case)]
