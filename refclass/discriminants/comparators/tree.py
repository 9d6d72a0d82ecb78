"""Classification trees: boxes, or polygons, each given to the class that most of its points have.

grow     split every node in two, the purer by Gini's index the better, until it holds one class
prune    minimise R(T) + α |T|: the share of training errors, and a price for each leaf
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Optional

from refclass.discriminants.comparators import splits
from refclass.discriminants.comparators.splits import Points, Split
from refclass.discriminants.decision import decide
from refclass.discriminants.decision.decide import Deciding, Decision
from refclass.errors import InvalidInput
from refclass.iteration import ending
from refclass.linear.vector import Vector
from refclass.number.field import Number, rational
from refclass.sample.observations import Sample


@dataclass(frozen=True)
class Node:
    """A node with the points that reach it.

    counts    the numbers of points of each class, whole numbers (weights times the tree's `unit`)
    split     how it is split; None for a leaf
    left      the number of the node where points with a·x ≤ c go; 0 for a leaf
    right     the number of the other
    """

    counts: tuple[int, ...]
    split: Optional[Split] = None
    left: int = 0
    right: int = 0

    @property
    def errors(self) -> int:
        """The points that are not of the class of most."""
        return sum(self.counts) - max(self.counts)


@dataclass(frozen=True)
class Model(Deciding):
    """A tree: its nodes, a parent before its children, the root first  [CMP-CART].

    unit    what an integer count stands for: weight = count / unit
    zero    the zero of the numbers of posteriors
    """

    nodes: tuple[Node, ...]
    unit: int
    zero: Number

    @property
    def leaves(self) -> list[int]:
        """The numbers of the leaves."""
        return [i for i, node in enumerate(self.nodes) if node.split is None]

    @property
    def depth(self) -> int:
        """The most splits on the way to a leaf."""
        depths = [0] * len(self.nodes)
        for i, node in enumerate(self.nodes):
            if node.split is not None:
                depths[node.left] = depths[node.right] = depths[i] + 1
        return max(depths)

    def leaf(self, x: Vector) -> int:
        """Return the number of the leaf that x reaches.

        Exact     yes
        """
        i = 0
        while (split := self.nodes[i].split) is not None:
            i = self.nodes[i].left if split.left(x) else self.nodes[i].right
        return i

    def scores(self, x: Vector) -> Vector:
        """Return the shares of the classes in the leaf of x."""
        return self.posterior(x)

    def posterior(self, x: Vector) -> Vector:
        """Return the shares of the classes in the leaf of x.

        Exact     yes
        """
        counts = self.nodes[self.leaf(x)].counts
        one, total = self.zero + 1, sum(counts)
        # Premise: Python divides integers of any length, longer ones than doubles hold among them.
        return Vector.of([c / total if type(one) is float else one * c / total for c in counts])

    def decide(self, x: Vector) -> Decision:
        """Return the decision at x: the class of most points of its leaf; ties are ties."""
        return decide.largest(self.nodes[self.leaf(x)].counts)


def steps(
    sample: Sample, *, combinations: bool = False, max_depth: Optional[int] = None, least: Number = 1
) -> Generator[tuple[int, int], None, Model]:
    """Yield how many points are in leaves, of how many, node after node, and return the tree  [CMP-CART] [CMP-CART-LC].

    Exact     yes
    """
    points, unit = whole(sample)
    smallest = -(-rational(least) * unit // 1)
    search = splits.by_combination if combinations else splits.by_variable
    rows = list(zip(*points.columns))
    nodes: list[Node] = []
    waiting: list[tuple[list[int], int, int, bool]] = [(list(range(len(points.labels))), 0, -1, False)]
    settled = 0
    while waiting:
        places, depth, parent, on_left = waiting.pop()
        here = points.pick(places)
        _linked(nodes, parent, on_left)
        found = None
        if max(here.totals) < sum(here.totals) and (max_depth is None or depth < max_depth):
            found = search(here, int(smallest))
        nodes.append(Node(tuple(here.totals), None if found is None else found[1]))
        if found is None:
            settled += len(places)
            yield settled, len(points.labels)
            continue
        sides: tuple[list[int], list[int]] = ([], [])
        for i in places:
            sides[not found[1].left(Vector.of(rows[i]))].append(i)
        waiting += [(side, depth + 1, len(nodes) - 1, side is sides[0]) for side in sides[::-1]]
    return Model(tuple(nodes), unit, sample.kind(0))


def _linked(nodes: list[Node], parent: int, on_left: bool) -> None:
    """Enter the next node's number with its parent."""
    if parent >= 0:
        node, place = nodes[parent], len(nodes)
        left, right = (place, node.right) if on_left else (node.left, place)
        nodes[parent] = Node(node.counts, node.split, left, right)


def fit(
    sample: Sample, *, combinations: bool = False, max_depth: Optional[int] = None, least: Number = 1, alpha: Number = 0
) -> Model:
    """Return the tree, grown and pruned  [CMP-CART] [CMP-CART-LC].

    combinations    whether splits are by linear combinations of the variables, else by one
    max_depth       the most splits on the way to a leaf
    least           the least weight of the points of a leaf
    alpha           the price of a leaf, as a share of training errors; 0 prunes splits that save none

    Exact     yes
    Laws      grown fully on distinct points, no training error; monotone transforms of a variable change no label of
              the sample, and a variable's units none at all
    """
    grown = ending(steps(sample, combinations=combinations, max_depth=max_depth, least=least))
    return pruned(grown, alpha)


def whole(sample: Sample) -> tuple[Points, int]:
    """Return the points of positive weight, and the least number that makes whole numbers of their weights.

    Exact     yes: a float is a rational
    """
    keep = [i for i, w in enumerate(sample.weights) if w > 0]
    weights = [rational(sample.weights[i]) for i in keep]
    unit = lcm(*[w.denominator for w in weights])
    columns = tuple(zip(*(sample.X[i] for i in keep)))
    counts = tuple(int(w * unit) for w in weights)
    return Points(columns, tuple(sample.labels[i] for i in keep), counts, sample.K), unit


def pruned(model: Model, alpha: Number) -> Model:
    """Return the smallest subtree with the least R(T) + α|T|.

    R(T) is the share of training errors, |T| the number of leaves.

    Exact     yes
    Raises    InvalidInput for a negative α
    """
    price = rational(alpha)
    if price < 0:
        raise InvalidInput("tree", need="a price of a leaf ≥ 0", got=alpha)
    # Method: from the leaves up; a node becomes a leaf if what is below it costs no less than itself as one.
    total = sum(model.nodes[0].counts)
    costs: dict[int, Fraction] = {}
    cut = set()
    for i in range(len(model.nodes) - 1, -1, -1):
        node = model.nodes[i]
        own = Fraction(node.errors, total) + price
        below = own if node.split is None else costs[node.left] + costs[node.right]
        if node.split is not None and own <= below:
            cut.add(i)
        costs[i] = min(own, below)
    return _without(model, cut)


def _without(model: Model, cut: set[int]) -> Model:
    """Return the tree in which the nodes of `cut` are leaves."""
    kept: list[int] = []
    waiting = [0]
    while waiting:
        i = waiting.pop()
        kept.append(i)
        if model.nodes[i].split is not None and i not in cut:
            waiting += [model.nodes[i].right, model.nodes[i].left]
    place = {i: k for k, i in enumerate(kept)}
    nodes = []
    for i in kept:
        node = model.nodes[i]
        leaf = node.split is None or i in cut
        nodes.append(Node(node.counts) if leaf else Node(node.counts, node.split, place[node.left], place[node.right]))
    return Model(tuple(nodes), model.unit, model.zero)


def sequence(model: Model) -> list[tuple[Fraction, Model]]:
    """Return the trees that are best for some α, each with the least α for which it is: the weakest link goes first.

        α = min over nodes t of (R(t) − R(T_t))/(|T_t| − 1)

    Exact     yes
    Laws      the trees are nested; `pruned` finds the same ones
    """
    found = [(Fraction(0), pruned(model, 0))]
    while len(found[-1][1].nodes) > 1:
        tree = found[-1][1]
        alpha = _weakest(tree)
        found.append((alpha, pruned(tree, alpha)))
    return found


def _weakest(model: Model) -> Fraction:
    total = sum(model.nodes[0].counts)
    below: dict[int, tuple[int, int]] = {}
    links = []
    for i in range(len(model.nodes) - 1, -1, -1):
        node = model.nodes[i]
        if node.split is None:
            below[i] = node.errors, 1
            continue
        (errors, leaves), (more, others) = below[node.left], below[node.right]
        below[i] = errors + more, leaves + others
        links.append(Fraction(node.errors - errors - more, total * (leaves + others - 1)))
    return min(links)
