"""Slow and plain: least squares afresh for every question, MARS by trying everything, splines by full matrices."""

from fractions import Fraction
from itertools import product

from refclass.bases import penalty
from refclass.bases.hinges import Products, pair
from refclass.bases.natural import NaturalSplines
from refclass.linear.factorisations import elimination, gram_schmidt
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL as F


def rss(columns, Y):
    """Return the residual sum of squares of every column of Y on the columns, over all, on fractions."""
    factor = gram_schmidt.factor(F, Matrix(columns).T)
    total = Fraction(0)
    for y in Y.T:
        left = Vector(y)
        for q, s in zip(factor.orthogonal.T, factor.squares):
            if s != 0:
                left = left - (q @ left) / s * q
        total += left @ left
    return total


def gain(terms, new, X, Y):
    """Return by how much the new terms lower the residual sum of squares of the terms."""
    before = list(Products(tuple(terms)).matrix(F, X).T)
    after = before + list(Products(tuple(new)).matrix(F, X).T)
    return rss(before, Y) - rss(after, Y)


def best_pair(terms, X, Y, degree):
    """Return the largest drop of RSS by any pair at any data value, and its parent, variable, knot: first in order."""
    best = (Fraction(-1), None)
    for parent, j in product(range(len(terms)), range(len(X[0]))):
        term = terms[parent]
        if len(term) >= degree or any(h.variable == j for h in term):
            continue
        support = [x for x in X if all(h(x) > 0 for h in term)]
        for knot in sorted({x[j] for x in support}):
            drop = gain(terms, [(*term, hinge) for hinge in pair(j, knot)], X, Y)
            if drop > best[0]:
                best = (drop, (parent, j, knot))
    return best


def penalised(X, Y, lams, weights=None):
    """Return the fitted values of the additive spline with the given λ (None: out, a string: a line), by elimination.

    The columns are 1 and, for each variable, its centred natural splines; lines have no others than x.
    """
    n = len(X)
    w = weights or Vector([Fraction(1)] * n)
    columns, blocks = [Vector([Fraction(1)] * n)], [(None, 1)]
    for j, lam in enumerate(lams):
        if lam is None:
            continue
        basis = NaturalSplines(Vector(sorted({row[j] for row in X})))
        H = basis.matrix(F, [row[j] for row in X]).T[1:]
        H = [Vector([v - w @ h / w.sum() for v in h]) for h in (H[:1] if lam == "line" else H)]
        columns += H
        blocks.append(((basis, lam) if lam != "line" else None, len(H)))
    A = Matrix(columns)
    gram = [list(row) for row in A @ Matrix.diagonal_of(w) @ A.T]
    at = 0
    for block, size in blocks:
        if block is not None:
            basis, lam = block
            omega = penalty.roughness(F, basis, basis.knots[0], basis.knots[-1])
            for a, b in product(range(size), repeat=2):
                gram[at + a][at + b] += lam * omega[a + 1][b + 1]
        at += size
    right = A @ Matrix.diagonal_of(w) @ Y
    return A.T @ elimination.solve(Matrix(gram), right)
