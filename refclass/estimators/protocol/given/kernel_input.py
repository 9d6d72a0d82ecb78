"""From the user's X and kernel to points and their Gram matrix, exactly, too; from labels and weights to numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from refclass.errors import InvalidInput, NotExact, quoted
from refclass.estimators.protocol.rounded_columns import require_columns
from refclass.kernels.kernel import Kernel
from refclass.kernels.kernel import kernel as kernel_by_name
from refclass.kernels.matrices import gram
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64, denormal
from refclass.number.field import Field, Number
from refclass.number.rational import RATIONAL
from refclass.sample import data


@dataclass(frozen=True)
class Given:
    """What a kernel machine is given: points, and their Gram matrix, from which machines may take parts.

    F, G      the field of the machine, and that in which the kernel is computed
    kernel    the kernel, its parameters resolved on all points
    points    the points that X stands for
    whole     whether these are all points
    known     their Gram matrix, where it is not to be computed from them
    """

    F: Field
    G: Field
    kernel: Kernel
    points: Any
    whole: bool = True
    known: Any = None

    def __len__(self) -> int:
        return len(self.points)

    @cached_property
    def rows(self) -> Any:
        """The Gram matrix over F: rows on demand, or, where the kernel is computed in G, each entry lifted."""
        if self.known is not None:
            return self.known
        if self.G is self.F:
            return gram.Rows(self.F, self.kernel, self.points)
        return Matrix.of([Vector.of(map(self.F.lift, row)) for row in gram.gram(self.G, self.kernel, self.points)])

    def exactly(self) -> Any:
        """Return the Gram matrix as the user gave it: of a rational kernel from the data, exactly, else its rows."""
        return gram.exactly(self.kernel, self.points, self.rows)

    def exact_table(self) -> Any:
        """Return the Gram matrix as `exactly` does, or as it was computed, its entries at their exact worth."""
        found = gram.exactly(self.kernel, self.points, None)
        return found or Matrix.of([Vector.of(map(RATIONAL.lift, self.rows.row(i))) for i in range(len(self))])

    def part(self, places: Sequence[int]) -> Given:
        """Return some of the points with the Gram matrix between them; the same store of rows for all of them."""
        if len(places) == len(self):
            return self
        points: Any = tuple([self.points[i] for i in places])
        if isinstance(self.points, Matrix):
            points = Matrix.of(points)
        known = None if isinstance(self.rows, gram.Rows) else Matrix.of([self.rows[i].pick(places) for i in places])
        return replace(self, points=points, whole=False, known=known)

    def forget(self) -> None:
        """Forget stored rows of the Gram matrix of a part, which can be computed again."""
        if isinstance(self.rows, gram.Rows) and not self.whole:
            self.rows.forget()


def signs(F: Field, names: Sequence[Any], numbers: Sequence[int]) -> Vector:
    """Return the labels of two classes as −1 and +1, from their numbers.  Raises InvalidInput for other classes."""
    if len(names) != 2:
        raise InvalidInput("data", need="labels of two classes in y", got=f"{len(names)}: {quoted(list(names))}")
    sides = F.lift(-1), F.lift(1)
    return Vector.of([sides[k] for k in numbers])


def class_weights(F: Field, method: str, given: Any, classes: Sequence[Any], labels: Sequence[int]) -> list[Number]:
    """Return the weight of each class: ones for None, n/(K nₖ) for "balanced", or those given by label.

    Shapes    labels: n class numbers
    Raises    InvalidInput for other labels, or a weight below zero
    """
    if given is None:
        return [F.lift(1)] * len(classes)
    if given == "balanced":
        n, counts = len(labels), Counter(labels)
        return [F.lift(Fraction(n, len(classes) * counts[k])) for k in range(len(classes))]
    if not isinstance(given, Mapping) or any(c not in classes for c in given):
        need = f'class_weight None, "balanced", or weights for labels among {quoted(list(classes))}'
        raise InvalidInput(method, need=need, got=quoted(given))
    weights = []
    for c in classes:
        try:
            weights.append(F.parameter(given.get(c, 1)))
        except InvalidInput as refusal:
            raise InvalidInput(method, need=f"{refusal.need} in class_weight", got=refusal.got, label=c) from None
        if weights[-1] < 0:
            raise InvalidInput(method, need="class weights ≥ 0", got=weights[-1], label=c)
    return weights


def is_infinite(value: Any) -> bool:
    """Return whether a cost is given as inf, the hard margin."""
    return value == "inf" or (isinstance(value, float) and math.isinf(value) and value > 0)


def given(F: Field, description: Any, X: Any) -> Given:
    """Return the points that the user's X stands for, with the kernel and the field that it is computed in.

    The field is F, but binary64 for a kernel that is not rational when F is exact. A gamma of "scale" is
    1 / (p · variance of all entries of X), and 1 if they are all equal.

    Raises    NotExact for a column that reading rounds by too large a part of what it varies by, and for values that
              are alike at points that differ, where the kernel is not rational; for entries whose squares doubles do
              not hold, where gamma is "scale"
    """
    kernel = kernel_by_name(F, dict(description, gamma=1) if is_scaled(description) else description)
    G = BINARY64 if F.exact and not kernel.exact else F
    kernel = kernel if G is F else _in_doubles(kernel)
    points = kernel.points(G, X, data.matrix)
    if not kernel.exact and type(points) is Matrix:
        require_columns("data", points)  # rational kernels take what was given
    if is_scaled(description):
        kernel = scaled(G, description, points)
    if not kernel.exact and type(points) is Matrix:
        _require_values(G, kernel, points)
    return Given(F, G, kernel, points)


def _in_doubles(kernel: Kernel) -> Kernel:
    """Return a kernel that is not rational over the doubles.  Raises NotExact where they do not hold its parameters."""
    try:
        return kernel.over(BINARY64)
    except InvalidInput as refusal:
        need = "a kernel whose parameters doubles hold: its values are not rational"
        raise NotExact("kernel", need=need, got=refusal.got) from None


def _require_values(G: Field, kernel: Kernel, points: Matrix) -> None:
    """Raises NotExact where rounding leaves one value of a kernel at points that differ: all are one point to it.

    A machine of that kernel has one label, or one number, for all points, and a proof that says nothing of them.
    """
    row = kernel.row(G, points[0], points)
    first = row[0]
    alike = all(v == first for v in row) and all(all(v == first for v in kernel.row(G, x, points)) for x in points[1:])
    if alike and len(set(map(tuple, points))) > 1:
        numbers = "doubles" if G.kind is float else G.name + " numbers"
        need = f"values of the kernel that {numbers} tell apart at points that differ"
        got = "one value: scale the columns, or choose another parameter"
        raise NotExact("kernel", need=need, got=got, value=first)


def kernel_at(F: Field, description: Any, X: Any) -> tuple[Kernel, Any]:
    """Return the kernel over F, and the points that the user's X stands for."""
    kernel = kernel_by_name(F, dict(description, gamma=1) if is_scaled(description) else description)
    points = kernel.points(F, X, data.matrix)
    return scaled(F, description, points) if is_scaled(description) else kernel, points


def is_scaled(description: Any) -> bool:
    """Return whether a kernel's gamma is to be found from the points."""
    return isinstance(description, Mapping) and description.get("gamma") == "scale"


def scaled(F: Field, description: Any, points: Sequence[Any]) -> Kernel:
    """Return the kernel whose gamma is 1 / (p · variance of all entries of the points), and 1 if they are all equal.

    Raises    NotExact where doubles do not hold the squares of the entries, or not all their digits
    """
    first = points[0][0]
    entries = [v - first for x in points for v in x]  # far from zero a mean of the numbers themselves would lose digits
    mean = sum(entries) / len(entries)
    spread = sum([(v - mean) * (v - mean) for v in entries]) / len(entries)
    lost = denormal(spread) or (spread == 0 and any(entries))
    if lost or spread - spread != 0:
        need = "entries whose squares are within the range of normal doubles, for a gamma of scale"
        raise NotExact("data", need=need, got=max(map(abs, entries)))
    return kernel_by_name(F, dict(description, gamma=1 / (len(points[0]) * spread) if spread else 1))
