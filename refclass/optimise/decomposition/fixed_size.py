"""Decomposition (Osuna, Freund and Girosi 1997; Joachims 1999)  [MMST-11.6-decomposition].

The working set has a constant size: as many variables leave as enter.

Solves    minimise ½xᵀQx + cᵀx subject to lower ≤ x ≤ upper and, with an intercept, Σ xᵢ = d
Given     a feasible point, or none
Yields    a feasible point after every working set is solved; the objective never rises

The working set is chosen by steepest feasible descent (Joachims): the variables of largest −∂f/∂xᵢ among those that can
rise, and of smallest among those that can fall; all the others are held where they are, support vectors too. The
smallest size, two, is `smo` with the pair of steepest slope.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Optional

from refclass.errors import InvalidInput
from refclass.number.field import Number
from refclass.optimise.active_set import recession
from refclass.optimise.decomposition import smo
from refclass.optimise.decomposition.chunking import Part
from refclass.optimise.limits import most_steps
from refclass.optimise.quadratic import box_bounds
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.box import State
from refclass.optimise.quadratic.certificate import Answer, Problem

certify = quadratic.certify

SIZE = 40  # variables in the working set


def steps(
    problem: Problem,
    *,
    size: int = SIZE,
    tol: Optional[Number] = None,
    start: Optional[Iterable[Number]] = None,
) -> Iterator[State]:
    """Yield the states of the iteration, its feasible start first; options as for `solve`."""
    if size < 2:
        raise InvalidInput("decomposition", need="a working set of at least two variables", got=size)
    part = Part(problem, "decomposition", smo.tolerance(problem) if tol is None else tol, start)
    yield part.state(part.value)
    count, search = 0, smo.PER_VARIABLE
    while not part.done():
        previous = part.value
        if not part.improve(sorted(part.worst(size))):
            return
        yield part.state(previous)
        count += 1
        if count == search:
            recession.refuse(problem, part.x, "decomposition")
            search *= 2


def solve(
    problem: Problem,
    *,
    size: int = SIZE,
    tol: Optional[Number] = None,
    start: Optional[Iterable[Number]] = None,
    max_steps: Optional[int] = None,
) -> Answer:
    """Return the minimum, up to violations of optimality of at most tol, with its multipliers.

    size         how many variables are in the working set; all of them, if the problem has no more
    tol, start   as for `smo`
    max_steps    how many working sets to solve at most; without it 1000 and a hundred times n

    Exact        every working set is, on fractions; the iteration approaches the minimum, in general without end, and
                 stops at tol
    Cost         a step: the solution of a problem in `size` variables, and n multiplications for each support vector
    Raises       InvalidInput for other constraints or a size below two; NoAnswer when infeasible, unbounded (with a
                 ray) or not convex (with a direction); NotConverged after max_steps, and where roundoff leaves more
                 than tol, with bounds on the least value

    Example
        >>> from refclass.linear.matrix import Matrix
        >>> from refclass.linear.vector import Vector
        >>> K, y = Matrix([[1.0, -1.0], [-1.0, 1.0]]), Vector([1.0, -1.0])
        >>> E, d = Matrix([[1.0, 1.0]]), Vector([0.0])
        >>> solve(Problem(K, -y, (0.0, -2.0), (2.0, 0.0), E, d)).x
        Vector(0.5, -0.5)
    """
    # Proof: the working set holds the pair that violates optimality most, so that each step lowers the objective at
    # least as far as the best step of that pair; steps of that kind converge to the minimum.
    states = steps(problem, size=size, tol=tol, start=start)
    most = most_steps(problem.n) if max_steps is None else max_steps
    state, count = box_bounds.last(states, "decomposition", most)
    return box_bounds.finished(problem, state, count, "decomposition", tol)
