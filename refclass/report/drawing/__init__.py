"""Pictures as SVG text: axes, panels, rules in the plane.

Reading order:
    axis | contours
    svg
    plane | rendering
    figure
"""
