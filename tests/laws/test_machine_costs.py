"""Costs of machines, paths, mixtures and steps of iterations: leading orders, counted in the package's own code."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from types import SimpleNamespace

import pytest

from refclass.discriminants.comparators import network, perceptron
from refclass.discriminants.gaussian import qda
from refclass.discriminants.logistic import ascent
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows
from refclass.linear import jacobi
from refclass.linear.eigen import hestenes, tridiagonal_qr
from refclass.linear.factorisations import pentadiagonal
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.deviance import Deviance
from refclass.losses.squared_hinge import SquaredHinge
from refclass.margins.crammer_singer import certificate as crammer_singer_certificate
from refclass.margins.crammer_singer import problem as crammer_singer
from refclass.margins.lee_lin_wahba import certificate as lee_lin_wahba_certificate
from refclass.margins.lee_lin_wahba import coupled_optimality, simplex
from refclass.margins.lee_lin_wahba import problem as lee_lin_wahba
from refclass.margins.penalised import class_preconditioner, kernel_logistic, multinomial, penalised, retargeted
from refclass.margins.svm import certificate, optimality, soft, squared
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.optimise.active_set import kkt_system
from refclass.optimise.decomposition import coordinate_ascent, smo
from refclass.optimise.mixture import anderson, em, em_steps, likelihood
from refclass.optimise.path import segment
from refclass.optimise.path.residuals import Data
from refclass.optimise.quadratic.problem import Problem
from refclass.optimise.smooth import lbfgs
from refclass.regress.kernel import smooth
from refclass.sample.observations import Sample
from refclass.selection import gacv
from tests.laws.test_engine_costs import box, counted, dominant, doubles, orders, whole
from tests.operations import operations

pytestmark = pytest.mark.slow

F, HALF = Fraction, Fraction(1, 2)


def vector(n, value):
    """Return n times a number."""
    return Vector([value] * n)


def signs(n, number=Fraction):
    """Return n labels −1 and 1 in turn."""
    return Vector([number(1 if i % 2 else -1) for i in range(n)])


def step(iteration, count):
    """Return the step of an iteration after so many states."""
    for _ in range(count):
        next(iteration)
    return partial(next, iteration)


def machine(n):
    """Return a machine of two classes."""
    return soft.Machine(dominant(n), signs(n), (F(1),) * n)


def direct(n):
    """Return Crammer and Singer's machine of three classes, and multipliers."""
    made = crammer_singer.Machine(dominant(n), tuple(i % 3 for i in range(n)), 3, (F(1),) * n)
    return made, Matrix([[HALF if k == i % 3 else -HALF / 2 for k in range(3)] for i in range(n)])


def linear(n, p):
    """Return the certificate of Crammer and Singer's machine of three classes with a linear kernel."""
    made, alpha = direct(n)
    K = Rows(RATIONAL, Linear(), Matrix([[F(v) for v in row] for row in whole(n, p)]))
    return partial(crammer_singer_certificate.certify, replace(made, K=K), alpha)


def coupled(n, K):
    """Return Lee, Lin and Wahba's machine of K classes, and multipliers."""
    rows = [simplex.equal_costs(k, K, F) for k in range(K)]
    labels = tuple(i % K for i in range(n))
    made = lee_lin_wahba.Machine(dominant(n), labels, tuple(rows[g] for g in labels), F(1, 10))
    return made, tuple(Vector([F(0) if g == k else F(1, 3) for g in labels]) for k in range(K))


def misstated(n, K):
    """Return what looks for wrong coefficients."""
    made, alpha = coupled(n, K)
    beta = lee_lin_wahba.coefficients(made, alpha)
    return partial(lee_lin_wahba_certificate.misstated, made, alpha, beta, F(1, 1000))


def conditions(n, K):
    """Return what the conditions of optimality are computed by."""
    return partial(coupled_optimality.optimality, *coupled(n, K), vector(K, F(0)))


