"""Own answers to hard tables, and the same with one number changed: what `verify` says of either.

Every estimator of the record format but the deviance and ridge regression, which have tables of their own.
"""

from __future__ import annotations

import json
import random
from fractions import Fraction

from refclass.certificate import ASKED, digits
from refclass.errors import InvalidInput, Refusal
from refclass.number import text
from refclass.number.field import rational
from refclass.oracle import alignment, answer, judge, leaves, problem, reading
from refclass.oracle.judging.comparison import scales
from refclass.oracle.problem import kind_of
from tests.hunt import kinds
from tests.laws.judged import excused
from tests.laws.test_certificates import attributes, judged, places, rebuilt
from tests.oracle.refits import kept

FIRST = 90_000  # seed of the first case
GAUSSIAN, SQUARE = {"name": "gaussian", "gamma": "1/2"}, {"name": "polynomial", "degree": 2}
WIDE = {"name": "gaussian", "gamma": "scale"}
METHODS = {
    "lda": [{}, {"n_components": 1}, {"pseudo_inverse": True}, {"divisor": "n"}],
    "qda": [{}, {"pseudo_inverse": True}],
    "rda": [{"alpha": "1/2", "gamma": "1/2"}, {"alpha": 0, "gamma": 0}],
    "fisher": [{}, {"pseudo_inverse": True}, {"between": "centroids"}],
    "scoring": [{}, {"pseudo_inverse": True}],
    "fda": [{}, {"regression": SQUARE}, {"regression": {"name": "mars", "max_terms": 3}}],
    "pda": [{"penalty": 1}, {"penalty": "1/1000000", "omega": "identity"}, {"n_components": 1}],
    "mda": [{"subclasses": 1}, {"subclasses": 2}, {"subclasses": 2, "n_components": 1}],
    "least_squares": [{}, {"penalty": 1}, {"pseudo_inverse": True}],
    "sparse_discriminant": [{}],
    "regression_classifier": [{"regression": SQUARE}, {"regression": "linear_regression"}],
    "nearest_neighbors": [{}, {"n_neighbors": 3}],
    "tree": [{}, {"combinations": True}, {"ccp_alpha": "1/10"}],
    "perceptron": [{}, {}, {"tol": "1/1000"}],
    "network": [{"hidden": 2, "penalty": "1/2"}],
    "gaussian_nodes": [{}, {"gamma": "1/100", "penalty": "1/10"}],
    "one_vs_one": [{}, {"estimator": "lda"}],
    "one_vs_rest": [{}, {"estimator": {"name": "svc", "kernel": GAUSSIAN}}],
    "coupling": [{}],
    "svc": [{}, {"kernel": GAUSSIAN, "C": 10}, {"loss": "squared_hinge"}, {"kernel": WIDE}, {"C": "inf"}],
    "actual_distance": [{}],
    "crammer_singer": [{}, {"kernel": WIDE}],
    "svm_path": [{}, {"kernel": WIDE}],
    "lee_lin_wahba": [{}, {"kernel": WIDE, "penalty": "1/10"}],
    "kernel_classifier": [{"loss": "squared_hinge"}, {"loss": "huberised", "kernel": WIDE}, {"loss": "squared"}],
    "semiparametric_classifier": [{}],
    "svr": [{}, {"kernel": WIDE}, {"loss": "squared_epsilon_insensitive"}],
    "huber": [{}, {"kernel": WIDE}],
    "semiparametric_regression": [{}],
    "linear_regression": [{}, {"intercept": False}],
    "polynomial": [{"degree": 2}],
    "lasso": [{}],
    "mars": [{"max_terms": 5}],
}
TWO = ("svm_path", "regression_classifier", "kernel_classifier", "sparse_discriminant", "actual_distance")
TWO += ("semiparametric_classifier",)


def wide(r, n, p):
    """Columns from 10⁵ to 10⁹."""
    return [[10.0 ** r.uniform(5, 9) for _ in range(p)] for _ in range(n)]


