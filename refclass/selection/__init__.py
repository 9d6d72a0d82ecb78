"""Floor 6: how well a model will do, and which one to take.

Reading order:
    confusion | leave_one_out | hill | downdate | folds | jobs | grid
    ball | bounds
    validate | gacv
"""
