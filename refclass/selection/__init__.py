"""How well a model will do, and which one to take.

Reading order:
    bounds | confusion | executor | folds | grid | hill_climbing | leave_one_out
    gacv | validate
"""
