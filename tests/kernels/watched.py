"""A kernel that counts its values."""

from refclass.kernels.kernel import Kernel
from refclass.kernels.linear import Linear


class Watched(Kernel):
    """A linear kernel that counts the values it computes."""

    exact = True

    def __init__(self):
        self.values = 0

    def row(self, F, x, Z):
        """Return the values with each point of Z."""
        self.values += len(Z)
        return Linear().row(F, x, Z)
