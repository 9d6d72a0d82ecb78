"""Kernel machines for regression: their losses as conjugate pieces, solvers and certificates.

Reading order:
    machine | smooth
    fitted_machine | huber | inactive_points | newton
    intercept | ridge | tube
    certificate
    free_points | kept_sums | null_space | smooth_certificate
    null_space_certificate | premises
    rounded
    stationary
    fit
"""