def approximate(n, K):
    """Return the approximate correction of a machine."""
    made, alpha = coupled(n, K)
    beta = lee_lin_wahba.coefficients(made, alpha)
    return partial(gacv.approximate_correction, made, SimpleNamespace(alpha=alpha, beta=beta, values=beta))


def segment_of(n, m):
    """Return a segment of a path of n points, m of them at the elbow."""
    K, y = dominant(n), signs(n)
    found = segment.Segment(Data.of(lambda i: K[i], y, y, F(0), K.diagonal()))
    found.begin([HALF] * m + [F(0)] * (n - m), [F(0)] * n, F(9), [F(0)] * n, F(0))
    return found


def solved(m):
    """Return the solution for the slopes of m points, their targets new."""
    found = segment_of(20, m)
    found.data = replace(found.data, dtarget=[2 * v for v in found.data.dtarget])
    return found.solve_slopes


def observed(n, p, K, number=float):
    """Return a sample of K classes in p variables."""
    X = Matrix([[number(round(v * 2**10)) / 2**10 for v in row] for row in doubles(n, p, 2)])
    return Sample(X, tuple(i % K for i in range(n)), tuple(range(K)), vector(n, number(1)))


def unpenalised(n, p, K):
    """Return the largest relative entry of a gradient."""
    asked = ascent.problem(BINARY64, observed(n, p, K), 1.0)
    at = ascent.state(asked, [vector(p + 1, 0.1 * (k + 1)) for k in range(K - 1)])
    return partial(ascent.residual, asked, at)


def trained(n, p, K):
    """Return a step of conjugate gradients on a perceptron."""
    return step(perceptron.steps(RATIONAL, perceptron.problem(observed(n, p, K, F))), 2)


def evaluated(n, p, M, K):
    """Return the evaluation of a network."""
    asked = network.problem(BINARY64, observed(n, p, K), hidden=M, penalty=0.1)
    return partial(asked.evaluate, vector(asked.shape.size, 0.1))


def sweep(n, followers):
    """Return a sweep of one-sided Jacobi rotations, with as many columns that follow, or none."""
    own, V = dominant(n, float), list(map(list, Matrix.identity(n, float))) if followers else []
    return partial(hestenes._sweep, BINARY64, list(map(list, own)), V)


def rotations(n):
    """Return a QR step on n rows of three bands, and n columns of as many numbers."""
    columns = list(map(list, Matrix.identity(n, float)))
    return partial(tridiagonal_qr.step, BINARY64, [1.0 + i for i in range(n)], [0.5] * (n - 1), columns, 0, n - 1)


def gathered(n):
    """Return the factor of n columns with n + 2 rows more."""
    base = pentadiagonal.Factor((9.0,) * n, (0.1,) * n, (0.0,) * n)
    return partial(pentadiagonal.gathered, base, [(1.0, 0.5, 0.25, 0.125)] * (n + 2))


