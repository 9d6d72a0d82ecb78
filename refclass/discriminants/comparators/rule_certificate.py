"""Proofs of rules that are found by counting: nearest neighbours, trees; and of nodes, whose outputs solve a system.

Everything is counted again from the data as given, in whole numbers and fractions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import ASKED, digits
from refclass.discriminants.comparators import nearest, node_digits, splits, tree
from refclass.discriminants.comparators.splits import Points
from refclass.discriminants.decision.exact import Failure, Rows, length, numbers, same, shaped
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.matrices.gram import gram
from refclass.linear.clearing import backward_error
from refclass.linear.common_denominator import cleared
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, as_given
from refclass.number.field import Field, Number, rational
from refclass.sample.moments import moments
from refclass.sample.observations import Sample

CHECKED = 20  # rows whose neighbours are counted again


def neighbours(sample: Sample, model: nearest.Model) -> Iterator[Failure]:
    """Yield whether the rule holds the points of positive weight as given, and votes by exact distances.

    The votes are counted again at some rows of the sample, evenly spread: every distance in fractions.
    """
    keep = [i for i, w in enumerate(sample.weights) if w > 0]
    points = [sample.X[i] for i in keep]
    yield same("the points of the rule", list(model.X), points)
    yield same("their classes", list(model.labels), [sample.labels[i] for i in keep])
    yield same("their weights", list(model.weights), [sample.weights[i] for i in keep])
    entries, _ = cleared([v for x in points for v in as_given(x)])
    rows = [entries[j : j + sample.p] for j in range(0, len(entries), sample.p)]
    for i in range(0, len(points), max(1, len(points) // CHECKED)):
        votes = _votes(rows, i, model)
        yield same(f"the votes at row {keep[i]}", list(map(rational, model.votes(points[i]))), votes)


def _votes(rows: Sequence[Sequence[int]], i: int, model: nearest.Model) -> list[Fraction]:
    """Return the votes at a point: of all points up to the distance that holds q of them."""
    squares = [sum([(a - b) ** 2 for a, b in zip(rows[i], z)]) for z in rows]
    weights, seen, reach = model.weights.exactly(), Fraction(0), 0
    for j in sorted(range(len(rows)), key=squares.__getitem__):
        seen, reach = seen + weights[j], squares[j]
        if seen >= model.q:
            break
    votes = [Fraction(0)] * model.K
    for square, g, w in zip(squares, model.labels, weights):
        votes[g] += w if square <= reach else 0
    return votes


def grown(
    sample: Sample, model: tree.Model, *, combinations: bool, depth: Optional[int], least: Number
) -> list[Failure]:
    """Return whether every node counts its points, every split is the best of its node, and every leaf must be one.

    A split by a combination of variables is at least as good as the best one by a variable; more is not claimed.
    """
    points, unit = tree.whole(sample)
    rows, failures = [Vector.of(x) for x in zip(*points.columns)], []
    smallest = int(-(-rational(least) * unit // 1))
    waiting = [(0, list(range(len(rows))), 0)]
    while waiting:
        i, places, level = waiting.pop()
        node, here = model.nodes[i], points.pick(places)
        failures.append(same(f"the counts of node {i}", list(node.counts), here.totals))
        open_ended = max(here.totals) < sum(here.totals) and (depth is None or level < depth)
        best = _best(here, smallest) if open_ended else None
        if node.split is None:
            failures.append(same(f"node {i}, a leaf that has a split", best, None))
            continue
        left = [node.split.left(rows[j]) for j in places]
        reached = splits.quality(here, left)
        value = None if reached is None else Fraction(*reached)
        good = value is not None and best is not None and (value >= best if combinations else value == best)
        failures.append(same(f"the split of node {i}", good, True))
        for child, side in ((node.left, True), (node.right, False)):
            waiting.append((child, [j for j, at in zip(places, left) if at is side], level + 1))
    return failures


def _best(points: Points, least: int) -> Optional[Fraction]:
    """Return the best quality of a split by one variable, every threshold of every variable counted anew."""
    best: Optional[Fraction] = None
    for column in points.columns:
        order = sorted(range(len(column)), key=column.__getitem__)
        here = [0] * points.K
        for i, following in zip(order, order[1:]):
            here[points.labels[i]] += points.counts[i]
            n, m = sum(here), sum(points.totals) - sum(here)
            if column[i] == column[following] or n < least or m < least:
                continue
            there = [t - h for t, h in zip(points.totals, here)]
            value = Fraction(sum(c * c for c in here), n) + Fraction(sum(c * c for c in there), m)
            best = value if best is None or value > best else best
    return best


def pruned(full: tree.Model, model: tree.Model, alpha: Number) -> Failure:
    """Return by how much R(T) + α|T| of a subtree is above the least of all subtrees, summed up from the leaves."""
    total, price = sum(full.nodes[0].counts), rational(alpha)

    def least(i: int) -> Fraction:
        node = full.nodes[i]
        own = Fraction(node.errors, total) + price
        return own if node.split is None else min(own, least(node.left) + least(node.right))

    got = sum((Fraction(model.nodes[i].errors, total) + price for i in model.leaves), Fraction(0))
    return numbers("the price of the pruned tree", [got], [least(0)], [1])


def prices(reported: Sequence[Sequence[Any]], total: Number, unit: Number) -> Failure:
    """Return how far R + α|T| of neighbouring trees of a sequence are apart at the α where one follows the other.

    reported    [α, leaves, weight of errors] of each tree
    unit    the spacing of the numbers
    """
    if not shaped(reported, length(reported), 3):
        return Fraction(1), "the shape of the prices"
    worst = Fraction(0)
    for (_, leaves, errors), (alpha, fewer, more) in zip(reported, reported[1:]):
        price, less = rational(alpha), rational(leaves) - rational(fewer)
        apart = (rational(more) - rational(errors)) / rational(total) - price * less
        worst = max(worst, abs(apart), Fraction(int(price <= 0 or less <= 0)))
    return (Fraction(0) if worst <= 4 * rational(unit) else worst), "the prices at which the tree changes"


def bumps(F: Field, sample: Sample, gamma: Number, penalty: Number, outputs: Rows, scaled: bool) -> list[Failure]:
    """Return how far the outputs of Gaussian nodes are off: (G + λ diag(1/w)) cₖ = yₖ, G as it is held.

    Where the equations hold, but fewer than nine digits of the outputs follow from them, the outputs are what fails.

    scaled    whether γ should be 1/(p · mean variance)

    Exact     yes, for the kernel values as numbers of the field
    """
    keep = [i for i, w in enumerate(sample.weights) if w > 0]
    points = Matrix.of([sample.X[i] for i in keep])
    failures = []
    if scaled:
        ones = Vector.of([Fraction(1)] * sample.n)
        total = moments(Sample(sample.X, (0,) * sample.n, (None,), ones)).scatters[0].trace() / sample.n
        failures.append(numbers("gamma", [gamma], [1 / total]))
    if not shaped(outputs, sample.K, len(keep)):
        return [*failures, (Fraction(1), "the shape of the outputs")]
    held = gram(F, Gaussian(gamma), points)
    G = [list(map(rational, row)) for row in held]
    for k, i in enumerate(keep):
        G[k][k] += rational(penalty) / rational(sample.weights[i])
    Y = Matrix.of([Vector.of([Fraction(int(sample.labels[i] == k)) for k in range(sample.K)]) for i in keep])
    failures.append((backward_error(G, list(zip(*outputs)), Y), "the equations of the outputs"))
    extra = [penalty / sample.weights[i] for i in keep]
    system = [Vector.of([v + extra[i] if i == j else v for j, v in enumerate(row)]) for i, row in enumerate(held)]
    far = node_digits.error(F, Matrix.of(system), sample.p, outputs, Y)
    return [*failures, (far, "the outputs that follow from them")] if digits(far, 1) < ASKED else failures
