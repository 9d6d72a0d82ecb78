"""Decimal numbers of any length: `decimal(50)` is a field whose numbers have a precision of their own.

Python's Decimal takes its precision from a global context. Here each precision is a kind of its own, whose operators
round in its own context, so that a computation means the same wherever it runs and two precisions never mix.
"""

from __future__ import annotations

import decimal as standard
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from functools import cache, reduce
from itertools import repeat
from types import FunctionType
from typing import Any, Callable

from refclass.errors import InvalidInput
from refclass.number.field import MAX_DECIMAL_EXPONENT, Field, rational

GUARD_DIGITS = 10  # digits beyond those asked for, inside functions that are composed of several operations
# Bits of an integer from which on it is divided before it is written in digits: some interpreters refuse longer ones.
LONG_INTEGER_BITS = 10000

# Decimals that are themselves written in Python hold their digits as text, and some interpreters turn no text of more
# than 4,300 digits into an integer: a product has twice as many as its factors.
WRITTEN_IN_PYTHON = isinstance(Decimal.sqrt, FunctionType)
MOST_DIGITS = 2000 if WRITTEN_IN_PYTHON else 100000

if WRITTEN_IN_PYTHON:
    from refclass.number import integer_decimals

BASE: Any = integer_decimals.kept(Decimal) if WRITTEN_IN_PYTHON else Decimal

# Holds every integer, and moves its point: Python writes none of more than 4,300 digits as text.
WIDEST = standard.Context(prec=standard.MAX_PREC, Emax=standard.MAX_EMAX, Emin=standard.MIN_EMIN)


@cache
def _context(digits: int) -> standard.Context:
    return standard.Context(
        prec=digits,
        rounding=standard.ROUND_HALF_EVEN,
        Emin=standard.MIN_EMIN,
        Emax=standard.MAX_EMAX,
        traps=[standard.InvalidOperation, standard.DivisionByZero, standard.Overflow],
    )


def _kind(digits: int) -> Any:
    context = _context(digits)
    new = Decimal.__new__

    # Premise: where Decimal is itself written in Python (PyPy), a context calls the operators of its operands again,
    # with itself as the last argument; such a call is passed to Decimal's own operator.
    def operator(
        apply: Callable[[Decimal, Decimal], Decimal], reflected: bool, own: Callable[..., Any]
    ) -> Callable[..., Any]:
        def operate(self: Any, other: Any, context: Any = None) -> Any:
            if context is not None:
                return own(self, other, context)
            if type(other) is not Digits:
                if isinstance(other, Decimal):  # its own operator would round in a global context
                    raise TypeError(f"decimals of two kinds: {Digits.__name__} and {type(other).__name__}")
                if type(other) is not int:
                    return NotImplemented
                other = new(Digits, other)
            return new(Digits, apply(other, self) if reflected else apply(self, other))

        return operate

    class Digits(BASE):  # type: ignore[misc]
        """A decimal number that rounds every result to its own number of digits."""

        __slots__ = ()
        precision = digits

        __add__ = operator(context.add, False, Decimal.__add__)
        __radd__ = operator(context.add, True, Decimal.__radd__)
        __sub__ = operator(context.subtract, False, Decimal.__sub__)
        __rsub__ = operator(context.subtract, True, Decimal.__rsub__)
        __mul__ = operator(context.multiply, False, Decimal.__mul__)
        __rmul__ = operator(context.multiply, True, Decimal.__rmul__)
        __truediv__ = operator(context.divide, False, Decimal.__truediv__)
        __rtruediv__ = operator(context.divide, True, Decimal.__rtruediv__)
        __hash__ = Decimal.__hash__
        # What is left of Decimal's operators would round in a global context.
        __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = __rpow__ = None

        def __pow__(self, n: Any, modulo: Any = None) -> Any:
            if type(n) is not int or modulo is not None:
                raise TypeError(f"powers of {Digits.__name__} are integers, not {type(n).__name__}")
            return new(Digits, context.power(new(Decimal, self), n))

        def __neg__(self) -> Any:
            return new(Digits, context.minus(new(Decimal, self)))

        def __pos__(self) -> Any:
            return self

        def __abs__(self) -> Any:
            return new(Digits, context.abs(new(Decimal, self)))

        def __reduce__(self) -> Any:
            return _revived, (digits, str(self))

    Digits.__name__ = Digits.__qualname__ = f"Digits{digits}"
    Digits.inner_product, Digits.combination = map(staticmethod, _loops(Digits, context))
    return integer_decimals.install(Digits, digits) if WRITTEN_IN_PYTHON else Digits


