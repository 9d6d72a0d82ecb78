"""The style of the pages: light and dark, from a telephone's width to a desk's, without scripts or other files."""

from __future__ import annotations

from collections.abc import Sequence

import refclass
from refclass.report.drawing import svg
from refclass.report.drawing.rendering import words as escaped

SHEET = (
    """
:root { --text: #1d2126; --ground: #ffffff; --soft: #f3f4f6; --line: #c4c9cf; --link: #0b5cad; --quiet: #555c64; }
@media (prefers-color-scheme: dark) {
:root { --text: #e6e6e6; --ground: #14171a; --soft: #1f2429; --line: #47505a; --link: #8cc4ff; --quiet: #b0b7bf; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground); margin: 0 auto;
  max-width: 64rem; padding: .75rem .625rem 3rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.2rem; } h3 { font-size: 1rem; margin-bottom: .2rem; }
a { color: var(--link); } svg a text { fill: var(--link); }
nav { font-size: .9rem; display: flex; flex-wrap: wrap; gap: .2rem .9rem; }
section { border-top: 1px solid var(--line); margin-top: 1.8rem; }
.panels { display: flex; flex-wrap: wrap; gap: .5rem; }
.panels svg { flex: 1 1 340px; max-width: 480px; min-width: 0; width: 100%; height: auto; }
.wide { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; font-size: .85rem; overflow-wrap: normal; }
th, td { border: 1px solid var(--line); padding: .2rem .5rem; text-align: right; vertical-align: top; }
th { background: var(--soft); } td.text, th.text { text-align: left; min-width: 7rem; }
code, pre { font: .85rem/1.45 ui-monospace, monospace; }
pre { background: var(--soft); padding: .5rem .6rem; overflow-x: auto; margin: .3rem 0; white-space: pre; }
pre.formula { white-space: pre-wrap; overflow-wrap: anywhere; }
p.about, .quiet { color: var(--quiet); font-size: .9rem; }
article { border-top: 1px solid var(--line); padding: .3rem 0; scroll-margin-top: .5rem; }
article:target { outline: 3px solid var(--link); outline-offset: 4px; }
dl { margin: .3rem 0; } dt { font-weight: bold; font-size: .9rem; } dd { margin: 0 0 .2rem 0; font-size: .9rem; }
@media (min-width: 52rem) {
.spread { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 1.2rem; }
body.book { max-width: 86rem; } dl.pairs { display: grid; grid-template-columns: 7rem minmax(0, 1fr); } }
details summary { cursor: pointer; }
""".strip()
    + "\n"
    + svg.SCHEME
)


def page(title: str, body: Sequence[str], links: Sequence[tuple[str, str]] = (), kind: str = "") -> str:
    """Return a whole page as HTML that is XML, too.

    links    addresses and names of the pages that belong together
    """
    named = f' class="{kind}"' if kind else ""
    shown = "".join(f'<a href="{escaped(address)}">{escaped(name)}</a>' for address, name in links)
    return (
        "\n".join(
            [
                "<!DOCTYPE html>",
                '<html lang="en">',
                '<head><meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/>',
                '<meta name="color-scheme" content="light dark"/><link rel="icon" href="data:,"/>',
                f"<title>{escaped(title)} · refclass {refclass.__version__}</title>",
                f"<style>{SHEET}</style></head>",
                f"<body{named}>",
                *([f"<nav>{shown}</nav>"] if links else []),
                f"<h1>{escaped(title)}</h1>",
                *body,
                "</body></html>",
            ]
        )
        + "\n"
    )


PER_CENT = "\N{NO-BREAK SPACE}%"


def table(header: Sequence[str], rows: Sequence[Sequence[str]], text: Sequence[int] = (0,)) -> list[str]:
    """Return a table as HTML; a wide one is moved inside its own frame.

    text    the columns of words, aligned to the left
    """
    marks = ['class="text"' if j in text else "" for j in range(len(header))]
    out = ['<div class="wide"><table>']
    out.append("<tr>" + "".join(f"<th {m}>{escaped(h)}</th>" for m, h in zip(marks, header)) + "</tr>")
    out += [
        "<tr>" + "".join(f"<td {m}>{escaped(c.replace(' %', PER_CENT))}</td>" for m, c in zip(marks, row)) + "</tr>"
        for row in rows
    ]
    return [line.replace(" >", ">") for line in out] + ["</table></div>"]
