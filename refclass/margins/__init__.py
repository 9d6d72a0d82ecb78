"""Machines that separate two classes by a margin.

Throughout: y ∈ {−1, +1}; f(x) = h(x)ᵀβ + β₀ is the decision function; y f(x) is the functional margin; a point is
*inside the band* if y f < 1, *on the band's edge* if y f = 1, *beyond* it if y f > 1.

Reading order:
    decimal_features | enclosing_ball | magnification | reduction
    svm
    crammer_singer | lee_lin_wahba | penalised
"""
