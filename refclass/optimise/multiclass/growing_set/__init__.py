"""An interior point method in integers on a growing set of pairs of a point and a class.

Reading order:
    pairs
    pair_path
    box_pair_path | growing_pairs
"""
