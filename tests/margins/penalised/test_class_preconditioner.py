"""Conjugate gradients for the Newton equations of all classes, with two preconditioners."""

import random
from types import SimpleNamespace

import pytest

from refclass import KernelClassifier
from refclass.certificate import ASKED
from refclass.linear.polar import Products
from refclass.margins.penalised import multinomial_coordinates
from refclass.margins.penalised.class_preconditioner import Classes, Intercepts, solved

N, CLASSES, LAM = 12, 3, 0.5


def equations(size, intercept):
    """Return Newton equations of three classes whose Gram matrix has entries of the size, and their right side."""
    r = random.Random(3)
    X = [[r.gauss(0, 1) for _ in range(4)] for _ in range(N)]
    K = [tuple(size * sum(a * b for a, b in zip(x, z)) ** 2 for z in X) for x in X]
    shares = [[r.random() for _ in range(CLASSES)] for _ in range(N)]
    p = [list(own) for own in zip(*[[v / sum(row) for v in row] for row in shares])]
    held = SimpleNamespace(p=p, loss=SimpleNamespace(weights=[1.0] * N), lam=LAM, intercept=intercept)
    held.product = Products(K)
    held.curved = lambda f: multinomial_coordinates.Kernel.curved(held, f)
    right = [[r.gauss(0, 1) for _ in range(N)] for _ in range(CLASSES)]
    right[-1] = [-sum(own) for own in zip(*right[:-1])]
    d = [[v * (1 - v) for v in own] for own in p]
    sums = [r.gauss(0, 1) * intercept for _ in range(CLASSES - 1)]
    return held, K, d, right, [*sums, -sum(sums)]


def left(held, z, b, right, sums):
    """Return the largest residual of the equations."""
    W = held.curved([[v + c for v in held.product(own)] for own, c in zip(z, b)])
    rows = [LAM * v + w - t for own, images, r in zip(z, W, right) for v, w, t in zip(own, images, r)]
    return max(map(abs, [*rows, *[(sum(own) - s) * held.intercept for own, s in zip(W, sums)]]))


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("kind", [Intercepts, Classes])
def test_both_preconditioners_solve_the_equations(kind, intercept):
    """To the residual that is asked for; where K is of the size of λ both need few iterations."""
    held, K, d, right, sums = equations(0.1, intercept)
    of = Classes(K, d, LAM, intercept) if kind is Classes else Intercepts(d, LAM)
    z, kz, b, fall, done = solved(held, of, right, sums, 1e-9, 200)
    assert done and fall > 0 and left(held, z, b, right, sums) < 1e-7
    assert max(abs(v - w) for own, image in zip(z, kz) for v, w in zip(held.product(own), image)) < 1e-7


@pytest.mark.parametrize("size", [1e3, 1e6])
def test_iterations_do_not_grow_with_the_kernel(size):
    """The factors of the classes hold what makes the equations hard; without them 20 iterations do not solve these."""
    held, K, d, right, sums = equations(size, True)
    assert solved(held, Classes(K, d, LAM, True), right, sums, 1e-4, 20)[-1]
    assert not solved(held, Intercepts(d, LAM), right, sums, 1e-4, 20)[-1]


@pytest.mark.thorough
def test_a_deviance_of_many_classes_on_unscaled_columns_has_nine_digits():
    """200 × 4 multipliers, and monomials up to 10⁶: more multipliers than decimals are computed for."""
    r = random.Random(11)
    y = [i % 4 for i in range(200)]
    X = [[r.gauss(40 + 3 * g, 4), r.gauss(70 - g, 2), r.gauss(5 * (g == 2), 3)] for g in y]
    found = KernelClassifier(loss="deviance", kernel={"name": "polynomial", "degree": 2, "c": 1}).fit(X, y)
    assert found.certificate_.digits >= ASKED
