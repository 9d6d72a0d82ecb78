"""The little Markdown that the specification is written in, as HTML: headings, paragraphs, lists, tables, formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from refclass.report.drawing.rendering import words as escaped

CODE, BOLD, LINK = re.compile("`([^`]+)`"), re.compile(r"\*\*([^*]+)\*\*"), re.compile(r"\[([^\]]+)\]\([^)]*\)")
ITEM = re.compile(r"(?:-|\d+\.) (.*)")


def inline(text: str) -> str:
    """Return a line as HTML: code and strong words marked, links as their words.

    Example
        >>> inline("`a < b` is **not** [x](y)")
        '<code>a &lt; b</code> is <strong>not</strong> x'
    """
    return BOLD.sub(r"<strong>\1</strong>", CODE.sub(r"<code>\1</code>", LINK.sub(r"\1", escaped(text))))


def html(text: str, least: int = 2) -> list[str]:
    """Return a text as HTML, its highest heading of the level `least`.

    Example
        >>> html("# A\\n\\nb\\nc\\n\\n    x = 1\\n")
        ['<h2>A</h2>', '<p>b c</p>', '<pre class="formula">x = 1</pre>']
    """
    lines = text.splitlines()
    first = min([len(line) - len(line.lstrip("#")) for line in lines if line.startswith("#")], default=1)
    return [piece for block in _blocks(lines) for piece in _block(block, least - first)]


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lines between empty ones; indented blocks that follow one another are one."""
    block: list[str] = []
    for line in [*lines, "", "end"]:
        if not line.strip() or line.startswith("#"):
            if block and block[0].startswith("    ") and not line.strip():
                block.append("")
                continue
            if block:
                yield block
            block = [line] if line.startswith("#") else []
        elif block and (block[0].startswith("#") or (block[0].startswith("    ") and not line.startswith("    "))):
            yield block
            block = [line]
        else:
            block.append(line)


def _block(block: Sequence[str], shift: int) -> Iterator[str]:
    head = block[0]
    if head.startswith("#"):
        level = len(head) - len(head.lstrip("#"))
        yield f"<h{level + shift}>{inline(head.lstrip('# '))}</h{level + shift}>"
    elif head.startswith("    "):
        yield '<pre class="formula">' + escaped("\n".join(line[4:] for line in block).strip("\n")) + "</pre>"
    elif head.startswith("|"):
        yield '<div class="wide"><table>'
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in block]
        for k, row in enumerate(r for r in rows if not all(re.fullmatch("[-:]*", c) and c for c in r)):
            if any(row):
                tag = "th" if k == 0 else "td"
                yield "<tr>" + "".join(f'<{tag} class="text">{inline(c)}</{tag}>' for c in row) + "</tr>"
        yield "</table></div>"
    elif ITEM.match(head):
        items: list[str] = []
        for line in block:
            found = ITEM.match(line)
            if found:
                items.append(found[1])
            else:
                items[-1] += " " + line.strip()
        yield "<ul>" + "".join(f"<li>{inline(item)}</li>" for item in items) + "</ul>"
    else:
        yield f"<p>{inline(' '.join(line.strip() for line in block))}</p>"