@contextmanager
def in_context(kind: Any) -> Iterator[Any]:
    """Give a type whose operators round as those of a kind within the block, without the cost of entering its context.

    Where decimals are themselves written in Python it is the kind, whose operators are faster there.

    Example
        >>> with in_context(decimal(30).kind) as D:
        ...     print(D(1) / D(3))
        0.333333333333333333333333333333
    """
    if WRITTEN_IN_PYTHON:
        yield kind
        return
    with standard.localcontext(_context(kind.precision)):
        yield Decimal


def _loops(kind: Any, context: standard.Context) -> tuple[Callable[[Any, Any], Any], Callable[[Any, Any], list[Any]]]:
    """Return Σ xᵢyᵢ and Σ wₖvₖ, entry by entry, in loops that enter no operator written in Python.

    Each operation is rounded; where decimals are themselves written in Python the sums are those of integers.
    """
    new, zero = Decimal.__new__, Decimal(0)

    def product(x: Any, y: Any) -> Any:
        found = integer_decimals.inner_product(kind, context.prec, x, y) if WRITTEN_IN_PYTHON else None
        return new(kind, reduce(context.add, map(context.multiply, x, y), zero)) if found is None else found

    def total(weights: Any, vectors: Any) -> list[Any]:
        if WRITTEN_IN_PYTHON:
            return [product(weights, column) for column in zip(*vectors)]
        terms: list[Any] = [map(context.multiply, repeat(w), v) for w, v in zip(weights, vectors)]
        return list(map(new, repeat(kind), reduce(lambda sums, more: list(map(context.add, sums, more)), terms)))

    return product, total


def _revived(digits: int, text: str) -> Any:
    return decimal(digits).kind(text)


def _rounded(digits: int, value: Fraction) -> Decimal:
    n, d = value.numerator, value.denominator
    if max(n.bit_length(), d.bit_length()) > LONG_INTEGER_BITS:
        return _long(digits, n, d)
    return _context(digits).divide(Decimal(n), Decimal(d))


def _long(digits: int, n: int, d: int) -> Decimal:
    # Method: a few digits of the quotient more than asked for, in integers, and a last one, 1 if others follow, else 0.
    e = digits + 3 - (n.bit_length() - d.bit_length()) * 30103 // 100000
    q, rest = divmod(abs(n) * 10 ** max(e, 0), d * 10 ** max(-e, 0))
    whole = Decimal(10 * q + bool(rest)).scaleb(-e - 1, WIDEST)
    return _context(digits).plus(whole.copy_negate() if n < 0 else whole)


def _pi(digits: int) -> Decimal:
    # Method: Machin's formula (1706) in integers, π/4 = 4 arctan(1/5) − arctan(1/239).
    unit = 10 ** (digits + GUARD_DIGITS)

    def arctan_of_inverse(n: int) -> int:
        term, total, k = unit // n, 0, 1
        while term:
            total += term // k if k % 4 == 1 else -(term // k)
            term, k = term // (n * n), k + 2
        return total

    scaled = 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))
    return _rounded(digits, Fraction(scaled, unit))


def _series(context: standard.Context, first: Decimal, ratio: Callable[[int], Decimal]) -> Decimal:
    """Return first·(1 + r₁ + r₁r₂ + …) with r_k = ratio(k), summed until a term no longer changes the sum."""
    term, total, k = first, first, 1
    while term:
        term = context.multiply(term, ratio(k))
        larger = context.add(total, term)
        if larger == total:
            return total
        total, k = larger, k + 1
    return total


