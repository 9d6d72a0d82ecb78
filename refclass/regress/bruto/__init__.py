"""BRUTO: additive splines whose smoothing parameters, lines and omissions are selected by GCV.

Reading order:
    bruto_selection
    bruto_steps
    bruto
    bruto_decimals
"""
