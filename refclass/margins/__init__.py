"""Floor 5, one wing: machines that separate two classes by a margin.

Throughout: y ∈ {−1, +1}; f(x) = h(x)ᵀβ + β₀ is the decision function; y f(x) is the functional margin; a point is
*inside the band* if y f < 1, *on the band's edge* if y f = 1, *beyond* it if y f > 1.

Reading order:
    hyperplane
    soft
    conditions | hard | primal | squared | listing | crammer_singer
    proof | simplex
    candidate
    crossover | rounding
    safeguard
    train
    lee_lin_wahba
    lee_lin_wahba_conditions | lee_lin_wahba_proof
    lee_lin_wahba_float
    lee_lin_wahba_train
    crammer_singer_proof | path
    crammer_singer_float
    crammer_singer_train | crammer_singer_weights | penalised
    retargeted | ramp | kernel_logistic | multinomial_float | descent
    multinomial
    multinomial_proof | minimise
    multinomial_assured
    one_vs_rest | joint
    one_vs_one
"""
