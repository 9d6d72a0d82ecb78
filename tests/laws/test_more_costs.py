"""Costs counted in integers, in fractions, a step at a time, by their leading order, or as bounds.

A cost of leading order is a polynomial: its differences tell the coefficient of its highest power.
"""

import dataclasses
import sys
from fractions import Fraction
from functools import partial, reduce
from math import comb, factorial
from operator import add
from random import Random
from types import SimpleNamespace

import pytest

from refclass.bases.truncated import TruncatedPowers
from refclass.discriminants.comparators import nearest, rbf_network
from refclass.discriminants.gaussian import lda, lda_deletion
from refclass.discriminants.logistic import ascent
from refclass.estimators.protocol.certificates import stated
from refclass.kernels.dirichlet import Dirichlet
from refclass.kernels.linear import Linear
from refclass.kernels.matrices import mercer, product
from refclass.kernels.spaces import features
from refclass.kernels.string import String
from refclass.linear import bordered, clearing
from refclass.linear.common_denominator import Scaled, combination, combinations
from refclass.linear.exact import dixon, fraction_free
from refclass.linear.factorisations import fixed_point, gram_schmidt, low_rank
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.crammer_singer import problem as crammer_singer
from refclass.margins.lee_lin_wahba import decision as lee_lin_wahba
from refclass.margins.reduction import coupling, one_vs_one, one_vs_rest
from refclass.margins.svm import fit as svm
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.optimise.active_set import kkt_inverse
from refclass.optimise.linear_svm import line_search
from refclass.optimise.linear_svm.screened_points import Points
from refclass.optimise.mixture import kmeans
from refclass.optimise.multiclass import coupled, zero_sum
from refclass.optimise.path.residuals import Data, Residuals
from refclass.optimise.smooth import sgd
from refclass.regress.kernel import smooth
from refclass.regress.kernel.ridge import kernel_ridge, ridge_deletion
from refclass.regress.linear import least_squares, polynomial, ridge_certificate, row_deletion
from refclass.regress.spline import certificate, spline
from refclass.regress.spline.smoother import Smoother
from refclass.sample import gaussian, metric
from refclass.sample.observations import Sample
from refclass.selection import hill_climbing
from tests.laws import test_stated_costs, test_unit_costs
from tests.laws.test_stated_costs import COUNTED_IN, A, F, Watched, basis, descent, elbow, inverse, v
from tests.numbers import COUNTED, Counted, Integer, count_fractions, counting

# Functions with rational values, so that Gram matrices are the identity, and a unit of roundoff, so that Cholesky's
# factor is taken, as it is in doubles.
G = dataclasses.replace(
    COUNTED,
    exp=lambda x: Counted(int(x == 0)),
    log=lambda x: Counted(0),
    cos=lambda x: Counted(1),
    pi=lambda: Counted(3),
    eps=Counted(Fraction(1, 10**40)),
)


def ones(n):
    """Return n ones."""
    return Vector([Counted(1)] * n)


def summing_to_zero(rows):
    """Return rows of which the last is what the others lack of a sum of zero."""
    return (*list(rows)[:-1], -reduce(add, list(rows)[:-1]))


def identity(n):
    """Return the identity."""
    return Matrix.identity(n, Counted)


def sample(n, K, p):
    """Return n observations of K classes in p variables, of full rank."""
    X = [[Counted((7 * i + 3 * j * j + i * i * (j + 1)) % 11) for j in range(p)] for i in range(n)]
    return Sample(Matrix(map(Vector, X)), tuple(i % K for i in range(n)), tuple(range(K)), ones(n))


def residuals(n):
    """Return the residuals of a path at n points, all with multipliers."""
    found = Residuals(Data.of(lambda j: v(n), v(n), v(n), Counted(1), v(n)))
    found.alpha, found.fixed, found.parameter, found.alpha0 = list(v(n)), v(n), Counted(1), Counted(1)
    return found


def integers(n, p, seed=1):
    """Return n rows of p integers that count."""
    rng = Random(seed)
    return Matrix.of([Vector.of([Integer(rng.randint(1, 50)) for _ in range(p)]) for _ in range(n)])


