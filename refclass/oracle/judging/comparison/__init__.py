"""What is reported beside what is right: forms, the scale of each attribute, digits.

Reading order:
    chosen_axes | counted | forms | held | scales
    attributes
    predicted
"""
