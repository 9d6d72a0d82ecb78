"""The network with one hidden layer: its gradient, its training, its outputs."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from refclass import NeuralNetwork
from refclass.discriminants.comparators import network
from refclass.errors import InvalidInput, NotExact
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.optimise.smooth import lbfgs
from refclass.sample import data
from tests.discriminants.samples import PLANE, exact, over

D = decimal(40)
FLAT = exact(*PLANE)


def asked(F, penalty=Fraction(1, 10), hidden=2, sample=FLAT):
    """Return the problem of a small network and coefficients to start from."""
    problem = network.problem(F, over(F, sample), hidden=hidden, penalty=F.lift(penalty))
    return problem, network.start(problem, random.Random(4))


def test_the_gradient_is_that_of_differences():
    """Every entry of the propagated gradient is (E(x + h) − E(x − h))/2h up to h²  [CMP-MLP]."""
    problem, x = asked(D)
    _, gradient = problem.evaluate(x)
    h = D.lift(Fraction(1, 10**12))
    assert len(x) == problem.shape.size == 2 * 3 + 3 * 3
    for i in range(len(x)):
        step = h * Vector.unit(len(x), i, D.kind)
        slope = (problem.evaluate(x + step)[0] - problem.evaluate(x - step)[0]) / (2 * h)
        assert abs(slope - gradient[i]) < D.lift(Fraction(1, 10**20))


def test_the_criterion_is_the_likelihood_and_the_penalty():
    """E is −Σ log Pr(g(i) | xᵢ) + ½λ times the squares of all coefficients but the constants, by the outputs."""
    problem, x = asked(D)
    model = problem.model(x)
    sample = over(D, FLAT)
    want = -sum(D.log(model.posterior(z)[g]) for z, g in zip(sample.X, sample.labels))
    squares = sum(v * v for row in (*model.alpha, *model.beta) for v in row[1:])
    assert near(D, problem.evaluate(x)[0], want + problem.penalty * squares / 2, steps=100)
    assert problem.shape.constants() == [0, 3, 6, 9, 12]


@pytest.mark.parametrize("F", [BINARY64, decimal(25)])
def test_every_step_of_the_training_lowers_the_criterion(F):
    """States are true, values fall, and with a penalty a stationary point is reached  [CMP-MLP]."""
    problem, x = asked(F)
    states = list(network.fit_steps(problem, x, tol=F.sqrt(F.eps), max_iter=60 if F is not BINARY64 else 300))
    for state in states[:: max(1, len(states) // 8)]:
        state.check()
    assert states[-1].value < 13 < 25 < states[0].value
    if F is BINARY64:
        assert states[-1].gradient.largest() < 1e-6
        assert lbfgs.certify(states[-1].problem, states[-1].x).worst_violation < 1e-6


def test_enough_units_learn_what_no_line_can():
    """The corners of a square, opposite ones of one class: four units get all right."""
    crossed = exact([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1])
    problem, x = asked(BINARY64, penalty=0, hidden=4, sample=crossed)
    model, last = network.fit(problem, x, tol=1e-8, max_iter=200)
    sample = over(BINARY64, crossed)
    assert model.classify(sample.X) == [0, 0, 1, 1] and last.value < 1e-3
    for z in sample.X:
        assert near(BINARY64, model.posterior(z).sum(), 1.0)
        assert model.decide(z).classes == (model.predict(z),)


def test_units_of_variables_do_not_matter():
    """Variables are brought to mean zero and variance one: other units, nearly the same iteration; a constant variable
    is left alone.
    """
    problem, x = asked(BINARY64)
    stretched = data.read(BINARY64, [[1024 * a, b - 8] for a, b in over(BINARY64, FLAT).X], FLAT.labels)
    other = network.problem(BINARY64, stretched, hidden=2, penalty=0.1)
    assert near(BINARY64, other.evaluate(x)[0], problem.evaluate(x)[0], steps=100)
    still = data.read(BINARY64, [[a, 5.0] for a, _ in over(BINARY64, FLAT).X], FLAT.labels)
    assert network.problem(BINARY64, still, hidden=2, penalty=0.1).scale[1] == 1


def test_the_same_seed_gives_the_same_network():
    """Bit for bit, and the same numbers in every arithmetic; another seed gives another one."""
    problem, x = asked(BINARY64)
    again = network.start(problem, random.Random(4))
    assert x == again != network.start(problem, random.Random(5))
    digits, y = asked(D)
    assert all(abs(a - float(b)) < 1e-15 for a, b in zip(x, y))
    assert network.fit(problem, x, tol=1e-3, max_iter=9) == network.fit(problem, x, tol=1e-3, max_iter=9)
    assert digits.shape == problem.shape


def test_weights_count_as_copies_in_the_criterion():
    """An integer weight is so many copies."""
    w = [1 + i % 2 for i in range(19)]
    rows = over(BINARY64, FLAT).X
    weighted = data.read(BINARY64, rows, FLAT.labels, w)
    copies = [i for i, c in enumerate(w) for _ in range(c)]
    repeated = data.read(BINARY64, [rows[i] for i in copies], [FLAT.labels[i] for i in copies])
    a, b = (network.problem(BINARY64, s, hidden=2, penalty=0.1) for s in (weighted, repeated))
    x = network.start(a, random.Random(4))
    assert near(BINARY64, a.unit * a.evaluate(x)[0], b.unit * b.evaluate(x)[0], steps=100)


def test_what_a_network_cannot_be_is_refused():
    """No hidden unit, a negative penalty; exact arithmetic has no hyperbolic tangents."""
    sample = over(BINARY64, FLAT)
    for options in ({"hidden": 0, "penalty": 0.0}, {"hidden": 1, "penalty": -1.0}):
        with pytest.raises(InvalidInput):
            network.problem(BINARY64, sample, **options)
    with pytest.raises(NotExact):
        asked(RATIONAL)
    problem, x = asked(BINARY64)
    assert replace(problem, penalty=0.0).evaluate(x)[0] < problem.evaluate(x)[0]


@pytest.mark.parametrize("tables", [[0, 5], pytest.param(range(40), marks=pytest.mark.thorough)])
def test_a_penalty_of_any_size_is_trained_to_the_end(tables):
    """Coefficients of 1/λ beside constants of one: roundoff of the criterion hides them; the gradient does not."""
    for seed in tables:
        r = random.Random(seed)
        K, n, p = r.choice([2, 3]), r.choice([9, 12]), r.choice([1, 2, 3])
        rows = [[r.gauss(i % K, 1) for _ in range(p)] for i in range(n)]
        for penalty in (1e3, 1e9, 1e12, 1e30, 1e100):
            asked = NeuralNetwork(hidden=r.choice([1, 2, 3]), penalty=penalty, seed=seed)
            model = asked.fit(rows, [i % K for i in range(n)])
            assert model.certificate_.status == "stationary", (seed, penalty, model.certificate_)
            assert max(abs(v) for row in model.hidden_coef_ for v in row[1:]) * penalty < 10 * n
