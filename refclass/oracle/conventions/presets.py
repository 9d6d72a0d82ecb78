"""Which conventions a program is known to have, method by method, by the names under which `compare` tries them.

The tables follow spec/conventions.md. A program may have all of them or some: an answer read from its model file has
been turned round already, one that was copied by hand has not.
"""

from __future__ import annotations

RHO = "an intercept of the other sign (f − rho)"
TURNED = "the classes in the other order"
SIGNED = "multipliers with the sign of their class"
PENALISED = "a penalised intercept"
POWER = "the other power of the slack"
NONE = "no intercept"
SCALED = "each variable scaled to mean 0 and variance 1"
POOLED = "covariances pooled by priors"
N, N_K, N_1 = (f"divisor {d} of the covariance" for d in ("n", "n-k", "n-1"))
WIDTH = "1/p in place of γ"
HALF = "C/2 in place of C"

Table = dict[str, tuple[str, ...]]
MACHINE: Table = {"svc": (RHO, TURNED, SIGNED, WIDTH), "svr": (RHO, WIDTH)}
SCALING: Table = {"svc": (SCALED, RHO, TURNED, SIGNED, WIDTH), "svr": (SCALED, RHO, WIDTH)}

PRESETS: dict[str, Table] = {
    "scikit-learn 1.9": {
        "lda": (N, POOLED),
        "qda": (N,),
        "svc": (PENALISED, POWER, TURNED, SIGNED),
        "svr": (PENALISED,),
        "logistic": ("1/penalty in place of penalty", "2 penalty in place of penalty"),
    },
    "scikit-learn 0.24": {"lda": (N, POOLED), "qda": (N_1,), "svc": (PENALISED, POWER, TURNED, SIGNED)},
    "LIBSVM": MACHINE,
    "LIBLINEAR": {"svc": (PENALISED, NONE, POWER, TURNED), "svr": (PENALISED, NONE)},
    "MASS": {"lda": (N, POOLED), "qda": (N,)},
    "mda": {"lda": (N,)},
    "kernlab": SCALING,
    "e1071": SCALING,
}
PROGRAMS = tuple(PRESETS)


def conventions(program: str, method: str) -> tuple[str, ...]:
    """Return the names of the conventions of a program for a method, those it has most often first.

    Example
        >>> conventions("MASS", "qda")
        ('divisor n of the covariance',)
    """
    return PRESETS[program].get(method, ())
