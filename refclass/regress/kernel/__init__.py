"""Kernel machines for regression: their losses as conjugate pieces, solvers and certificates.

Reading order:
    bordered | loss_slopes | machine | newton_coordinates | smooth
    certificate | conjugate_pieces | semismooth_newton
    crossover | free_points | huber | insensitive | smooth_certificate
    fit | kernel_ridge
    ridge_deletion
"""