def ends(r, n, p):
    """Columns of 10^±155, whose squares doubles do not hold."""
    units = [r.choice([1e155, 1e-155]) for _ in range(p)]
    return [[u * r.gauss(0, 1) for u in units] for _ in range(n)]


def denormal(r, n, p):
    """Multiples of 5·10⁻³²⁰."""
    return [[5e-320 * round(r.gauss(0, 9)) for _ in range(p)] for _ in range(n)]


def with_constant(r, n, p):
    """A constant column beside others."""
    return [[3.0, *[r.gauss(0, 1) for _ in range(p - 1)]] if p > 1 else [r.gauss(0, 1)] for _ in range(n)]


KINDS = (*(kind for kind in kinds.KINDS if kind is not kinds.real), wide, ends, denormal, with_constant)


def case(seed, among=KINDS):
    """Return the problem of a seed: a method with parameters, a table of one of the kinds, an arithmetic."""
    r = random.Random(seed)
    names = list(METHODS)
    method, kind = names[seed % len(names)], r.choice(among)
    n, p = r.choice([4, 6, 9, 12]), r.choice([1, 2, 3])
    labelled = kind_of(method).takes_labels
    K = 2 if method in TWO else r.choice([2, 2, 3])
    x = kind(r, n, p)
    if kind in (wide, ends, kinds.prices) or r.random() < 0.3:  # classes that differ
        sizes = [max(abs(v) for v in column) for column in zip(*x)]
        x = [[v + (i % K) * s / 2 for v, s in zip(row, sizes)] for i, row in enumerate(x)]
    y = [i % K for i in range(n)] if labelled else kinds.responses(r, x)
    given = {"method": method, "parameters": r.choice(METHODS[method]), "x": x, "y": y}
    arithmetic = r.choice(["float", "float", "decimal:20", "exact"])
    return {**given, "query": [x[0], [v * 1.5 for v in x[-1]]], "arithmetic": arithmetic}


def own(given):
    """Return a problem read from JSON, and the package's answer as JSON holds it."""
    asked = problem.read(json.dumps(given), "the problem")
    return asked, json.loads(json.dumps(answer.answer(asked)))


def verdict(asked, said):
    """Return the verdict on an answer in the record format; of one whose form is refused, in words."""
    try:
        return judge.verify(asked, reading.read(json.dumps(said), "the answer"))
    except InvalidInput as refusal:
        return {"accepted": False, "verdict": f"refused: {refusal}", "reason": str(refusal)}


def changed(asked, said, r):
    """Yield the name of an attribute or prediction, how it is changed, and the changed answer.

    A number of two digits on the scale of its attribute times 1.1, or of the other sign; two numbers that differ so,
    swapped; the last one dropped. What stays as right as it was is no change: the sign of an axis of one entry, an axis
    of an eigenvalue of zero, classes, labels and votes that change places where they cannot be told apart.
    """
    kind, level = kind_of(asked.method), is_level(said)
    known = scales.data(asked, kind.takes_labels, reading.exact(asked, said)["fitted"])
    for part in ("fitted", "predictions"):
        for name, value in said.get(part, {}).items():
            if part == "fitted" and name + "_" in kind.history:  # another way may lead to the same answer
                continue
            for way, other in ways(name, value, known, r):
                axis = name in AXES.get(asked.method, ())
                by_row = asked.method == "scoring" and name in alignment.ROWS
                if axis and way == "times -1" and alone(effects(value, by_row, known), by_row):
                    continue
                if (axis or name in ("eigenvalues", "weights")) and way == "dropped" and is_flat(said["fitted"]):
                    continue
                if level and way == "swapped" and name in PLACED:
                    continue
                yield f"{part}.{name}", way, {**said, part: {**said[part], name: other}}


AXES = {method: [name for group in groups for name in group] for method, groups in alignment.AXES.items()}
PLACED = ("classes", "labels", "votes", "decision", "weights")


