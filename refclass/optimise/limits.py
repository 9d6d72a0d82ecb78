"""Limits that iterations in doubles share: when one ends that gains nothing, and how far a step may go.

No number of an answer depends on them: every answer is proven afterwards, and says how many digits it has.
"""

from __future__ import annotations

MOST_STEPS, MOST_STEPS_PER_VARIABLE = 1000, 100  # of an active set or a working set: many times what any data needed
ROUNDOFF_UNITS = 256  # units of roundoff, of the terms of a sum, below which it counts as zero
CURVATURE_UNITS = 16  # units of roundoff of the largest diagonal entry: a smaller curvature may be roundoff
PATIENCE = 10  # iterations without gain in a row after which an iteration in doubles ends
BRIEF_PATIENCE = 3  # and rounds without gain, where a round is the work of many iterations
NEWTON_STEPS = 100  # most steps of an interior point method, or another of Newton's that ends after a few dozen
TO_BOUNDARY = 0.995  # part of the way to the boundary that an interior point's step goes (Wright 1997, chapter 10)
HALVINGS = 60  # of a step: a step this often halved is below the spacing of doubles, 2⁻⁵²
REFINEMENTS = 4  # steps of iterative refinement: each wins the digits that the factor has, and doubles have 16
FLAT_RTOL = 1e-10  # along a direction without curvature, the part of its terms below which a slope or step is roundoff
MOST_WORK = 4 * 10**9  # multiplications with a factor, a minute or two, after which decomposition ends where it is
DOUBLE_DIGITS = 15  # decimals of so many digits are kept by doubles
FEW_VARIABLES = 30  # for so many the exact elimination of a matrix costs next to nothing beside the rest of a proof


def most_steps(n: int) -> int:
    """Return after how many steps an iteration on n variables in rounded numbers ends, unless `max_steps` says."""
    return MOST_STEPS + MOST_STEPS_PER_VARIABLE * n
