"""Two kinds of number that only tests use, and the fields over them.

`Strict` is a fraction that raises on contact with a float, so that a float never slips into an exact computation.
`Counted` counts its operations, so that the Cost line of a docstring is an equality.
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from refclass.number.rational import RATIONAL


def _kind(name, check, count):
    class Kind:
        __slots__ = ("value",)

        def __init__(self, value=0):
            if isinstance(value, float):
                raise TypeError(f"{name} met the float {value!r}")
            self.value = value.value if isinstance(value, Kind) else Fraction(value)

        def __hash__(self):
            return hash(self.value)

        def __bool__(self):
            return self.value != 0

        def __repr__(self):
            return str(self.value)

        def __float__(self):
            return float(self.value)

        def as_integer_ratio(self):
            return self.value.numerator, self.value.denominator

        def __neg__(self):
            return Kind(-self.value)

        def __pos__(self):
            return self

        def __abs__(self):
            return Kind(abs(self.value))

        def __pow__(self, n):
            if type(n) is not int:
                raise TypeError(f"{name} met a power {n!r}")
            count("multiply", max(0, abs(n) - 1))
            return Kind(self.value**n)

    def other_of(other):
        if isinstance(other, float):
            raise TypeError(f"{name} met the float {other!r}")
        if isinstance(other, Kind):
            return other.value
        if type(other) is int:
            return other
        if isinstance(other, tuple):  # a vector, which knows how to be multiplied by a number
            return NotImplemented
        check(other)
        return NotImplemented

    def operator(apply, what, turned):
        def operate(self, other):
            v = other_of(other)
            if v is NotImplemented:
                return v
            if not (what == "add" and type(other) is int and other == 0):  # the zero that sum() starts from
                count(what, 1)
            return Kind(apply(v, self.value) if turned else apply(self.value, v))

        return operate

    def comparison(apply):
        def compare(self, other):
            v = other_of(other)
            return v if v is NotImplemented else apply(self.value, v)

        return compare

    for symbol, what, apply in (
        ("add", "add", Fraction.__add__),
        ("sub", "add", Fraction.__sub__),
        ("mul", "multiply", Fraction.__mul__),
        ("truediv", "divide", Fraction.__truediv__),
    ):

        def straight(a, b, f=apply):
            return f(Fraction(a), Fraction(b))

        setattr(Kind, f"__{symbol}__", operator(straight, what, False))
        setattr(Kind, f"__r{symbol}__", operator(straight, what, True))
    for symbol in ("lt", "le", "gt", "ge", "eq", "ne"):
        setattr(Kind, f"__{symbol}__", comparison(getattr(__import__("operator"), symbol)))
    Kind.__name__ = Kind.__qualname__ = name
    return Kind


def _foreign(other):
    raise TypeError(f"Strict met {type(other).__name__} {other!r}")


Strict = _kind("Strict", _foreign, lambda what, times: None)

_counts = {"add": 0, "multiply": 0, "divide": 0}


def _count(what, times):
    _counts[what] += times


Counted = _kind("Counted", lambda other: None, _count)


class counting:
    """Count the operations on Counted numbers inside a with block: `with counting() as c: …; c.multiply`."""

    def __enter__(self):
        self._before = dict(_counts)
        return self

    def __exit__(self, *exception):
        self.add, self.multiply, self.divide = (_counts[k] - self._before[k] for k in ("add", "multiply", "divide"))


def _over(kind, name):
    def wrap(function):
        return lambda x: kind(function(x.value if isinstance(x, kind) else x))

    fields = ("lift", "sqrt", "exp", "log", "tanh", "sin", "cos", "erf")
    return dataclasses.replace(
        RATIONAL, name=name, kind=kind, eps=kind(0), **{f: wrap(getattr(RATIONAL, f)) for f in fields}
    )


STRICT = _over(Strict, "strict")
COUNTED = _over(Counted, "counted")


class Integer(int):
    """An integer that counts its multiplications and divisions, and says that it is its own numerator."""

    __slots__ = ()

    def as_integer_ratio(self):
        """Return the integer and a one that counts, too."""
        return self, Integer(1)


def _integral(name, what, function):
    def operate(self, *other):
        found = function(self, *other)
        if found is NotImplemented:
            return found
        if what:
            _count(what, 1)
        return Integer(found)

    setattr(Integer, name, operate)


for _what, _names in {
    "multiply": "__mul__ __rmul__",
    "divide": "__floordiv__ __rfloordiv__ __mod__ __rmod__",
    None: "__add__ __radd__ __sub__ __rsub__ __neg__ __abs__ __lshift__ __rshift__",
}.items():
    for _name in _names.split():
        _integral(_name, _what, getattr(int, _name))


def count_fractions(monkeypatch):
    """Count the multiplications and divisions of fractions, too."""

    def counted(what, function):
        def operate(a, b):
            found = function(a, b)
            if found is not NotImplemented:
                _count(what, 1)
            return found

        return operate

    for what, names in (("multiply", "__mul__ __rmul__"), ("divide", "__truediv__ __rtruediv__")):
        for name in names.split():
            monkeypatch.setattr(Fraction, name, counted(what, getattr(Fraction, name)))
