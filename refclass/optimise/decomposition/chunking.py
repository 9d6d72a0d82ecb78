"""Chunking (Vapnik 1982, as Osuna, Freund and Girosi 1997 state it)  [MMST-11.6-chunking].

The problem is solved on a part of the data; its support vectors are kept, and the worst violators are added.

Solves    minimise ½xᵀQx + cᵀx subject to lower ≤ x ≤ upper and, with an intercept, Σ xᵢ = d
Given     a feasible point, or none
Yields    a feasible point after every chunk is solved; the objective never rises

The working set is the support, xᵢ ≠ 0, and a fixed number of those that most violate optimality: all violators are
sorted, not only the points on the wrong side of the surface  [ERR-MMST-25]. The problem on it is solved to the end by a
general solver, `active_set`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Optional

from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.number.tolerance import THRESHOLD, roundoff
from refclass.optimise.active_set import recession
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.limits import most_steps
from refclass.optimise.quadratic import box, box_bounds, box_rows
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.box import State
from refclass.optimise.quadratic.certificate import Answer, Problem

certify = quadratic.certify

SIZE = 100  # violators that enter at a time


def steps(
    problem: Problem,
    *,
    size: int = SIZE,
    tol: Optional[Number] = None,
    start: Optional[Iterable[Number]] = None,
) -> Iterator[State]:
    """Yield the states of the iteration, its feasible start first; options as for `solve`."""
    if size < 2:
        raise InvalidInput("chunking", need="at least two violators at a time, to move against each other", got=size)
    part = Part(problem, "chunking", tol, start)
    yield part.state(part.value)
    while not part.done():
        support = {i for i, v in enumerate(part.x) if v}
        previous = part.value
        if not part.improve(sorted(support.union(part.worst(size)))):
            return
        yield part.state(previous)


class Part:
    """An iteration that solves the problem on some of its variables at a time, the others held.

    x, g, value    the point, its gradient and its objective
    """

    def __init__(self, problem: Problem, module: str, tol: Optional[Number], start: Optional[Iterable[Number]]) -> None:
        self.paired = box.summed(problem, module)
        self.problem, self.module, self.tol = problem, module, tol
        self.x = box.start(problem, start)
        self.renew()

    def renew(self) -> None:
        """Compute gradient and objective afresh."""
        self.g: Sequence[Number] = quadratic.gradient(self.problem, Vector.of(self.x))
        self.value = box.objective(self.problem, self.x, self.g)

    def done(self) -> bool:
        """Return whether no violation exceeds tol; without tol, zero, or of rounded numbers what roundoff explains."""
        tol = box_bounds.unresolved(self.problem, self.x) if self.tol is None else self.tol
        return bool(self.violation() <= tol)

    def _slopes(self) -> tuple[list[Number], list[bool], list[bool]]:
        m = [-v for v in self.g]
        return m, box.rising(self.x, self.problem.upper), box.falling(self.x, self.problem.lower)

    def violation(self) -> Number:
        """Return how far the worst pair violates optimality."""
        return box.violation(*self._slopes(), self.paired)

    def worst(self, size: int) -> list[int]:
        """Return the variables of largest m that can rise and of smallest that can fall, `size` in all, worst first.

        Half of them come from each side as long as there are enough; with the sum held, one side alone cannot move.
        """
        m, rise, fall = self._slopes()
        zero = self.problem.kind(0)
        up = sorted([i for i, can in enumerate(rise) if can and (self.paired or m[i] > zero)], key=lambda i: -m[i])
        down = sorted([i for i, can in enumerate(fall) if can and (self.paired or m[i] < zero)], key=lambda i: m[i])
        mixed = [i for pair in zip(up, down) for i in pair]
        longer = up if len(up) > len(down) else down
        mixed += longer[min(len(up), len(down)) :]
        return list(dict.fromkeys(mixed))[:size]

    def improve(self, places: list[int]) -> bool:
        """Solve the problem on the places, the others held; say whether anything moved."""
        part = box_rows.restrict(self.problem, places, self.x, self.g)
        here = [self.x[i] for i in places]
        try:
            found = active_set.solve(part, start=Vector.of(here)).x
        except NotConverged:
            raise self._unresolved("a part that the active-set method solves", "none within its steps") from None
        except NoAnswer as refusal:
            if self._is_roundoff(refusal, places):
                raise self._unresolved("curvature that roundoff leaves", refusal.got) from None
            raise self._whole(refusal, places) from None
        for i, v in zip(places, found):
            self.x[i] = v
        self.renew()
        return list(found) != here

    def _unresolved(self, need: str, got: object) -> NotConverged:
        """Return the refusal where roundoff ends the iteration, with bounds on the least value."""
        value, least = box_bounds.bounds(self.problem, self.x)
        return NotConverged(self.module, need=need, got=got, x=Vector.of(self.x), primal=value, dual=least)

    def _is_roundoff(self, refusal: NoAnswer, places: list[int]) -> bool:
        """Return whether what the solver of a part of rounded numbers calls a direction is none, exactly.

        Along a ray the box must be open; a direction must have negative curvature by more than the rounding of the
        entries of Q explains.
        """
        if not roundoff(self.problem.kind):
            return False
        if "ray" in refusal.witness:
            return recession.bounded(self.problem)
        direction = refusal.witness.get("direction")
        if direction is None:  # Premise: the held point is feasible, so that a part cannot be infeasible.
            return True
        Q = box_rows.Restricted(self.problem.Q, places)
        d = Vector.of([Fraction(*v.as_integer_ratio()) for v in direction])
        size = sum(map(abs, d))
        unit = (
            THRESHOLD
            * Fraction(*roundoff(self.problem.kind).as_integer_ratio())
            * Fraction(*recession.largest(Q).as_integer_ratio())
            * size
            * size
        )
        return bool(d @ quadratic.product(Q, d) >= -unit)

    def _whole(self, refusal: NoAnswer, places: list[int]) -> NoAnswer:
        """Return the refusal of a part as one of the whole: its witness, a direction, is zero elsewhere."""
        witness = {
            name: box.spread(self.problem.c, places, v) if isinstance(v, Vector) and len(v) == len(places) else v
            for name, v in refusal.witness.items()
        }
        return NoAnswer(self.module, need=refusal.need, got=refusal.got, **witness)

    def state(self, previous: Number) -> State:
        """Return where the iteration stands."""
        return State(self.problem, Vector.of(self.x), self.value, previous, self.violation())


def solve(
    problem: Problem,
    *,
    size: int = SIZE,
    tol: Optional[Number] = None,
    start: Optional[Iterable[Number]] = None,
    max_steps: Optional[int] = None,
) -> Answer:
    """Return the minimum, up to violations of optimality of at most tol, with its multipliers.

    size         how many violators enter at a time
    tol          the largest violation allowed; without it zero, or of rounded numbers what roundoff explains
    start        a point to start from; without it zero. The feasible point nearest to it is taken
    max_steps    how many chunks to solve at most

    Exact        yes: on fractions every optimality condition holds with ==
    Cost         a chunk with s support vectors: the solution of a problem in s + size variables, and ns multiplications
    Raises       InvalidInput for other constraints or a size below two; NoAnswer when infeasible, unbounded (with a
                 ray) or not convex (with a direction); NotConverged after max_steps

    Example
        >>> from refclass.linear.matrix import Matrix
        >>> K, y = Matrix([[1.0, -1.0], [-1.0, 1.0]]), Vector([1.0, -1.0])
        >>> E, d = Matrix([[1.0, 1.0]]), Vector([0.0])
        >>> solve(Problem(K, -y, (0.0, -2.0), (2.0, 0.0), E, d)).x
        Vector(0.5, -0.5)
    """
    # Proof: the working set holds the support and a violator, so that each chunk lowers the objective; and each ends at
    # the minimum over one working set with the others at their bounds. There are finitely many of those.
    states = steps(problem, size=size, tol=tol, start=start)
    most = most_steps(problem.n) if max_steps is None and roundoff(problem.kind) else max_steps
    state, count = box_bounds.last(states, "chunking", most)
    return box_bounds.finished(problem, state, count, "chunking", tol)