def is_level(said):
    """Return whether classes cannot be told apart: equal decision values of a point, or equal means; a path of no f."""
    fitted, told = said.get("fitted", {}), said.get("predictions", {})
    means = fitted.get("means", [])
    if any(told.get("unclassifiable", [])) or any(a in means[:i] for i, a in enumerate(means)):
        return True
    for own in told.get("decision", fitted.get("intercepts", [1])) or [0]:
        found = [number(v) for v in own] if isinstance(own, list) else [Fraction(0), number(own)]
        found = [0, *found] if len(found) == 1 else found
        size = max([Fraction(1), *map(abs, found)])
        if any(abs(a - b) * 10**4 < size for i, a in enumerate(found) for b in found[:i]):
            return True
        parts = [v - round(v) for v in found] if "votes" in told else []
        if any(abs(a - b) * 10**4 < 1 for i, a in enumerate(parts) for b in parts[:i]):
            return True  # of other votes, where the machine of a pair is zero
    return any(a in own[:i] for own in means if isinstance(own[0], list) for i, a in enumerate(own))  # of subclasses


def effects(value, by_row, known):
    """Return directions, a row for each column of x, times the spreads of these; others as they are."""
    if by_row or len(value) != len(known.spreads) or not all(isinstance(row, list) for row in value):
        return value
    return [[number(v) * s for v in row] for row, s in zip(value, known.spreads)]


def alone(value, by_row):
    """Return whether each axis has one entry other than zero at most, to the digits that are asked for."""
    rows = [row if isinstance(row, list) else [row] for row in value]
    own = rows if by_row else zip(*rows)
    sizes = [sorted(abs(number(v)) for v in axis) for axis in own]
    return all(len(axis) < 2 or axis[-2] * 10**6 <= axis[-1] for axis in sizes)


def is_flat(fitted):
    """Return whether the last eigenvalue is zero to the digits that are asked for."""
    values = [abs(number(v)) for v in fitted.get("eigenvalues", [])]
    return bool(values) and values[-1] * 10**6 <= max(values)


def stays(asked, found):
    """Return whether an accepted change leaves a stationary point of the same value: of networks no more is told."""
    value = found.get("digits", {}).get("objective") or 0
    return asked.method == "network" and found["verdict"].startswith("stationary") and value >= ASKED


def hidden(asked, said, other, name, found):
    """Return whether roundings hide a change of decision values, and the verdict claims no more digits than are left.

    A value of a linear function moves by Σ |βⱼxⱼ|u where each coordinate, or coefficient, is rounded, u being half a
    unit in the last place; within a digit of that any number is as right as another.
    """
    rows = said["fitted"].get("coef", [])
    if name != "predictions.decision" or not all(isinstance(v, list) and len(v) == len(asked.x[0]) for v in rows):
        return False
    pairs = list(zip(asked.query, said["predictions"]["decision"], other["predictions"]["decision"]))
    for x, own, new in pairs:
        own, new = (v if isinstance(v, list) else [v] for v in (own, new))
        if len(own) != len(rows):
            return False
        size = max([Fraction(1), *[abs(number(v)) for v in own]])
        for beta, v, w in zip(rows, own, new):
            moved = sum(abs(number(b) * rational(c)) for b, c in zip(beta, x)) / 2**53
            left = digits(number(v) - number(w), size)
            if v != w and (left < digits(moved, size) - 1 or found["digits"]["decision"] > left + 0.01):
                return False
    return True


def unnoticed(seed, drawn=case):
    """Return what is wrong with the verdicts on a case: on the own answer, or on a changed one that is accepted."""
    try:
        asked, said = own(drawn(seed))
    except InvalidInput as refusal:
        return [str(refusal)] if "\n" in str(refusal) else []
    found = verdict(asked, said)
    if not found["accepted"]:
        return [("own", found["verdict"])]
    if "refusal" in said:
        return []
    missed = []
    with kept():
        for name, way, other in changed(asked, said, random.Random(seed)):
            found = verdict(asked, other)
            left = [place.partition("[")[0].partition(",")[0] for place in found.get("not_judged", {})]
            judged = name.partition(".")[2] not in left
            if found["accepted"] and judged and not (stays(asked, found) or hidden(asked, said, other, name, found)):
                missed.append((name, way, found["verdict"]))
    return missed