def mixture(n, p, R):
    """Return the problem of two classes of R subclasses each, and shares."""
    own = observed(n, p, 2)
    asked = likelihood.Problem(own.X, own.labels, own.weights, vector(2, 0.5))
    return asked, likelihood.hard(asked, [(i // 2) % R for i in range(n)], [R, R])


def maximised(n, p, R):
    """Return an M-step."""
    asked, shares = mixture(n, p, R)
    assert asked.within  # computed once
    return partial(em_steps.maximised, BINARY64, asked, shares)


def extrapolated(n, p, R):
    """Return a step from extrapolated coefficients."""
    asked, shares = mixture(n, p, R)
    state = em.started(BINARY64, asked, shares)
    return partial(anderson._after, state, anderson.coefficients(BINARY64, asked, state.x))


def logistic(n):
    """Return kernel logistic regression."""
    made = penalised.Problem(dominant(n, float), signs(n, float), vector(n, 1.0), Deviance(), 0.5)
    return kernel_logistic.newton(made, BINARY64)


def retargets(n):
    """Return the squared hinge with a penalty."""
    return penalised.Problem(dominant(n, float), signs(n, float), vector(n, 1.0), SquaredHinge(), 0.5)


def many(n):
    """Return the multinomial machine of three classes."""
    labels = tuple(i % 3 for i in range(n))
    return multinomial.Problem(BINARY64, dominant(n, float), labels, 3, vector(n, 1.0), 0.5)


def slack(n, p, refined=False):
    """Return the equations of a squared-slack machine of n points in p variables, all with slack, or its refinement."""
    X = [Vector(map(float, row)) for row in whole(n, p)]
    own = soft.Machine(dominant(n, float), signs(n, float), (1.0,) * n, True)
    run, start = squared._Iteration(own, X), vector(p + 1, 0.0)
    if not refined:
        return partial(run.equations, start)
    run.equations(start)
    return partial(run.sharpened, start)


def boxed(n, paired):
    """Return a problem in a box, its sum held or not."""
    c = Vector([(i + 1) * (-1.0 if i % 2 else 1.0) for i in range(n)])
    sums = (Matrix([[1.0] * n]), Vector([0.0])) if paired else ()
    return Problem(dominant(n, float), c, (-1.0,) * n, (1.0,) * n, *sums)


def bowl(n):
    """Return a quadratic function that is evaluated without a product that counts."""

    def evaluate(x):
        g = Vector([float.__mul__(1.0 + i, v) for i, v in enumerate(x)])
        return sum(map(float.__mul__, x, g)), g

    return step(lbfgs.steps(BINARY64, lbfgs.Problem(evaluate), Vector([1 + i / 8 for i in range(n)])), 22)


def deleted(p):
    """Return the deletion of an observation from quadratic discriminants."""
    own = observed(40, p, 2)
    return step(qda.without_each(BINARY64, own, qda.fit(BINARY64, own)), 2)


def places(number):
    """Return the equations of a problem, and three places of their own that move."""
    return lambda n: partial(
        kkt_system.Equations(box(n, number)[0]).product, [(k, number(k + 1)) for k in range(3)], []
    )


def grows(made, n=24):
    """Return by how much the count of made(n) grows with n."""
    return (counted(made(n + 12)) - counted(made(n))) / Fraction(12)


# name -> the degree of the multiplications, the coefficient of its power, from which number on by which step, the count
LEADING = {
    "margins.svm.certificate:certify": (
        2,
        1,
        (8, 4),
        lambda n: partial(certificate.certify, machine(n), vector(n, HALF), F(0)),
    ),
    "margins.svm.optimality:optimality": (
        2,
        1,
        (8, 4),
        lambda n: partial(optimality.optimality, machine(n), vector(n, HALF), F(0)),
    ),
    "margins.crammer_singer.certificate:certify": (
        2,
        3,
        (9, 6),
        lambda n: partial(crammer_singer_certificate.certify, *direct(n)),
    ),
    "margins.crammer_singer.certificate:certify | linear": (
        1,
        2 * 3 + 1,
        (2, 1),
        lambda p: grows(lambda n: linear(n, p)),
    ),
    "margins.lee_lin_wahba.certificate:certify": (
        2,
        2,
        (9, 6),
        lambda n: partial(lee_lin_wahba_certificate.certify, *coupled(n, 3), vector(3, F(0))),
    ),
    "margins.lee_lin_wahba.certificate:misstated": (1, 3, (9, 6), lambda n: misstated(n, 3)),
    "margins.lee_lin_wahba.certificate:misstated | classes": (1, 12, (3, 2), lambda K: misstated(12, K)),
    "margins.lee_lin_wahba.coupled_optimality:optimality": (2, 5 * 3 - 1, (9, 6), lambda n: conditions(n, 3)),
    "margins.lee_lin_wahba.coupled_optimality:optimality | classes": (2, 5 * 4 - 1, (8, 4), lambda n: conditions(n, 4)),
    "selection.gacv:approximate_correction": (1, 2, (3, 1), lambda K: grows(lambda n: approximate(n, K))),
    "optimise.path.segment:Segment.certain": (1, 5 + 2, (10, 4), lambda n: segment_of(n, 5).certain),
    "optimise.path.segment:Segment.refine_slopes": (2, 1, (4, 2), lambda m: segment_of(20, m).refine_slopes),
    "optimise.path.segment:Segment.solve_slopes": (2, 1, (4, 2), solved),
    "discriminants.comparators.perceptron:steps": (1, 2 * 3, (2, 1), lambda p: grows(lambda n: trained(n, p, 3))),
    "linear.eigen.one_sided_jacobi:factor": (3, HALF + 2, (4, 2), lambda n: sweep(n, False)),
    "linear.eigen.tridiagonal_qr:reduced": (
        3,
        F(5, 3),
        (4, 2),
        lambda n: partial(tridiagonal_qr.reduced, BINARY64, dominant(n, float)),
    ),
    "linear.eigen.tridiagonal_qr:step": (2, 4, (4, 2), rotations),
    "linear.eigen.svd:factor": (3, HALF + 4, (4, 2), lambda n: sweep(n, True)),
    "linear.jacobi:factor": (1, 8, (4, 4), lambda n: step(jacobi.steps(BINARY64, dominant(n, float)), 2)),
    "linear.factorisations.pentadiagonal:gathered": (1, 18, (4, 4), gathered),
    "optimise.mixture.em:steps": (
        1,
        2,
        (2, 1),
        lambda p: grows(lambda n: step(em.steps(BINARY64, *mixture(n, p, 2)), 2)),
    ),
    "optimise.mixture.anderson:steps": (1, 3 * 2 - 2, (2, 1), lambda p: grows(lambda n: extrapolated(n, p, 2))),
    "optimise.mixture.em_steps:maximised": (1, 1, (2, 1), lambda p: grows(lambda n: maximised(n, p, 2))),
    "optimise.mixture.em_steps:maximised | subclasses": (1, 2, (2, 1), lambda R: grows(lambda n: maximised(n, 2, R))),
    "optimise.active_set.kkt_system:Equations.product": (1, 3, (4, 4), places(float)),
    "optimise.active_set.kkt_system:Equations.product | exact": (1, 3, (4, 4), places(F)),
    "discriminants.logistic.ascent:residual": (1, 2, (2, 1), lambda p: grows(lambda n: unpenalised(n, p, 3))),
    "margins.penalised.class_preconditioner:Classes": (
        3,
        Fraction(1, 6),
        (6, 2),
        lambda n: partial(class_preconditioner.Classes, dominant(n, float), [vector(n, 1.0)], 1.0, True),
    ),
    "margins.penalised.multinomial:Divided": (
        3,
        F(3, 2) + F(1, 6),
        (4, 3),
        lambda n: partial(multinomial.Divided, many(n), [vector(n, 0.2 + 0.1 * k) for k in range(3)]),
    ),
    "margins.penalised.multinomial:fit": (
        3,
        F(3, 2) + F(1, 6),
        (4, 3),
        lambda n: partial(many(n).newton_step, vector(3 * n + 3, 0.1)),
    ),
    "margins.penalised.kernel_logistic:fit": (3, F(1, 6), (4, 3), lambda n: step(smooth.steps(logistic(n)), 1)),
    "regress.kernel.smooth:fit": (2, 10, (4, 3), lambda n: counted(step(smooth.steps(logistic(n)), 1)) - F(n**3, 6)),
    "margins.penalised.retargeted:fit": (
        3,
        F(1, 6),
        (4, 3),
        lambda n: partial(retargeted.Steps, BINARY64, retargets(n)),
    ),
    "margins.penalised.retargeted:fit | a step": (
        2,
        1,
        (4, 3),
        lambda n: step(retargeted.steps(BINARY64, retargets(n)), 1),
    ),
    "margins.svm.squared:solve": (2, HALF, (2, 1), lambda p: grows(lambda n: slack(n, p))),
    "margins.svm.squared:solve | the factor": (3, F(1, 6), (2, 1), lambda p: slack(20, p)),
    "margins.svm.squared:solve | at the end": (1, 12, (2, 1), lambda p: grows(lambda n: slack(n, p, True))),
    "optimise.decomposition.smo:solve": (1, 2, (8, 4), lambda n: step(smo.steps(boxed(n, True)), 2)),
    "optimise.decomposition.coordinate_ascent:solve": (
        1,
        1,
        (8, 4),
        lambda n: step(coordinate_ascent.steps(boxed(n, False)), 2),
    ),
    "optimise.decomposition.coordinate_ascent:solve | pairs": (
        1,
        1,
        (8, 4),
        lambda n: step(coordinate_ascent.steps(boxed(n, True)), 2),
    ),
    "optimise.smooth.lbfgs:steps": (1, 4 * lbfgs.MEMORY + 6, (4, 2), bowl),
    "discriminants.gaussian.qda:without_each": (2, 6, (2, 1), deleted),
    "discriminants.comparators.network:Problem.evaluate": (
        1,
        2 * 3,
        (2, 1),
        lambda p: grows(lambda n: evaluated(n, p, 3, 2)),
    ),
    "discriminants.comparators.network:Problem.evaluate | hidden": (
        1,
        2 * (2 + 2) + 3 * 2,
        (2, 1),
        lambda M: grows(lambda n: evaluated(n, 2, M, 2)),
    ),
    "discriminants.comparators.network:Problem.evaluate | outputs": (
        1,
        3 * (3 + 1),
        (2, 1),
        lambda K: grows(lambda n: evaluated(n, 2, 3, K)),
    ),
}


def divided(call):
    """Return how many divisions a call carries out."""
    with operations() as c:
        call()
    return c.divide


def noted(names):
    """Return doubles that count the calls of some functions, and what they count."""
    taken = dict.fromkeys(names, 0)

    def of(name):
        def call(x):
            taken[name] += 1
            return getattr(BINARY64, name)(x)

        return call

    return replace(BINARY64, **{name: of(name) for name in names}), taken


NAMES = {name.partition(" | ")[0] for name in LEADING}


@pytest.mark.many
@pytest.mark.parametrize("name", LEADING)
def test_the_leading_order_that_a_cost_states_is_what_is_counted(name):
    """The multiplications are a polynomial of the degree stated, with the coefficient stated."""
    degree, coefficient, (start, apart), made = LEADING[name]
    assert orders(degree, start, apart, made) == [coefficient] * 3


@pytest.mark.parametrize(
    ("call", "stated"),
    [(lambda n: step(smo.steps(boxed(n, True)), 2), 1), (gathered, 6)],
    ids=["optimise.decomposition.smo:solve", "linear.factorisations.pentadiagonal:gathered"],
)
def test_divisions_grow_as_costs_state(call, stated):
    """By as many for each variable, or for each column."""
    assert divided(call(12)) - divided(call(8)) == divided(call(16)) - divided(call(12)) == 4 * stated


@pytest.mark.parametrize(("n", "R"), [(12, 2), (12, 3), (24, 3)])
def test_a_step_of_em_takes_the_exponentials_that_its_cost_states(n, R):
    """One for each point and subclass of its class but the first, to which the others are related."""
    field, taken = noted(["exp"])
    following = step(em.steps(field, *mixture(n, 2, R)), 2)
    taken.update(exp=0)
    following()
    assert taken == {"exp": n * (R - 1)}


@pytest.mark.parametrize(("n", "M", "K"), [(12, 3, 2), (12, 2, 3), (9, 2, 2)])
def test_a_network_takes_the_functions_that_its_cost_states(n, M, K):
    """A hyperbolic tangent for each point and hidden unit, an exponential for each point and output."""
    field, taken = noted(["tanh", "exp"])
    asked = network.problem(field, observed(n, 2, K), hidden=M, penalty=0.1)
    taken.update(tanh=0, exp=0)
    asked.evaluate(vector(asked.shape.size, 0.1))
    assert taken == {"tanh": n * M, "exp": n * K}
