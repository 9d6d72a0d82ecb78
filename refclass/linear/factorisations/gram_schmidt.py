"""Modified Gram–Schmidt, A = Q R without roots (Golub and Van Loan 2013, section 5.2): exact on fractions.

The columns of Q are orthogonal, not of length one; their squared lengths are kept beside them, and `normalised` divides
by the lengths. This is successive regression: each column is replaced by its residual on those before.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear import residual
from refclass.linear.factorisations import triangular
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.number.tolerance import negligible, roundoff, units


@dataclass(frozen=True)
class Factor:
    """A = Q R, QᵀQ = diag(squares).

    orthogonal    Q, m × n; a column of A that depends on those before it gives a zero column
    upper         R, n × n, unit upper triangular
    squares       the squared lengths of the columns of Q
    """

    orthogonal: Matrix
    upper: Matrix
    squares: Vector

    @property
    def rank(self) -> int:
        """The rank of A."""
        return sum(s != 0 for s in self.squares)

    @property
    def null_space(self) -> tuple[Vector, ...]:
        """A basis of {v : A v = 0}: one vector for each dependent column, which has the coefficient 1."""
        # Proof: A R⁻¹eⱼ = Q eⱼ, which is zero when column j is dependent.
        n, kind = len(self.squares), self.squares.kind
        dependent = [j for j, s in enumerate(self.squares) if s == 0]
        return tuple(triangular.solve_upper(self.upper, Vector.unit(n, j, kind)) for j in dependent)

    def solve(self, b: Vector) -> Vector:
        """Return the x that minimises ‖A x − b‖.

        Shapes    b: m; x: n
        Exact     yes
        Raises    InvalidInput if the shapes do not fit; NoAnswer with a null vector of A if the columns are dependent
        """
        if len(b) != len(self.orthogonal):
            raise InvalidInput("gram_schmidt", need=f"a right side of {len(self.orthogonal)} rows", got=len(b))
        null = self.null_space
        if null:
            got = f"rank {self.rank}"
            raise NoAnswer("gram_schmidt", need="independent columns", got=got, null_vector=null[0])
        rest, coefficients = b, []
        for q, s in zip(self.orthogonal.T, self.squares):
            coefficients.append((q @ rest) / s)
            rest = rest - coefficients[-1] * q
        return triangular.solve_upper(self.upper, Vector.of(coefficients))

    def normalised(self, F: Field) -> tuple[Matrix, Matrix]:
        """Return Q with columns of length one, and the R that goes with it.

        Exact     where the lengths are rational
        Cost      n roots
        Raises    NoAnswer if a column is dependent
        """
        if self.rank < len(self.squares):
            got, null = f"rank {self.rank}", self.null_space[0]
            raise NoAnswer("gram_schmidt", need="independent columns", got=got, null_vector=null)
        lengths = [F.sqrt(s) for s in self.squares]
        Q = Matrix.of([q / h for q, h in zip(self.orthogonal.T, lengths)]).T
        return Q, Matrix.of([h * row for h, row in zip(lengths, self.upper)])


def factor(F: Field, A: Matrix) -> Factor:
    """Return the factor A = Q R by modified Gram-Schmidt.

        for j = 1 … n:  v = aⱼ;  for i < j:  rᵢⱼ = qᵢᵀv / qᵢᵀqᵢ,  v ← v − rᵢⱼ qᵢ;    qⱼ = v

    Where numbers are rounded every column is orthogonalised twice, which makes Q orthogonal to the last digit however
    nearly dependent the columns are (Giraud, Langou and Rozložník 2005). A column whose residual is roundoff is
    dependent: its qⱼ is zero.

    Shapes    A: m × n, m and n in any relation
    Exact     yes
    Cost      on exact numbers, if no column is dependent: mn² multiplications, mn² − n(n + 1)/2 additions,
              n(n − 1)/2 divisions; on rounded ones at most twice as many
    Raises    InvalidInput if the squared length of a column is beyond the range of the numbers
    Laws      A = Q R; QᵀQ is diagonal

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> f = factor(BINARY64, Matrix([[1.0, 3.0], [1.0, 1.0]]))
        >>> f.orthogonal, f.upper
        (Matrix([1.0, 1.0], [1.0, -1.0]), Matrix([1.0, 2.0], [0.0, 1.0]))
    """
    m, n = A.shape
    zero, one = A.kind(0), A.kind(1)
    basis: list[Vector] = []
    squares: list[Number] = []
    upper: list[Vector] = []
    for j, column in enumerate(A.T):
        rest, r = _orthogonalised(column, basis, squares)
        if F.eps != 0:
            rest, more = _orthogonalised(rest, basis, squares)
            r = [a + b for a, b in zip(r, more)]
        if negligible(F, rest.largest(), column.largest(), max(m, n)):
            rest = Vector.of([zero] * m)
        basis.append(rest)
        squares.append(_square(rest, j))
        upper.append(Vector.of([*r, one, *[zero] * (n - j - 1)]))
    return Factor(Matrix.of(basis).T, Matrix.of(upper).T, Vector.of(squares))


def _square(v: Vector, j: int) -> Number:
    s = dot(v, v)
    # Premise: of the kinds, only doubles leave their range without an exception, below 10⁻¹⁵⁴ and above 10¹⁵⁴.
    if type(s) is float and (not isfinite(s) or (s == 0 and any(v))):
        need = "columns whose squared length is within the range of the numbers"
        raise InvalidInput("gram_schmidt", need=need, got=v.largest(), column=j)
    return s


def _orthogonalised(v: Vector, basis: list[Vector], squares: list[Number]) -> tuple[Vector, list[Number]]:
    """Return v without its components along the basis, and these."""
    coefficients = []
    for q, s in zip(basis, squares):
        c = dot(q, v) / s if s != 0 else s
        v = Vector.of([a - c * b for a, b in zip(v, q)])
        coefficients.append(c)
    return v, coefficients


def certify(A: Matrix, factor: Factor) -> dict[str, Any]:
    """Return the claims of the factor with their ratios."""
    columns = factor.orthogonal.T
    m, eps = len(A), roundoff(A.kind)
    angles = [
        units(dot(p, q), m * eps * p.largest() * sum(map(abs, q))) for i, p in enumerate(columns) for q in columns[:i]
    ]
    product = factor.orthogonal @ factor.upper
    return {"A = Q R": residual.equality(product, A, len(A[0])), "QᵀQ is diagonal": max(angles, default=0)}
