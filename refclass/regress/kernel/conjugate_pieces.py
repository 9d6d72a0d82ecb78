"""From a loss to the pieces of its conjugate (see `dual`): why each of these machines is a quadratic problem.

V* is finite on the slopes of V, and costs nothing but roots to write down: of the losses here only MMST's quadratic one
needs one, √ε.
"""

from __future__ import annotations

from refclass.errors import InvalidInput
from refclass.losses.hinge import Hinge
from refclass.losses.huber import Huber
from refclass.losses.huberised import Huberised
from refclass.losses.huberised_hinge import HuberisedHinge
from refclass.losses.insensitive import Insensitive, QuadraticInsensitive, SquaredInsensitive
from refclass.losses.loss import Loss, MarginLoss
from refclass.losses.squared import Squared
from refclass.losses.squared_hinge import SquaredHinge
from refclass.number.field import Field, Number
from refclass.regress.kernel.machine import Piece, Pieces


def of_residual(F: Field, loss: Loss) -> Pieces:
    """Return the pieces of V*, for a loss V of the residual.

        max(0, |r| − ε)        ε|a|, |a| ≤ 1                                     [ESL-12.37] [MMST-11.5.1-linear]
        max(0, |r| − ε)²       ε|a| + a²/4                                       [MMST-11.5.1-squared]
        max(0, r² − ε)         √ε|a| for |a| ≤ 2√ε, then parabolas from there    [MMST-11.5.1-quadratic]
        Huber                  a²/2, |a| ≤ c                                     [ESL-12.38]

    Exact     yes, if √ε is rational where it is needed
    Raises    NotExact if it is not; InvalidInput for another loss

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> of_residual(BINARY64, Huber(1.5))
        (Piece(slope=0.0, curvature=1.0, low=-1.5, high=1.5),)
    """
    zero, one = F.kind(0), F.kind(1)
    half = one / 2
    if isinstance(loss, Huber):
        return (Piece(zero, one, -loss.c, loss.c),)
    if isinstance(loss, Insensitive):
        if not loss.epsilon:
            return (Piece(zero, zero, -one, one),)
        return _both((Piece(loss.epsilon, zero, zero, one),))
    if isinstance(loss, (SquaredInsensitive, QuadraticInsensitive)) and not loss.epsilon:
        return (Piece(zero, half, None, None),)
    if isinstance(loss, SquaredInsensitive):
        return _both((Piece(loss.epsilon, half, zero, None),))
    if isinstance(loss, QuadraticInsensitive):
        edge = F.sqrt(loss.epsilon)
        return _both((Piece(edge, zero, zero, 2 * edge), Piece(edge, half, zero, None)))
    raise InvalidInput("conjugates", need="a piecewise quadratic loss of the residual", got=type(loss).__name__)


def _both(above: Pieces) -> Pieces:
    return above + tuple([piece.mirrored() for piece in above])


def of_margin(F: Field, loss: MarginLoss, y: Number) -> Pieces:
    """Return the pieces of V*, for a convex loss L of the margin: V(r) = L(yf) with r = y − f  [MMST-11.67].

        hinge                  0, 0 ≤ ya ≤ 1             [ESL-12.25] [ISML-27.6.1-slack]
        squared hinge          a²/4, 0 ≤ ya              [ESL-12.3.2-squared-hinge]
        huberised              a²/4, 0 ≤ ya ≤ 4          [ESL-T12.1]
        huberised hinge        a²/2, 0 ≤ ya ≤ 1
        squared                a²/4                      [ESL-T12.1]

    Exact     yes
    Raises    InvalidInput for another loss
    """
    # Proof: yf = 1 − yr for y² = 1, so that V*(a) = sup ar − L(1 − yr) = ya + L*(−ya).
    zero, one = F.kind(0), F.kind(1)
    half = one / 2
    known = {
        Hinge: Piece(zero, zero, zero, one),
        SquaredHinge: Piece(zero, half, zero, None),
        Huberised: Piece(zero, half, zero, 4 * one),
        HuberisedHinge: Piece(zero, one, zero, one),
        Squared: Piece(zero, half, None, None),
    }
    piece = known.get(type(loss))
    if piece is None:
        raise InvalidInput("conjugates", need="a convex piecewise quadratic loss", got=type(loss).__name__)
    return (piece if y > 0 else piece.mirrored(),)
