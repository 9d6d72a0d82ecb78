"""A network of names as SVG text: layers from left to right by the longest path, arrows from foundation to use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from refclass.report.drawing.rendering import words as escaped
from refclass.report.drawing.svg import GREY, GROUND, TEXT

LETTER, LINE, GAP = 7.6, 22, 70  # pixels: of a letter, from name to name, between layers


def depths(names: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Return for each name that an edge touches the length of the longest path that leads to it.

    Edges that would close a circle are ignored.

    Example
        >>> depths(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("a", "c")])
        {'a': 0, 'b': 1, 'c': 2}
    """
    before: dict[str, list[str]] = {}
    for one, other in edges:
        before.setdefault(other, []).append(one)
    found: dict[str, int] = {}

    def depth(name: str, above: tuple[str, ...]) -> int:
        if name not in found:
            inner = [one for one in before.get(name, []) if one not in above]
            found[name] = max([depth(one, (*above, name)) + 1 for one in inner], default=0)
        return found[name]

    touched = {name for edge in edges for name in edge}
    return {name: depth(name, (name,)) for name in names if name in touched}


def drawn(names: Sequence[str], edges: Sequence[tuple[str, str]], address: Mapping[str, str]) -> str:
    """Return the drawing: each name a link, in layers, in each layer near those it rests on."""
    depth = depths(names, edges)
    layers: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for name, k in depth.items():
        layers[k].append(name)
    row: dict[str, float] = {}
    for k, layer in enumerate(layers):
        if k:  # Method: one barycentric pass (Sugiyama, Tagawa and Toda 1981)
            feet = {n: [row[a] for a, b in edges if b == n and depth[a] < k] for n in layer}
            layer.sort(key=lambda n: sum(feet[n]) / max(1, len(feet[n])))
        row.update({name: float(i) for i, name in enumerate(layer)})
    widths = [LETTER * max(map(len, layer)) for layer in layers]
    left = [8 + sum(widths[:k]) + GAP * k for k in range(len(layers))]
    height = LINE * max(map(len, layers)) + 16
    width = int(left[-1] + widths[-1] + 8)
    out = [
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-label="what uses what" '
        f'font-family="ui-monospace, monospace" font-size="12" fill="{TEXT}">',
    ]
    for one, other in edges:
        if depth[one] < depth[other]:
            x, y = left[depth[one]] + LETTER * len(one), 12 + LINE * row[one] + 4
            u, v = left[depth[other]] - 3, 12 + LINE * row[other] + 4
            bend = GAP / 2
            path = f"M{x:.0f} {y:.0f}C{x + bend:.0f} {y:.0f} {u - bend:.0f} {v:.0f} {u:.0f} {v:.0f}"
            head = f"M{u - 6:.0f} {v - 3:.0f}L{u:.0f} {v:.0f}L{u - 6:.0f} {v + 3:.0f}"
            out.append(f'<path d="{path}{head}" fill="none" stroke="{GREY}"/>')
    for name, k in depth.items():
        x, y, long = left[k], 12 + LINE * row[name], LETTER * len(name)
        behind = f'<rect x="{x - 2:.0f}" y="{y - 4:.0f}" width="{long:.0f}" height="16" fill="{GROUND}"/>'
        out.append(behind)
        place = f'x="{x:.0f}" y="{y + 8:.0f}"'
        out.append(f'<a href="{escaped(address[name])}"><text {place}>{escaped(name)}</text></a>')
    return "\n".join([*out, "</svg>"])