def unproven(seed, drawn=case):
    """Return what the certificate of a fitted estimator does not notice, or what its own numbers lack."""
    given = drawn(seed)
    asked = problem.read(json.dumps(given), "the problem")
    try:
        model = asked.fitted()
        right = model.certificate_
    except (Refusal, AttributeError):
        return []
    missed, r, kind = [], random.Random(seed), type(model).__name__
    known = scales.data(asked, kind_of(asked.method).takes_labels)
    low = right.digits is not None and right.digits < ASKED and "tol" not in asked.parameters
    if low and (right.ceiling is None or right.digits < right.ceiling - 1) and right.status != "stationary":
        missed.append(("own", str(right)))
    for name in attributes(model):
        try:
            value = getattr(model, name, None)
        except Refusal:
            continue
        if value is None or excused(kind, name) or name == "estimators_":
            continue
        for way, other in ways(name.rstrip("_"), listed(value), known, r):
            if name.rstrip("_") in AXES.get(asked.method, ()) and way == "times -1":
                continue
            found = judged(model, name, other)
            if found is None or found.status != right.status:
                continue
            if found.digits is None or found.digits >= min(right.digits - 1, ASKED + 3):
                missed.append((name, way, found.status, found.digits))
    return missed


def listed(value):
    """Return nested sequences as lists."""
    return [listed(v) for v in value] if isinstance(value, (list, tuple)) else value


def ways(name, value, known, r):
    """Yield how a value is changed, and the changed value."""
    found = list(places(value))
    numbers = [(p, number(v)) for p, v in found if number(v) is not None]
    size = scales.scale(name, reading.numbers(value, False), known) if numbers else Fraction(1)
    sizes = size if isinstance(size, list) and len(size) == len(found) else [size] * len(found)
    scale = {p: v if isinstance(v, (int, Fraction)) else Fraction(1) for (p, _), v in zip(found, sizes)}
    large = [(p, v) for p, v in numbers if abs(v) * 100 > scale[p]]
    if large:
        path, v = r.choice(large)
        yield "times 1.1", rebuilt(value, path, lambda w: shown(v * Fraction(11, 10), w))
        path, v = r.choice(large)
        yield "times -1", rebuilt(value, path, lambda w: shown(-v, w))
    pairs = [(a, b) for a, b in zip(found, found[1:]) if a[1] != b[1] and apart(a, b, scale)]
    if pairs:
        (p, v), (q, w) = r.choice(pairs)
        yield "swapped", rebuilt(rebuilt(value, p, lambda _: w), q, lambda _: v)
    if found and isinstance(value, list):
        path = found[-1][0]
        yield "dropped", rebuilt(value, path[:-1], lambda part: list(part)[:-1])


def number(value):
    """Return a number, or a text that denotes one, in fractions; None for others."""
    if isinstance(value, (bool, dict)) or value is None:
        return None
    found = reading.numbers(value, False) if isinstance(value, (str, float, int)) else rational(value)
    return Fraction(found) if leaves.finite(found) else None


def shown(value, like):
    """Return a fraction as another number is written: text, a double, a decimal or a fraction."""
    if isinstance(like, str):
        return text.show(value)
    if isinstance(like, (int, float)):
        return float(value) if float(value) != like else value.numerator
    return type(like)(value.numerator) / value.denominator


def apart(a, b, scale):
    """Return whether two entries differ by a hundredth of the scale of either, or are words."""
    v, w = number(a[1]), number(b[1])
    if v is None or w is None:
        return True
    return abs(v - w) * 100 > max(scale[a[0]], scale[b[0]])
