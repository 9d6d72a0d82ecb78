"""Anderson acceleration: the fixed points of EM, in fewer steps, ℓ rising all the way."""

from dataclasses import replace
from random import Random

import pytest

from refclass.errors import NoAnswer
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.tolerance import near
from refclass.optimise.mixture import anderson, em, em_certificate
from refclass.optimise.mixture.likelihood import hard
from tests.optimise.mixture.test_em import asked
from tests.optimise.mixture.test_likelihood import problem

D = decimal(40)


def drawn(seed, F=BINARY64, **options):
    """Return a problem of two classes in the plane, each of three overlapping clusters, and a start."""
    rng = Random(seed)
    centres = [[rng.randint(-3, 3) for _ in range(2)] for _ in range(6)]
    rows = [[c + round(rng.gauss(0, 1), 3) for c in centres[i % 6]] for i in range(90)]
    made = problem(F, rows, [i % 2 for i in range(90)], **options)
    return made, hard(made, [rng.randrange(3) for _ in range(90)], [3, 3])


def ended(F, made, start, iterate):
    """Return the states of an iteration up to its end."""
    states = list(iterate(F, made, start))
    assert states[-1].settled and not any(state.settled for state in states[:-1])
    return states


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_it_ends_at_the_point_where_the_page_ends(seed):
    """From the same start the accelerated iteration and plain EM end at one mixture, proven stationary, with the same
    ℓ, in no more steps; where EM takes 300 the engine takes less than half  [OPT-EM.P2] [RC-15]."""
    made, start = drawn(seed)
    fast, plain = ended(BINARY64, made, start, anderson.steps), ended(BINARY64, made, start, em.steps)
    assert abs(fast[-1].value - plain[-1].value) <= 1e-9 * abs(plain[-1].value)
    assert all((a - b).largest() < 1e-6 for a, b in zip(fast[-1].x.means, plain[-1].x.means))
    assert em_certificate.certify(BINARY64, made, fast[-1].x).status == "stationary"
    assert len(fast) <= len(plain) and (len(plain) < 300 or 2 * len(fast) < len(plain))


@pytest.mark.parametrize("options", [{}, {"rank": 1}])
@pytest.mark.parametrize("F", [BINARY64, D])
def test_every_state_keeps_its_promises(F, options):
    """Shares and weights sum to one, ℓ is that of the formula, and no step lowers it  [MDA-LL.P1] [OPT-EM.P1]."""
    made, start = asked(F, **options)
    for state in anderson.steps(F, made, start):
        state.check()


def test_coefficients_make_the_shares_of_the_mixture():
    """The shares of the coefficients are those of the E-step, and a constant added to a class changes none."""
    made, start = drawn(1, D)
    state = next(em.steps(D, made, start))
    lines = anderson.coefficients(D, made, state.x)
    moved = [[(a + Vector.of([D.kind(2)] * 2), b + 1) for a, b in own] for own in lines]
    for found in (lines, moved):
        for own, theirs in zip(anderson._shares(D, made, found), state.shares):
            assert all(near(D, a, b, steps=10**4) for x, z in zip(own, theirs) for a, b in zip(x, z))


def test_subclasses_without_points_are_dropped_or_refused():
    """A start with an empty subclass is refused, or goes on without it, as with plain EM."""
    made, start = asked(D)
    empty = (start[0], (tuple(a + b for a, b in zip(*start[1])), tuple(0 * a for a in start[1][0])))
    with pytest.raises(NoAnswer, match="points in every subclass"):
        list(anderson.steps(D, made, empty))
    dropping = replace(made, drop=True)
    fast, plain = ended(D, dropping, empty, anderson.steps), ended(D, dropping, empty, em.steps)
    assert [len(pi) for pi in fast[-1].x.weights] == [2, 1]
    assert near(D, fast[-1].value, plain[-1].value, steps=10**6)
