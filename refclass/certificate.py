"""Certificates: what has been proven about an answer, in one vocabulary, to how many digits, and what refutes it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, Optional

from refclass.errors import NotConverged, quoted
from refclass.number.field import rational
from refclass.number.text import approximate

ASKED = 9  # decimal digits of the objective that a default fit proves, and that "optimal" means unless stated otherwise

# Factor of the unit of roundoff that a defining equation may miss by; the threshold of LAPACK's test ratios.
UNITS = 30

UNSURE = float(Fraction(1, 10**6))  # of a hundredth of a digit
LONG = 4096  # bits of integers from which on their ratio is rounded down before powers of it are compared

MEANING = {
    "stationary": " (first-order conditions hold)",
    "feasible": " (no bound on the distance from the optimum)",
}


@dataclass(frozen=True, repr=False)
class Certificate:
    """What has been proven about an answer, every number exact.

    status           "optimal"           every condition holds with ==, or the relative gap is at most 10^−asked
                     "7.3 digits"        so many digits of the objective are proven, fewer than were asked for; less
                                         than one where the ceiling has none
                     "within roundoff"   the defining equations hold up to 30 units of roundoff; there is no gap
                     "stationary"        the first-order conditions hold, to the digits asked for; not convex
                     "feasible"          the constraints hold; nothing bounds the distance from the optimum
                     "not converged"     less than one digit is proven, or a condition fails
                     "infeasible"        a constraint without slack is violated
    primal           the objective at the answer
    dual             a lower bound on the objective over all feasible points, attained at an exactly feasible dual point
    gap              primal − dual
    worst_violation  the largest amount by which a condition fails; 0 when all hold
    where            which condition that is, and of which variable or row
    unique           name of a part of the answer -> whether it is the only one; None where undecided; or an interval
    premise          what the proof takes for granted, in words; empty when nothing
    digits           the proven decimal digits, −log₁₀ of the relative gap (of the relative residual, for equations);
                     infinite where the gap is 0, None where nothing is bounded; "stationary": of the convex problem
                     that touches the objective at the answer, where there is one
    ceiling          the digits of the exact optimum rounded to the answer's arithmetic, judged alike, where computed
    """

    status: str
    primal: Any
    dual: Any
    gap: Any
    worst_violation: Any
    where: str
    unique: Mapping[str, Any] = field(default_factory=dict)
    premise: str = ""
    digits: Optional[float] = None
    ceiling: Optional[float] = None

    def __repr__(self) -> str:
        shown = ", ".join(f"{part.name}={quoted(getattr(self, part.name))}" for part in fields(self))
        return f"Certificate({shown})"

    def times(self, factor: Any) -> Certificate:
        """Return the proof of the same answer to the same problem, its objective times an exact positive factor.

        A penalty λ in front of ½‖f‖² is a cost 1/λ in front of the losses; the objectives differ by the factor λ
        [ESL-Ex12.1].
        """
        c = rational(factor)
        primal, dual, gap = (None if v is None else c * v for v in (self.primal, self.dual, self.gap))
        return replace(self, primal=primal, dual=dual, gap=gap)

    def __str__(self) -> str:
        """Return in one line what is proven, and how exactly.

        Zero is written as "0 exactly" because it is a statement about rational numbers, not about rounded ones.

        Example
            >>> print(Certificate("optimal", 2, 1.5, 0.5, 0, "", digits=9.25))
            optimal to 9.2 digits: gap 5.0e-01, worst violation 0 exactly
        """
        where = f" ({self.where})" if self.where and self.status != "optimal" else ""
        if self.primal is None:  # a formula, not an optimum: what is proven is that its equations hold
            found = "exactly" if self.worst_violation == 0 else f"up to {_amount(self.worst_violation)}"
            return f"equations hold {found}" + (f" ({self.where})" if self.where else "")
        known = self.digits is not None and self.status in ("optimal", "stationary") and self.digits < math.inf
        proven = MEANING.get(self.status, "")
        proven += f" to {math.floor(10 * (self.digits or 0)) / 10} digits" if known else ""
        gap = "" if self.gap is None else f"gap {_amount(self.gap)}, "
        most = (
            "" if self.ceiling in (None, math.inf) else f"; the ceiling is {math.floor(10 * self.ceiling) / 10} digits"
        )
        if self.ceiling is not None and self.ceiling < 1:
            most += " (rounded, the exact optimum keeps no digit of its own)"
        return f"{self.status}{proven}{most}: {gap}worst violation {_amount(self.worst_violation)}{where}"


def _amount(value: Any) -> str:
    return "0 exactly" if value == 0 else f"{approximate(value):.1e}"


def digits(error: Any, scale: Any) -> float:
    """Return how many decimal digits an error leaves on a scale: −log₁₀(error/scale), rounded down to hundredths.

    Infinite where there is no error; 0 where nothing is left, or where the scale is 0 and the error is not.

    Exact     the ratio is; its logarithm is rounded down, so that the digits are a lower bound

    Example
        >>> from fractions import Fraction
        >>> digits(Fraction(1, 1000), 1), digits(0, 0), digits(2, 1), digits(Fraction(1, 10**400), 3)
        (3.0, inf, 0.0, 400.47)
    """
    error, scale = abs(rational(error)), abs(rational(scale))
    if error == 0:
        return math.inf
    if error >= scale:
        return float(0)
    above, below = _shortened(scale.numerator * error.denominator, scale.denominator * error.numerator)
    hundredths = 100 * (_log10(above) - _log10(below))
    found = round(hundredths)
    # Premise: doubles err by less than 10⁻⁶ in this difference; where it is that near to an integer, integers decide.
    if abs(hundredths - found) > UNSURE:
        return max(0, math.floor(hundredths)) / 100
    over: bool = below**100 * 10 ** max(0, found) > above**100
    return max(0, found - over) / 100


def _shortened(above: int, below: int) -> tuple[int, int]:
    """Return two integers whose ratio is that of two others, rounded down to so many bits where these are longer."""
    if max(above.bit_length(), below.bit_length()) <= LONG:
        return above, below
    shift = LONG // 2 - above.bit_length() + below.bit_length()
    return ((above << shift) // below, 1 << shift) if shift >= 0 else (above // (below << -shift) << -shift, 1)


def _log10(n: int) -> float:
    """Return log₁₀ of a positive integer of any size."""
    shift = max(0, n.bit_length() - 1000)
    return math.log10(n >> shift) + shift * math.log10(2)


def relative_digits(primal: Any, dual: Any, constant: Any = 0) -> Optional[float]:
    """Return the digits of the objective that its two bounds prove: −log₁₀(gap / max(|primal|, |dual|)).

    Shapes    constant: the objective of a constant function where the optimum is known to be 0: the scale of the gap if
              the lower bound is so, since no ratio to the optimum exists; else 0

    None where one of the bounds is missing.
    """
    if primal is None or dual is None:
        return None
    primal, dual = rational(primal), rational(dual)
    scale = max(abs(primal), abs(dual))
    if dual == 0 and constant:
        scale = max(scale, abs(rational(constant)))
    return digits(primal - dual, scale)


def relative_gap(primal: Any, dual: Any) -> Any:
    """Return |primal − dual| as part of the larger of the two, in their arithmetic; infinite where it is no number."""
    found = abs(primal - dual) / (max(abs(primal), abs(dual)) or 1)
    return found if found - found == 0 else math.inf


def status(
    proven: Optional[float], asked: float = ASKED, *, convex: bool = True, ceiling: Optional[float] = None
) -> str:
    """Return the status of an answer of which so many digits are proven.

    ceiling    the digits that the exact optimum keeps when it is rounded, where known: an answer that misses less than
               one of them is converged, however few they are

    Example
        >>> status(0.4, ceiling=0.8)
        '0.4 digits'
        >>> status(11.3), status(7.25), status(0.4), status(float("inf"), convex=False), status(None)
        ('optimal', '7.2 digits', 'not converged', 'stationary', 'infeasible')
    """
    if proven is None:
        return "infeasible"
    if proven >= asked:
        return "optimal" if convex else "stationary"
    enough = proven >= 1 or (ceiling is not None and ceiling < 1)
    return f"{math.floor(10 * proven) / 10} digits" if enough and convex else "not converged"


def equation_status(residual: Any, unit: Any) -> str:
    """Return the status of defining equations that hold up to a relative residual: backward error over the terms' size.

    unit    the roundoff of the arithmetic that the answer was computed in; 0 where it is exact

    Example
        >>> equation_status(0, 2**-52), equation_status(2**-50, 2**-52), equation_status(2**-20, 2**-52)
        ('optimal', 'within roundoff', '6.0 digits')
    """
    residual = abs(rational(residual))
    if residual == 0:
        return "optimal"
    if residual <= UNITS * rational(unit):
        return "within roundoff"
    found = digits(residual, Fraction(1))
    return f"{math.floor(10 * found) / 10} digits" if found >= 1 else "not converged"


def within_roundings(residuals: Sequence[Fraction], responses: Sequence[Fraction], unit: Fraction) -> bool:
    """Return whether each residual is within a unit of its response, or of the median of the responses but zeros."""
    sizes = [abs(v) for v in responses]
    middle = [*sorted(filter(None, sizes)), Fraction(0)][sum(map(bool, sizes)) // 2]
    return all(abs(r) <= unit * max(v, middle) for r, v in zip(residuals, sizes))


def refused(found: Certificate, where: str, size: Any = 1) -> Certificate:
    """Return the certificate of an answer with a number that is not the one that was proven."""
    return replace(found, status="not converged", worst_violation=rational(size), where=where, digits=float(0))


def lost(
    module: str, digits: Optional[float], bounds: Any, numbers: str = "", need: str = "", **witness: Any
) -> NotConverged:
    """Return the refusal of an answer of which too few digits are proven, with the bounds on the objective.

    bounds     what has primal and dual: the proof of the answer, or of the optimum that it was rounded from
    numbers    the name of the numbers that the optimum was rounded to; empty where the answer is no optimum rounded
    need       what was needed, where that is something else

    Example
        >>> print(lost("fit", 0.25, Certificate("not converged", 2, 1, 1, 0, "")))
        fit: need 9 digits of the objective; got 0.25 between its bounds (primal=2, dual=1)
    """
    need = need or (f"an optimum that {numbers} can hold" if numbers else f"{ASKED} digits of the objective")
    got = f"{max(digits or float(0), 0)} " + ("digits of it" if numbers else "between its bounds")
    return NotConverged(module, need=need, got=got, primal=bounds.primal, dual=bounds.dual, **witness)


def difference(name: str, stated: Any, proven: Any) -> str:
    """Return the first place at which two values that are not equal differ, and the two, in words."""
    if isinstance(stated, (list, tuple)) and isinstance(proven, (list, tuple)):
        if len(stated) != len(proven):
            return f"{name} has {len(stated)} entries, the model {len(proven)}"
        for i, (v, w) in enumerate(zip(stated, proven)):
            if v != w:
                return difference(f"{name}[{i}]", v, w)
    return f"{name} is {shown(stated)}, that of the model {shown(proven)}"


def shown(value: Any) -> str:
    """Return a value in words, a number in ten digits."""
    return f"{approximate(value):.10g}" if isinstance(value, (float, Fraction)) else str(value)
