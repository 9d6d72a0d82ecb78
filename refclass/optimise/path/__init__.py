"""The regularisation path of the support vector machine (Hastie, Rosset, Tibshirani and Zhu 2004).

Reading order:
    elbow_system | equal_points | progress
    degenerate | residuals
    segment
    initial | path_state
    segments
    solution
    hastie
"""
