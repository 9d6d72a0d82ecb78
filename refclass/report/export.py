"""A program in a language: a file that predicts, without dependencies; run, it reads rows of numbers and prints labels.

Python runs on CPython, PyPy and MicroPython; C is C99, with `cc -O2 -ffp-contract=off model.c -lm`; JavaScript is a
module of Node.js, or a script of a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable

from refclass.errors import InvalidInput
from refclass.report.braced_languages import KERNEL, c, data, head, javascript
from refclass.report.program import Program


def export(program: Program, language: str) -> str:
    """Return the text of the file.  Raises InvalidInput for another language."""
    if language not in LANGUAGES:
        raise InvalidInput("export", need=f"a language among {', '.join(LANGUAGES)}", got=repr(language))
    return LANGUAGES[language](program)


# --- Python ---


def python(program: Program) -> str:
    """Return the program in Python."""
    lines = ['"""' + head(program)[0], "", *head(program)[1:], '"""', "", "import sys"]
    lines += ["from math import exp, sqrt, tanh"] if program.kernel else []
    lines += ["", *(f"{name} = {_literal(value)}" for name, value in data(program)), "", ""]
    lines += ["def scores(x):", '    """Return the decision values at one row."""', *_python_scores(program), "", ""]
    lines += ["def predict(x):", '    """Return the prediction at one row."""', *_python_rule(program), "", ""]
    lines += [
        'if __name__ == "__main__":',
        "    for line in sys.stdin:",
        "        if line.strip():",
        '            row = [float(cell) for cell in line.split(",")]',
        "            print(predict(row), *[repr(v) for v in scores(row)])",
    ]
    return "\n".join(lines) + "\n"


def _literal(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_literal, value)) + "]"
    return repr(value) if isinstance(value, (int, float, str)) else repr(str(value))


def _python_scores(program: Program) -> Sequence[str]:
    scaled = ["    x = [(v - m) / s for v, m, s in zip(x, CENTER, SCALE)]"] if program.center else []
    if program.nodes:
        return [
            *scaled,
            "    i = 0",
            "    while NODES[i][0] >= 0:",
            "        i = NODES[i][2] if x[NODES[i][0]] <= NODES[i][1] else NODES[i][3]",
            "    return [NODES[i][4]]",
        ]
    body = [*scaled, "    found = []"]
    if program.kernel:
        inner = KERNEL[program.kernel[0]].replace("power(", "pow(")
        body += ["    p, values = PARAMETERS, []"] if program.kernel[1:] else ["    values = []"]
        body += ["    for z in POINTS:", "        t = u = 0.0", "        for a, b in zip(x, z):"]
        body += ["            t += a * b", "            u += (a - b) * (a - b)", f"        values.append({inner})"]
        body += ["    for row, b in zip(COEFFICIENTS, INTERCEPTS):", "        total = 0.0"]
        body += [
            "        for c, v in zip(row, values):",
            "            total += c * v",
            "        found.append(total + b)",
        ]
    elif program.weights:
        body += ["    for row, b, s in zip(WEIGHTS, INTERCEPTS, SHIFTS):", "        total = 0.0"]
        body += ["        for w, v in zip(row, x):", "            total += w * v"]
        body += ["        found.append((total + b) + s)"]
    else:
        body += ["    for rows, centre, s in zip(ROTATIONS, CENTRES, SHIFTS):", "        total = 0.0"]
        body += ["        for row, d in zip(rows, centre):", "            t = 0.0"]
        body += ["            for w, v in zip(row, x):", "                t += w * v"]
        body += ["            total += (t - d) * (t - d)", "        found.append(total / -2 + s)"]
    return [*body, "    return found"]


def _python_rule(program: Program) -> Sequence[str]:
    if program.rule == "votes":
        return [
            "    votes, k, f = [0] * len(CLASSES), 0, scores(x)",
            "    for i in range(len(CLASSES)):",
            "        for j in range(i + 1, len(CLASSES)):",
            "            votes[j if f[k] >= 0 else i] += 1",
            "            k += 1",
            "    return CLASSES[votes.index(max(votes))]",
        ]
    return {
        "largest": ["    f = scores(x)", "    return CLASSES[f.index(max(f))]"],
        "sign": ["    return CLASSES[1 if scores(x)[0] >= 0 else 0]"],
        "leaf": ["    return CLASSES[scores(x)[0]]"],
        "value": ["    return scores(x)[0]"],
    }[program.rule]


# --- JavaScript ---


# --- C ---


# --- what C and JavaScript share ---


LANGUAGES: dict[str, Callable[[Program], str]] = {"python": python, "c": c, "javascript": javascript}