@cache
def decimal(digits: int) -> Field:
    """Return the field of decimals with that many significant digits.

    Raises    InvalidInput unless digits is an integer from 2 to 100000, or to `MOST_DIGITS` where these are fewer

    Example
        >>> F = decimal(30)
        >>> str(F.sqrt(F.lift(2)))
        '1.41421356237309504880168872421'
        >>> str(F.lift("1/3"))
        '0.333333333333333333333333333333'
    """
    if type(digits) is not int or not 2 <= digits <= MOST_DIGITS:
        raise InvalidInput("decimals", need=f"a number of digits from 2 to {MOST_DIGITS}", got=digits)
    kind = _kind(digits)
    context = _context(digits)
    wide = _context(digits + GUARD_DIGITS)

    def lift(value: Any) -> Any:
        if type(value) is kind:
            if not value.is_finite():
                raise InvalidInput("number", need="a finite number", got=value)
            return value
        ratio = rational(value)
        if WRITTEN_IN_PYTHON and ratio:
            return integer_decimals.quotient(kind, *ratio.as_integer_ratio(), digits)
        return kind(_rounded(digits, ratio))

    def rounded(value: Decimal) -> Any:
        return kind(context.plus(value))

    def sqrt(x: Any) -> Any:
        if x < 0:
            raise InvalidInput("decimals", need="a number ≥ 0 under the root", got=x)
        return kind(context.sqrt(x))

    def exp(x: Any) -> Any:
        found = kind(context.exp(x))
        return found if found and found.adjusted() >= -MAX_DECIMAL_EXPONENT else kind(0)

    def log(x: Any) -> Any:
        if x <= 0:
            raise InvalidInput("decimals", need="a number > 0 under the logarithm", got=x)
        return kind(context.ln(x))

    def tanh(x: Any) -> Any:
        # Premise: tanh|x| = (1 − e)/(1 + e) with e = exp(−2|x|); for small x the difference 1 − e cancels as many
        # digits as x has zeros after the point, so that many more are computed.
        lost = max(0, -x.adjusted()) if x else 0
        if lost > digits:
            return rounded(x)
        c = _context(digits + GUARD_DIGITS + lost)
        e = c.exp(c.multiply(Decimal(-2), c.abs(x)))
        return rounded(c.divide(c.subtract(Decimal(1), e), c.add(Decimal(1), e)).copy_sign(x))

    def reduced(x: Any, quarters: int) -> tuple[standard.Context, Decimal]:
        # x modulo 2π plus quarters of a period: as many digits more are computed as x has before the point.
        c = _context(2 * digits + GUARD_DIGITS + max(0, x.adjusted()))
        pi = _pi(c.prec)
        whole = c.to_integral_value(c.divide(x, c.multiply(Decimal(2), pi)))
        rest = c.subtract(x, c.multiply(whole, c.multiply(Decimal(2), pi)))
        return c, c.add(rest, c.multiply(Decimal(quarters), c.divide(pi, Decimal(2))))

    def sine(c: standard.Context, x: Decimal) -> Decimal:
        minus_square = c.minus(c.multiply(x, x))
        return _series(c, x, lambda k: c.divide(minus_square, Decimal(2 * k * (2 * k + 1))))

    def sin(x: Any) -> Any:
        return rounded(sine(*reduced(x, 0)))

    def cos(x: Any) -> Any:
        return rounded(sine(*reduced(x, 1)))

    def erf(x: Any) -> Any:
        # Method: erf x = 2/√π · exp(−x²) Σ (2x²)ᵏ x/(1·3·…·(2k+1)), every term of one sign, so that nothing cancels.
        if abs(x) ** 2 > 3 * digits:  # erfc x < exp(−x²) is below the last digit
            return kind(1 if x > 0 else -1)
        twice_square = wide.multiply(Decimal(2), wide.multiply(x, x))
        total = _series(wide, Decimal(x), lambda k: wide.divide(twice_square, Decimal(2 * k + 1)))
        scale = wide.divide(Decimal(2), wide.sqrt(_pi(wide.prec)))
        return rounded(wide.multiply(wide.multiply(scale, wide.exp(wide.minus(wide.multiply(x, x)))), total))

    def pi() -> Any:
        return rounded(_pi(digits))

    def of_plain(function: Callable[[Decimal], Any]) -> Callable[[Any], Any]:
        # Premise: inside a function no operator of x may round to x's own digits; hence a plain Decimal.
        return lambda x: function(Decimal(x))

    return Field(
        name=f"decimal:{digits}",
        kind=kind,
        lift=lift,
        eps=kind(Decimal(1).scaleb(1 - digits, context)),
        sqrt=of_plain(sqrt),
        exp=of_plain(exp),
        log=of_plain(log),
        tanh=of_plain(tanh),
        sin=of_plain(sin),
        cos=of_plain(cos),
        erf=of_plain(erf),
        pi=pi,
    )
