"""Bases, the functions h₁, …, h_M that take a linear method beyond straight lines, and their roughness.

A basis is a frozen record; `basis(F, x)` is the vector h(x) of its values at a point, `basis.matrix(F, points)` one
such row for each point, `len(basis)` is M. A point is a row of numbers for the bases of several variables (monomials,
products of hinges), a number for those of one (truncated powers, B-splines, natural splines), which also offer
`basis.derivative(F, x, order)`. Every basis here is exact on fractions: nothing but + − × ÷ and <.

Reading order:
    basis
    bspline | hinges | natural | penalty | polynomial | truncated
"""
