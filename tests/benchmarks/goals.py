"""What was asked of the benchmarks: each row with its bound, its value before, and why it is missed where it is."""

from __future__ import annotations

from typing import NamedTuple, Optional

from tests.benchmarks.timing import Result


class Goal(NamedTuple):
    """A bound on a row.

    task, setting    the row
    asked, before    the bound, and what was measured when it was set; None: no bound, it is to be stated; not measured
    unit             × for the ratio, s for our seconds, MB for what the remark says
    why              what keeps it from the bound, where something is known to
    """

    task: str
    setting: str
    asked: Optional[float]
    before: Optional[float]
    unit: str = "×"
    why: str = ""


PAGE = "decisions/0030-what-plain-python-cannot-reach.md"


def see(words: str, anchor: str) -> str:
    """Return a short reason with a link to the place that computes it."""
    return f"[{words}]({PAGE}#{anchor})"


MULTICLASS = (
    ("crammer-singer", see("exchanges of many points", "crammer-and-singer")),
    ("lee-lin-wahba", see("1,850 free multipliers", "lee-lin-and-wahba")),
)
GOALS = (
    Goal("exact optimum", "linear n=1000 d=10 C=1", 4, 60),
    Goal("exact optimum", "linear n=500 d=57 C=1", 6, 35),
    Goal("exact path", "linear n=100 d=2", None, None, "s"),
    Goal("proof, linear", "n=1000 d=10", 2, 8),
    Goal(
        "proof, lda",
        "n=5000 d=20",
        2,
        100,
        why=see("at least 2.9 ×; the fit is five times faster", "certificate-of-lda"),
    ),
    Goal("proof, gaussian", "n=2000 d=2", 0.5, 1, why=see("at least 0.26 ×", "lower-bounds")),
    Goal("verify", "gaussian n=500 d=2", 1, 4.6, "s"),
    Goal("verify", "gaussian n=2000 d=2", 10, 60, "s"),
    Goal("path gaussian", "n=500 d=2 to C=100", 4, 6.9),
    Goal("path gaussian", "n=500 d=10 to C=100", 4, 4.9, why=see("at least 4.1 × by sums of rows", "gaussian-path")),
    Goal("svc gaussian", "gauss n=2000 d=10 C=100", 20, 28, why=see("at least 4.3 ×", "gaussian-machine-with-c--100")),
    Goal(
        "svc linear",
        "gauss n=500 d=10 C=1",
        1.5,
        2.7,
        why=see("0.7 × before its solver begins, 1.2 × with its active set given", "linear-machine"),
    ),
    *[
        Goal(kind, f"{name} {kernel} C={C}", 10, 150 if name == "vowel" else 20, "s", why)
        for kind, why in MULTICLASS
        for name in ("glass", "vowel")
        for kernel in ("linear", "gaussian")
        for C in (1, 100)
    ],
    Goal("deviance", "iris linear λ=1", 0.5, 20, "s"),
    Goal("deviance", "vowel linear λ=1", 10, 60, "s"),
    Goal("jacobi", "n=100", 300, 563, why=see("where its time goes", "jacobi")),
    Goal("cholesky", "n=300", 60, 71, why=see("at least 42 to 82 ×", "cholesky")),
    Goal("kernel ridge", "n=500 d=10", 50, 76, why=see("where its time goes", "kernel-ridge")),
    Goal("kernel ridge", "n=1000 d=10", 80, 157, why=see("where its time goes", "kernel-ridge")),
    Goal("lda fit", "n=10000 d=10", 3, 3.9, why=see("where its time goes", "lda-fit")),
    Goal("lda predict", "n=10000 d=10", 10, 18, why=see("at least 14 ×", "lda-predict")),
    Goal("qda predict", "n=10000 d=10", 25, 48, why=see("where its time goes", "qda-predict")),
    Goal("em, tied", "n=5000 d=10 R=6, 10 steps", 8, None, why=see("where its time goes", "em")),
    Goal("bruto", "vowel", 20, 80, why=see("at least 13 ×; R has a quarter of the knots", "bruto")),
    Goal("bruto", "gauss n=5000 d=10 K=5", 20, None, why=see("at least 19 ×; R has 206 knots, not 5,000", "bruto")),
    Goal("mda", "n=5000 d=10 5 × 3", 20, 100, "s"),
    Goal("memory", "gaussian n=5000 d=20, with proof", 250, 625, "MB"),
    Goal("memory", "gaussian n=10000 d=57, with proof", 512, None, "MB"),
    Goal("import", "import refclass", 0.05, 0.06, "s"),
    Goal("tour", "from refclass.__main__ import main; main(['tour'])", 2, 2.2, "s"),
)


def reached(goal: Goal, result: Optional[Result]) -> Optional[float]:
    """Return what a run measured of a goal, in its unit; None where the row was not run."""
    if result is None:
        return None
    if goal.unit == "MB":
        return float(result.remark.split()[0])
    return result.seconds if goal.unit == "s" else result.median


def verdict(goal: Goal, now: float) -> str:
    """Return whether the bound is reached, or is none; and why it is missed, where something is known of that."""
    if goal.asked is None:
        return "stated"
    return "reached" if now <= goal.asked else f"missed: {goal.why}".rstrip(": ")


def rows(results: list[Result]) -> list[tuple[str, ...]]:
    """Return for each goal the cells of its row: what was asked, before, now, and whether it is reached; why not."""
    known = {(r.case.name, r.case.setting): r for r in results}
    found = [("task", "setting", "asked", "before", "now", "")]
    for goal in GOALS:
        now = reached(goal, known.get((goal.task, goal.setting)))
        said = "not run" if now is None else verdict(goal, now)
        asked, before, told = ("–" if v is None else f"{v:.3g} {goal.unit}" for v in (goal.asked, goal.before, now))
        found.append((goal.task, goal.setting, asked, before, told, said))
    return found
