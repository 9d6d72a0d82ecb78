"""Hard data for machines of several classes, by kind and seed."""

from random import Random

KINDS = ("plain", "large", "offset", "far", "mixed", "heavy", "copies", "equal", "collinear", "constant", "ties", "two")


def hard(kind, seed):
    """Rows of doubles and class numbers: a dozen points of two to four classes, or two points."""
    r = Random(f"{kind}{seed}")
    classes, p = r.choice([2, 3, 4]), r.choice([1, 2, 3])
    n = r.choice([classes, 2 * classes, 12])
    if kind == "two":
        classes = n = 2
    X = [[r.gauss(0, 1) for _ in range(p)] for _ in range(n)]
    changed = {
        "large": lambda x: [r.uniform(1e5, 2e6) for _ in x],
        "offset": lambda x: [1e6 + v for v in x],
        "far": lambda x: [1e9 + v for v in x],
        "mixed": lambda x: [v * (1e-6, 1.0, 1e6)[j] for j, v in enumerate(x)],
        "heavy": lambda x: [v**9 for v in x],
        "equal": lambda x: X[0],
        "collinear": lambda x: [x[0] * (j + 1) for j in range(p)],
        "constant": lambda x: [7.0, *x[1:]],
        "ties": lambda x: [float(r.randint(-1, 1)) for _ in x],
    }.get(kind, lambda x: x)
    X = [changed(x) for x in X]
    if kind == "copies":
        X = [X[i % max(1, n // 3)] for i in range(n)]
    return X, [i % classes for i in range(n)], 10 ** r.uniform(-6, 8)
