"""A neural network with one hidden layer, trained on the likelihood of its softmax outputs.

Z_m = tanh(α_m0 + α_mᵀz)        T_k = β_k0 + β_kᵀZ        Pr(k | x) = exp T_k/Σₗ exp Tₗ
minimise −Σᵢ wᵢ log Pr(g(i) | xᵢ) + ½λ(Σ‖α_m‖² + Σ‖β_k‖²)

z is x with each variable brought to mean zero and variance one; the constants are not penalised.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import add
from random import Random
from typing import Optional

from refclass.discriminants.decision import log_posteriors
from refclass.discriminants.decision.decide import Deciding
from refclass.errors import InvalidInput
from refclass.iteration import ending
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, as_given, dot
from refclass.number.field import Field, Number, rational
from refclass.number.text import show
from refclass.number.tolerance import THRESHOLD, magnitude
from refclass.optimise.mixture.likelihood import normalised
from refclass.optimise.smooth import lbfgs
from refclass.optimise.smooth.lbfgs import State
from refclass.sample.mean import Origin, centred, mean, of_columns
from refclass.sample.observations import Block, Sample, units

ORDINARY = 32  # the heaviest weight, and one over it, up to which weights count as copies, `tol` being what it is
DENORMAL = Fraction(1, 2**1000)  # what is smaller, or its differences are, has fewer digits than other doubles
CHANCES = 10**6  # starting coefficients are multiples of its inverse


@dataclass(frozen=True)
class Shape:
    """The sizes of a network, and how its coefficients lie in one vector: α row by row, then β.

    p    variables
    M    hidden units
    K    outputs
    """

    p: int
    M: int
    K: int

    @property
    def size(self) -> int:
        """How many coefficients there are."""
        return self.M * (self.p + 1) + self.K * (self.M + 1)

    def parts(self, x: Sequence[Number]) -> tuple[Matrix, Matrix]:
        """Return α, M × (p + 1), and β, K × (M + 1), the constants first."""
        wide, high = self.p + 1, self.M + 1
        end = self.M * wide
        alpha = [Vector.of(x[i : i + wide]) for i in range(0, end, wide)]
        beta = [Vector.of(x[i : i + high]) for i in range(end, self.size, high)]
        return Matrix.of(alpha), Matrix.of(beta)

    def constants(self) -> list[int]:
        """Return the places of the constants in the vector."""
        end = self.M * (self.p + 1)
        return [*range(0, end, self.p + 1), *range(end, self.size, self.M + 1)]


@dataclass(frozen=True)
class Model(Deciding):
    """A trained network  [CMP-MLP].

    centre, scale    p numbers each: z = (x − centre)/scale
    origin           the centre with what rounding has taken off it, in rounded arithmetic
    alpha            M × (p + 1), the constants first
    beta             K × (M + 1)
    """

    F: Field
    centre: Vector
    scale: Vector
    origin: Optional[Origin]
    alpha: Matrix
    beta: Matrix

    def scores(self, x: Vector) -> Vector:
        """Return the outputs T₁(x) … T_K(x): the logarithms of the posteriors, up to a common shift."""
        one = self.F.kind(1)
        origin = self.origin
        away = x - self.centre if origin is None or not origin.far else origin.away(x)
        z = (one, *(v / s for v, s in zip(away, self.scale)))
        hidden = (one, *(self.F.tanh(dot(a, z)) for a in self.alpha))
        return Vector.of([dot(b, hidden) for b in self.beta])

    def posterior(self, x: Vector) -> Vector:
        """Return the softmax of the outputs."""
        return log_posteriors.softmax(self.F, self.scores(x))


@dataclass(frozen=True)
class Problem:
    """A sample for a network of a shape, the criterion over a unit near the heaviest weight.

    unit       one; of far larger and of far smaller weights a power of two near the heaviest, in decimals of ten, so
               that weights of 10¹⁰⁰ train as those of one do
    rows       n rows (1, z)
    columns    the same by columns
    labels     n class numbers
    weights    n numbers ≥ 0, over the unit
    penalty    λ ≥ 0, over the unit
    centre, scale, origin    what z is made with
    """

    F: Field
    unit: Number
    shape: Shape
    rows: tuple[Vector, ...]
    columns: tuple[tuple[Number, ...], ...]
    labels: tuple[int, ...]
    weights: Vector
    penalty: Number
    centre: Vector
    scale: Vector
    origin: Optional[Origin]

    @property
    def tol_scale(self) -> Number:
        """What `tol` is multiplied by: one, or the heaviest weight over the unit where that is another."""
        return self.unit / self.unit if self.unit == 1 else max(self.weights)

    def evaluate(self, x: Vector) -> tuple[Number, Vector]:
        """Return the criterion and its gradient, both over the unit, by propagation back from the outputs.

        Cost      n(2M(p + 2) + 3K(M + 1)) multiplications, n·M hyperbolic tangents and n·K exponentials
        """
        F, n = self.F, len(self.rows)
        alpha, beta = self.shape.parts(x)
        hidden = [tuple([F.tanh(dot(a, z)) for z in self.rows]) for a in alpha]
        layers = [(F.kind(1),) * n, *hidden]
        across = list(zip(*layers))
        outputs = [[dot(b, Z) for Z in across] for b in beta]
        shares, logs = normalised(F, outputs)
        value = dot(self.weights, [t - outputs[g][i] for i, (t, g) in enumerate(zip(logs, self.labels))])
        missed = [
            tuple([w * (s - 1) if g == k else w * s for w, s, g in zip(self.weights, column, self.labels)])
            for k, column in enumerate(shares)
        ]
        gradient = []
        back = list(zip(*missed))
        for Z, b in zip(hidden, list(zip(*beta))[1:]):
            pulled = [dot(b, d) * (1 - v * v) for d, v in zip(back, Z)]
            gradient += [dot(pulled, column) for column in self.columns]
        for d in missed:
            gradient += [dot(d, Z) for Z in layers]
        decay = [self.penalty * v for v in x]
        for i in self.shape.constants():
            decay[i] = decay[i] - decay[i]
        return value + dot(decay, x) / 2, Vector.of(map(add, gradient, decay))

    def criterion(self) -> lbfgs.Problem:
        """Return what is minimised: f, whose second derivatives are about λ where λ is large, but for constants."""
        F, units = self.F, None
        if self.penalty > 1:
            one, small = F.kind(1), 1 / F.sqrt(self.penalty)
            constants = set(self.shape.constants())
            units = Vector.of([one if i in constants else small for i in range(self.shape.size)])
        return lbfgs.Problem(self.evaluate, units, THRESHOLD * F.eps)

    def model(self, x: Vector) -> Model:
        """Return the network with these coefficients."""
        return Model(self.F, self.centre, self.scale, self.origin, *self.shape.parts(x))


def problem(F: Field, sample: Sample, *, hidden: int, penalty: Number) -> Problem:
    """Return the problem of a network with that many hidden units.

    Raises    InvalidInput unless there is a hidden unit, and λ ≥ 0
    """
    if hidden < 1 or penalty < 0:
        raise InvalidInput("network", need="a hidden unit or more, and a penalty ≥ 0", got=f"{hidden}, {penalty}")
    centre, away, origin = _measured(F, sample)
    reach = units(away)
    for j, u in enumerate(reach):
        if type(u) is float and u < DENORMAL:
            need = "columns whose spread has the digits of doubles (scale them)"
            raise InvalidInput("network", need=need, got=f"one of {show(u)}", column=j)
    spreads = []
    for column, u in zip(away, reach):
        shares = sample.weights / sample.whole.size
        spreads.append(u * F.sqrt(dot(shares, [(v / u) * (v / u) for v in column])))
    scale = Vector.of([s if s > 0 else s + 1 for s in spreads])
    z = [(F.kind(1),) * sample.n, *(tuple([v / s for v in column]) for column, s in zip(away, scale))]
    rows = tuple(map(Vector.of, zip(*z)))
    shape = Shape(sample.p, hidden, sample.K)
    heaviest = max(sample.weights)
    unit = F.kind(1) if 1 <= heaviest * ORDINARY <= ORDINARY * ORDINARY else magnitude(heaviest)
    weights, penalty = sample.weights / unit, penalty / unit
    return Problem(F, unit, shape, rows, tuple(z), sample.labels, weights, penalty, centre, scale, origin)


def _measured(F: Field, sample: Sample) -> tuple[Vector, list[tuple[Number, ...]], Optional[Origin]]:
    """Return the mean, the columns measured from it, and the point that others are to be measured from.

    A row whose weight outweighs others by more than a number has digits lies so near the mean that what rounding takes
    off this would be most of the variance: there all of it is computed in fractions and rounded once.
    """
    if not max(sample.weights) * F.eps > min(w for w in sample.weights if w):
        centre = mean(sample.whole)
        away = centred(sample.whole, centre)
        return centre, away, of_columns(sample.whole, centre, away)
    rows = [Vector.of(map(rational, as_given(x))) for x in sample.X]
    block = Block.of(Matrix.of(rows), Vector.of(map(rational, sample.weights)))
    middle = mean(block)
    found = [tuple(map(F.lift, column)) for column in centred(block, middle)]
    centre = Vector.of(map(F.lift, middle))
    rest = Vector.of([F.lift(c - rational(v)) for c, v in zip(middle, centre)])
    return centre, found, Origin(centre, rest)


def start(asked: Problem, rng: Random) -> Vector:
    """Return coefficients to start from: evenly spread over ±1/√(number of inputs of the unit), constants included.

    The same for the same seed, in every arithmetic.
    """
    F, shape, found = asked.F, asked.shape, []
    for count, inputs in ((shape.M, shape.p + 1), (shape.K, shape.M + 1)):
        reach = F.sqrt(F.kind(inputs))
        for _ in range(count * inputs):
            found.append(F.kind(rng.randrange(1 - CHANCES, CHANCES)) / CHANCES / reach)
    return Vector.of(found)


def fit_steps(asked: Problem, x: Vector, *, tol: Number, max_iter: int) -> Generator[State, None, tuple[Model, State]]:
    """Yield the states of the training, and return the network with the last state  [CMP-MLP].

    It ends once no entry of the gradient, over the unit, exceeds tol times its scale, or nothing is gained any more, or
    after max_iter steps: to stop early is a way to train, and no refusal; the certificate says how far from stationary
    the end is.
    """
    state = None
    for state in lbfgs.steps(asked.F, asked.criterion(), x):
        yield state
        if state.gradient.largest() <= tol * asked.tol_scale or state.step >= max_iter:
            break
    assert state is not None
    return asked.model(state.x), state


def fit(asked: Problem, x: Vector, *, tol: Number, max_iter: int) -> tuple[Model, State]:
    """Return the network at the end of the training, and the last state."""
    return ending(fit_steps(asked, x, tol=tol, max_iter=max_iter))