def scaled(n):
    """Return n integers over one denominator."""
    return Scaled(tuple(integers(1, n)[0]), 1)


def fixed(n):
    """Return a positive definite table in multiples of 2^−40."""
    return [[Integer((5 if i == j else 1) << 40) for j in range(n)] for i in range(n)]


def clusters(n, p):
    """Return k-means about two centres, its first state passed."""
    X = Matrix([Vector([Counted((i * 5) % 7 + j) for j in range(p)]) for i in range(n)])
    found = kmeans.steps(SimpleNamespace(X=X, weights=ones(n)), A(2, p))
    next(found)
    return found


def combined(n, p):
    """Judge a row that is the sum of n points in p variables times their numbers."""
    points, weights = [(Integer(1),) * p] * n, [Integer(i + 1) for i in range(n)]
    row = [float(sum(weights))] * p
    assert stated.combinations(BINARY64, "the proof", "coef", [row], points, [weights]) == "the proof"


# name -> for n and p what is called, and the multiplications and divisions
TABLE = {
    "optimise.path.residuals:Residuals.less": lambda n, p: (
        partial(residuals(n).less, v(n), Counted(1), list(range(p)), v(p)),
        (n * (p + 2), 0),
    ),
    "optimise.path.residuals:Residuals.recompute": lambda n, p: (residuals(n).recompute, ((n + 1) * n + 3 * n, 0)),
    "optimise.linear_svm.screened_points:Points.slack": lambda n, p: (
        partial(Points.of(A(n, p), v(n), v(n), False).slack, v(p)),
        (n * p, 0),
    ),
    "optimise.multiclass.coupled:Problem.gradient": lambda n, p: (
        partial(coupled.Problem(A(n, n), (v(n),) * p, (v(n),) * p).gradient, (v(n),) * p),
        (n * n * p, n),
    ),
    "discriminants.logistic.ascent:information": lambda n, p: (
        partial(
            ascent.information,
            SimpleNamespace(
                F=F,
                sample=SimpleNamespace(K=4, weights=v(n)),
                columns=tuple(map(tuple, A(p + 1, n))),
                penalty=Counted(0),
            ),
            SimpleNamespace(P=[v(4)] * n, beyond=[v(4)] * n),
        ),
        (6 * n * ((p + 1) ** 2 + 3 * (p + 1) + 4) // 2, 0),
    ),
    "discriminants.comparators.nearest:Model.neighbours": lambda n, p: (
        partial(nearest.Model(A(n, p), tuple(range(n)), ones(n), n, 1).neighbours, v(p)),
        (n * p + 2, 0),
    ),
    "margins.crammer_singer.problem:Model.scores": lambda n, p: (
        partial(crammer_singer.Model(F, F, Linear(), (), (), A(n, p)).scores, [v(p)]),
        (n * p, 0),
    ),
    "margins.lee_lin_wahba.decision:Model.scores": lambda n, p: (
        partial(lee_lin_wahba.Model(F, F, Linear(), (), (), v(n), summing_to_zero(A(n, p))).scores, [v(p)]),
        (n * p, 0),
    ),
    "margins.svm.fit:Model.scores": lambda n, p: (
        partial(svm.Model(F, F, Linear(), (), v(n), Counted(1), v(p)).scores, A(n, p)),
        (n * p, 0),
    ),
    "optimise.linear_svm.dual_basis:DualBasis.inverse_diagonal": lambda n, p: (
        basis(n, p).inverse_diagonal,
        (n * p, 0),
    ),
    "optimise.linear_svm.dual_basis:DualBasis.take": lambda n, p: (
        partial(basis(n, p).take, n, v(p), Counted(0)),
        ((3 * n + 3) * p + 2, p),
    ),
    "kernels.dirichlet:Dirichlet": lambda n, p: (partial(Dirichlet(n), G, v(1), v(1, 2)), (n, 1)),
    "discriminants.gaussian.lda:Model.classify": lambda n, p: (
        partial(
            lda.Model(v(n), A(n, p), None, A(n, p), v(n), SimpleNamespace(logs=v(n), costs=None), A(n, p)).classify,
            list(A(3, p)),
        ),
        (3 * n * p, 0),
    ),
    "optimise.active_set.kkt_inverse:Inverse.pivot": lambda n, p: (
        partial(inverse(n).pivot, [kkt_inverse.Entering(n, v(n), v(1))], []),
        (n * n + n + n * n, n + 1),
    ),
    "optimise.mixture.kmeans:steps": lambda n, p: (partial(next, clusters(n, p)), (n * (3 * p + 2), 2 * p)),
    "margins.reduction.coupling:steps": lambda n, p: (
        partial(next, coupling.steps(SimpleNamespace(sides=lambda q, i: (Counted(1), Counted(1))), v(n))),
        (2 * n, n * (n + 1)),
    ),
    "optimise.smooth.sgd:solve": lambda n, p: (
        partial(sgd.solve, descent(3, p), Random(1), count=n),
        (3 * (p + 1) * n + p, 2 * p * n),
    ),
    "linear.clearing:product": lambda n, p: (partial(clearing.product, integers(n, p), integers(p, 3)), (3 * n * p, 0)),
    "linear.common_denominator:combination": lambda n, p: (
        partial(combination, integers(p, n), scaled(p), n),
        ((n + 1) * p, 0),
    ),
    "linear.common_denominator:combinations": lambda n, p: (
        partial(combinations, integers(p, n), [scaled(p), scaled(p)], n),
        (2 * (n + 1) * p, 0),
    ),
    "linear.exact.fraction_free:factor": lambda n, p: (
        partial(fraction_free.factor, integers(n, n)),
        (n * (n - 1) * (2 * n - 1) // 3 + n * n, n * (n - 1) * (2 * n - 1) // 6 + 2 * n * n),
    ),
    "linear.exact.fraction_free:Factor.solve": lambda n, p: (
        partial(fraction_free.factor(integers(n, n)).solve, integers(1, n)[0]),
        (3 * n * (n - 1) // 2 + n + n, n * (n + 1) // 2),
    ),
    "linear.factorisations.fixed_point:factor": lambda n, p: (
        partial(fixed_point.factor, fixed(n), 40),
        ((n - 1) ** 2, n * (n - 1) // 2),
    ),
    "linear.factorisations.fixed_point:Factor.solve": lambda n, p: (
        partial(fixed_point.factor(fixed(n), 40).solve, [Integer(1 << 40)] * n),
        (n * (n - 1), n),
    ),
    "kernels.matrices.product:squared_norm": lambda n, p: (
        partial(product.squared_norm, integers(n, n), scaled(n)),
        (n * n + 2 * n, 0),
    ),
    "kernels.matrices.product:exact_product": lambda n, p: (
        partial(product.exact_product, SimpleNamespace(kernel=Linear(), X=integers(n, p)), integers(1, n)[0]),
        (n * (2 * p + 1), 0),
    ),
    "estimators.protocol.certificates.stated:combinations": lambda n, p: (
        partial(combined, n, p),
        (2 * n * (p + 1), 0),
    ),
    "regress.linear.ridge_certificate:objective": lambda n, p: (
        partial(ridge_certificate.objective, integers(n, p), integers(n, 2), integers(p, 2), integers(1, n)[0]),
        (2 * n * (p + 2), 0),
    ),
}


# Costs of integers that are brought to one denominator or made fractions of: before 3.10 least common multiples and
# fractions take products and quotients of the integers that count.
FROM_3_10 = {
    "linear.clearing:product",
    "linear.common_denominator:combination",
    "linear.common_denominator:combinations",
    "linear.exact.fraction_free:factor",
    "kernels.matrices.product:squared_norm",
    "kernels.matrices.product:exact_product",
    "estimators.protocol.certificates.stated:combinations",
    "regress.linear.ridge_certificate:objective",
}


@pytest.mark.parametrize(("n", "p"), [(2, 3), (5, 2), (4, 4)])
@pytest.mark.parametrize("name", {**test_stated_costs.TABLE, **TABLE})
def test_what_a_cost_states_is_what_is_counted(name, n, p):
    """Multiplications and divisions of numbers or of integers, no more and no less."""
    if name in FROM_3_10 and sys.version_info < (3, 10):
        pytest.skip("fractions of integers are made otherwise")
    call, stated = (TABLE.get(name) or test_stated_costs.TABLE[name])(n, p)
    with counting() as c:
        call()
    assert (c.multiply, c.divide) == stated


def ridge(n):
    """Fit kernel ridge regression with the identity as Gram matrix."""
    return kernel_ridge.fit(G, identity(n), v(n), ones(n), penalty=Counted(3), intercept=False)


def second(made):
    """Return what takes the second item of an iterator, all before it being done."""
    next(made)
    return partial(next, made)


def without_a_row(p, q):
    """Return the step to another regression without a row, of q responses."""
    X, Y = sample(12, 2, p).X, A(12, q)
    return second(row_deletion.without_each(F, X, Y, ones(12), least_squares.fit(F, X, Y, ones(12))))


def without_an_observation(p, K):
    """Return the step to another linear discriminant analysis without an observation."""
    of = sample(20, K, p)
    return second(lda_deletion.without_each(F, of, lda.fit(F, of)))


def bent(m, work):
    """Return the work on a cubic smoothing spline with m knots, in fractions."""
    own = Smoother.of(Vector([Fraction(i * i) for i in range(m)]), Vector([Fraction(1)] * m))
    operator, y = own.at(Fraction(1)), Vector([Fraction(i % 3) for i in range(m)])
    curve = operator.curve(own.pooled((y,)))
    return partial(work, operator, y, curve.values[0], curve.seconds[0])


def straight(m):
    """Fit a smoothing spline to m points, in fractions."""
    X, Y = (Matrix([Vector([Fraction(f)]) for f in values]) for values in ([i * i for i in range(m)], [1] * m))
    return spline.fit(RATIONAL, X, Y, lam=Fraction(1))


def powers(degree):
    """Return the fit of a polynomial of one variable to 12 points."""
    X = Matrix([Vector([Counted(i)]) for i in range(12)])
    return partial(polynomial.fit, F, X, A(12, 1), degree=degree)


def near_identity(n):
    """Return a positive definite matrix of fractions."""
    return Matrix([Vector([Fraction(1, 1 if i == j else i + j + 3) for j in range(n)]) for i in range(n)])


# name -> the degree in n of the multiplications, the coefficient of its power (None where O() states none), the call
LEADING = {
    "discriminants.gaussian.lda:fit": (1, 6 * 3, lambda n: partial(lda.fit, G, sample(6 * n, 2, 2))),
    "discriminants.gaussian.lda_deletion:without_each": (2, 2 * 3 + 4, lambda n: without_an_observation(n, 3)),
    "discriminants.comparators.rbf_network:fit": (
        3,
        Fraction(1, 6),
        lambda n: partial(rbf_network.fit, G, sample(n, 2, 2), gamma=Counted(1), penalty=Counted(3)),
    ),
    "regress.kernel.ridge.kernel_ridge:fit": (3, Fraction(1, 6), lambda n: partial(ridge, n)),
    "regress.kernel.ridge.ridge_deletion:without_each": (
        2,
        1,
        lambda n: second(ridge_deletion.without_each(G, ridge(n))),
    ),
    "regress.kernel.smooth:Divided": (
        3,
        Fraction(1, 6),
        lambda n: partial(smooth.Divided, G, identity(n), ones(n), Counted(Fraction(1, 3))),
    ),
    "regress.linear.row_deletion:without_each": (2, 2, lambda n: without_a_row(n, 3)),
    "regress.linear.polynomial:fit": (2, 12 + Fraction(1, 2), powers),
    "linear.factorisations.low_rank:factored": (
        3,
        Fraction(1, 2),
        lambda n: partial(low_rank.factored, identity(n), n, Counted(0), G),
    ),
    "optimise.path.elbow_system:Elbow.append": (2, 2, lambda n: partial(elbow(n).append, -1, v(n), Counted(10**6))),
    "linear.factorisations.fixed_point:Factor.inverse": (
        3,
        Fraction(1, 3),
        lambda n: fixed_point.factor(fixed(n), 40).inverse,
    ),
    "linear.factorisations.fixed_point:Factor.inverse_diagonal": (
        3,
        Fraction(1, 6),
        lambda n: fixed_point.factor(fixed(n), 40).inverse_diagonal,
    ),
    "regress.linear.ridge_certificate:trace": (
        1,
        3 * 3 + 3,
        lambda n: partial(ridge_certificate.trace, integers(n + 3, 3), integers(1, n + 3)[0], identity(3), 20),
    ),
    "linear.exact.dixon:rank": (3, Fraction(1, 3), lambda n: partial(dixon.rank, integers(n, n))),
    "linear.exact.dixon:independent": (3, Fraction(1, 3), lambda n: partial(dixon.independent, integers(n, n))),
    "kernels.matrices.mercer:judge": (3, Fraction(1, 6), lambda n: partial(mercer.judge, near_identity(n))),
    "regress.spline.smoother:Cubic": (
        1,
        None,
        lambda n: lambda: Smoother.of(v(n + 2), ones(n + 2)).at(Counted(1)).degrees_of_freedom,
    ),
    "regress.spline.spline:fit": (1, None, lambda n: partial(straight, n + 2)),
    "regress.spline.certificate:bounds": (1, None, lambda n: bent(n + 2, certificate.bounds)),
    "regress.spline.certificate:slack": (1, None, lambda n: bent(n + 2, certificate.slack)),
}


@pytest.mark.parametrize("name", LEADING)
def test_a_leading_order_is_what_is_counted(name, monkeypatch):
    """The multiplications are a polynomial in n of the degree stated, with the coefficient stated."""
    degree, coefficient, made = LEADING[name]
    count_fractions(monkeypatch)
    counts = []
    for n in range(2, degree + 5):
        call = made(n)
        with counting() as c:
            call()
        counts.append(c.multiply)
    for _ in range(degree):
        counts = [b - a for a, b in zip(counts, counts[1:])]
    assert len(set(counts)) == 1 and counts[0] > 0
    assert coefficient is None or counts[0] == coefficient * factorial(degree)


def test_a_regression_without_a_row_costs_more_with_each_response():
    """By p + 2 multiplications."""
    taken = []
    for q in (1, 2, 3):
        call = without_a_row(4, q)
        with counting() as c:
            call()
        taken.append(c.multiply)
    assert taken[2] - taken[1] == taken[1] - taken[0] == 4 + 2


# name -> for n and p what is called, and the most multiplications and divisions
MOST = {
    "optimise.multiclass.zero_sum:minimum": lambda n, p: (
        partial(zero_sum.minimum, Counted(1), v(n), v(n)),
        (2 * n, 2 * n + 1),
    ),
    "bases.truncated:TruncatedPowers": lambda n, p: (
        partial(TruncatedPowers(p, v(n)), F, Counted(100)),
        (p * (n + p + 1), 0),
    ),
}


@pytest.mark.parametrize(("n", "p"), [(2, 3), (5, 2), (4, 4)])
@pytest.mark.parametrize("name", MOST)
def test_a_bound_on_a_cost_holds_and_is_no_more_than_twice_the_cost(name, n, p):
    """Multiplications and divisions."""
    call, (multiplications, divisions) = MOST[name](n, p)
    with counting() as c:
        call()
    assert c.multiply <= multiplications <= 2 * c.multiply and c.divide <= divisions <= 2 * c.divide + 1


def calls_of(work):
    """Return the arguments with which the work calls what it is given."""
    found = []
    work(lambda *given: found.append(given) or Counted(1))
    return found


def solutions(work):
    """Return how many right sides the work solves with a factor."""
    solved = []
    known = SimpleNamespace(solve=lambda B: solved.append(len(B[0])) or B)
    work(bordered.Factor(None, known, ones(4), True))
    return sum(solved)


def free_of(system):
    """Return the degrees of freedom of a ridge regression with that system."""
    equations = SimpleNamespace(factor=system)
    return kernel_ridge.Model(v(4), Counted(0), v(4), equations, ones(4), Counted(1)).degrees_of_freedom


def slopes(n):
    """Return how many multiplications it takes to pass n break points and stop at the next."""
    breaks = [(Counted(i), Counted(1), i) for i in range(n)] + [(Counted(n), Counted(9 * n), n)]
    with counting() as c:
        line_search.least(Counted(-2 * n), Counted(0), breaks)
    return c.multiply


def climbed(n, p):
    """Return the places of an n × p grid that hill climbing evaluates."""
    found = []
    hill = hill_climbing.Problem(lambda *x: found.append(x) or sum(x), (range(n), range(p)))
    list(hill_climbing.steps(hill, (0, 0)))
    return found


# name -> for n and p how many there are of what a Cost is stated in, and how many it states
UNITS = {
    "optimise.linear_svm.line_search:least": lambda n, p: (slopes(n), n + 1),
    "selection.hill_climbing:steps": lambda n, p: (len(climbed(n, p)), len(set(climbed(n, p)))),
    "sample.gaussian:log_density": lambda n, p: (
        len(
            calls_of(
                lambda log: gaussian.log_density(
                    dataclasses.replace(G, log=log), v(p), v(p), metric.factor(F, identity(p))
                )
            )
        ),
        p + 1,
    ),
    "linear.factorisations.gram_schmidt:Factor.normalised": lambda n, p: (
        len(calls_of(lambda sqrt: gram_schmidt.factor(F, identity(n)).normalised(dataclasses.replace(G, sqrt=sqrt)))),
        n,
    ),
    "margins.reduction.one_vs_one:fit": lambda n, p: (
        sum(len(q.places) for (q,) in calls_of(lambda train: one_vs_one.fit([*range(p)] * n, p, train))),
        (p - 1) * n * p,
    ),
    "margins.reduction.one_vs_rest:fit": lambda n, p: (
        [len(q.places) for (q,) in calls_of(lambda train: one_vs_rest.fit([*range(p)] * n, p, train))],
        [n * p] * p,
    ),
    "linear.bordered:Factor.diagonal": lambda n, p: (solutions(bordered.Factor.diagonal), 4),
    "regress.kernel.ridge.kernel_ridge:Model.degrees_of_freedom": lambda n, p: (solutions(free_of), 4),
    "kernels.spaces.features:subsequences": lambda n, p: (
        len(features.subsequences(String(p, Fraction(1, 2)), "abcdefghij"[: n + p])),
        comb(n + p, p),
    ),
}


OTHER_UNITS = {**test_stated_costs.UNITS, **test_unit_costs.UNITS, **UNITS}


@pytest.mark.parametrize(("n", "p"), [(2, 3), (5, 2), (4, 4)])
@pytest.mark.parametrize("name", OTHER_UNITS)
def test_what_a_cost_states_in_other_units_is_what_is_counted(name, n, p):
    """Values of a kernel, logarithms, roots, fits, solutions, subsequences, calls, rows, digits, draws: no more and
    no less.
    """
    found, stated = OTHER_UNITS[name](n, p)
    assert found == stated


@pytest.mark.parametrize(
    "scores",
    [
        lambda kernel: svm.Model(F, F, kernel, A(3, 2), v(3), Counted(1), None).scores,
        lambda kernel: crammer_singer.Model(F, F, kernel, A(3, 2), (v(3), v(3)), None).scores,
        lambda kernel: lee_lin_wahba.Model(F, F, kernel, A(3, 2), (v(3), -v(3)), v(2), None).scores,
    ],
)
def test_scores_take_a_value_of_the_kernel_for_each_support_point(scores):
    """Where the kernel is not linear, and no more with more classes."""
    kernel = Watched()
    scores(kernel)(A(5, 2))
    assert kernel.values == 5 * 3


def test_one_that_leaves_an_inverse_costs_what_is_stated():
    """m² − m multiplications and m divisions for one of m places."""
    with counting() as c:
        inverse(5).pivot([], [0])
    assert (c.multiply, c.divide) == (20, 5)


def test_this_page_counts_what_the_list_says_it_counts():
    """The names that `test_stated_costs` takes for counted here are those of the tables."""
    assert {*TABLE, *LEADING, *MOST, *UNITS} == set(COUNTED_IN["tests/laws/test_more_costs.py"].split())
