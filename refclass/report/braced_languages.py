"""Programs in the languages with braces, C and JavaScript."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any, Callable

import refclass
from refclass.report.program import Program

KERNEL = {  # t = ⟨x, z⟩, u = ‖x − z‖²; p the parameters
    "linear": "t",
    "polynomial": "power(p[0] * t + p[1], p[2])",
    "gaussian": "exp(-p[0] * u)",
    "laplacian": "exp(-sqrt(u) / p[0])",
    "sigmoid": "tanh(p[0] * t + p[1])",
}


def head(program: Program) -> list[str]:
    """Return the lines that say what the file is."""
    said = f"classes {', '.join(map(str, program.classes))}" if program.classes else "a number"
    return [
        f"Written by refclass {refclass.__version__}: predicts {' '.join(said.split())}",
        f"from {len(program.inputs)} inputs: {' '.join(', '.join(program.inputs).split())}.",
    ]


def data(program: Program) -> list[tuple[str, Any]]:
    """Return the parts of a program that hold something, by name; the kernel's parameters alone."""
    names = [f.name for f in fields(program) if f.name not in ("inputs", "rule", "kernel")]
    found = [(name.upper(), getattr(program, name)) for name in names if getattr(program, name)]
    return [*found, *([("PARAMETERS", program.kernel[1:])] if program.kernel[1:] else [])]


def javascript(program: Program) -> str:
    """Return the program in JavaScript."""
    lines = [f"// {line}" for line in head(program)] + ["'use strict';", ""]
    lines += [f"const {name} = {_json(value)};" for name, value in data(program)]
    lines += ["", "function scores(x) {", *_braced(program, "js"), "}", ""]
    lines += ["function predict(x) {", *_braced_rule(program, "js"), "}", ""]
    lines += [
        "if (typeof module !== 'undefined') {",
        "  module.exports = {scores, predict};",
        "  if (require.main === module) {",
        "    for (const line of require('fs').readFileSync(0, 'utf8').split('\\n')) {",
        "      if (!line.trim()) continue;",
        "      const row = line.split(',').map(Number);",
        "      console.log([predict(row), ...scores(row)].join(' '));",
        "    }",
        "  }",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _json(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_json, value)) + "]"
    return json.dumps(value if isinstance(value, (int, float, str)) else str(value))


def c(program: Program) -> str:
    """Return the program in C."""
    count = _count(program)
    lines = [f"/* {line.replace('*/', '* /')} */" for line in head(program)]
    lines += ["#include <math.h>", "#include <stdio.h>", "#include <stdlib.h>", ""]
    lines += [f"#define INPUTS {len(program.inputs)}", f"#define FUNCTIONS {count}"]
    lines += [f"#define POINTS_COUNT {len(program.points)}"] if program.kernel else []
    lines += [f"#define ROTATION_ROWS {max(map(len, program.rotations))}"] if program.rotations else []
    lines += [f"#define CLASSES_COUNT {len(program.classes)}", ""]
    lines += [_declared(name, value) for name, value in data(program)]
    lines += ["", "void scores(const double *given, double *found) {", *_braced(program, "c"), "}", ""]
    kind = "const char *" if program.classes else "double "
    lines += [f"{kind}predict(const double *x) {{", "  double f[FUNCTIONS];", "  scores(x, f);"]
    lines += [*_braced_rule(program, "c"), "}", ""]
    shown = 'printf("%s", predict(x))' if program.classes else 'printf("%.17g", predict(x))'
    lines += [
        "#ifndef REFCLASS_NO_MAIN",
        "int main(void) {",
        "  double x[INPUTS], f[FUNCTIONS];",
        "  for (;;) {",
        "    for (int j = 0; j < INPUTS; j++)",
        '      if (scanf(j ? " ,%lf" : "%lf", &x[j]) != 1) return 0;',
        f"    {shown};",
        "    scores(x, f);",
        '    for (int k = 0; k < FUNCTIONS; k++) printf(" %.17g", f[k]);',
        '    printf("\\n");',
        "  }",
        "}",
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def _count(program: Program) -> int:
    return len(program.intercepts) or len(program.centres) or 1


def _declared(name: str, value: Any) -> str:
    if name == "CLASSES":
        return f"static const char *const CLASSES[] = {{{', '.join(_text(v) for v in value)}}};"
    if name == "NODES":
        rows = ", ".join(f"{{{v}, {_hexadecimal(t)}, {a}, {b}, {k}}}" for v, t, a, b, k in value)
        return f"static const struct {{ int v; double t; int a, b, k; }} NODES[] = {{{rows}}};"
    sizes, inner = "", value
    while isinstance(inner, (list, tuple)):
        sizes += f"[{max(len(inner), 1)}]"
        inner = inner[0]
    return f"static const double {name}{sizes} = {_hexadecimal(value)};"


def _text(value: Any) -> str:
    octets = str(value).encode("utf-8")
    return '"' + "".join(chr(o) if 32 <= o < 127 and o not in (34, 92, 63) else f"\\{o:03o}" for o in octets) + '"'


def _hexadecimal(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "{" + ", ".join(map(_hexadecimal, value)) + "}"
    return float(value).hex()


def _braced(program: Program, language: str) -> list[str]:
    """Return the body of `scores` in a language of braces."""
    is_c = language == "c"
    number, index = ("double", "int") if is_c else ("let", "let")
    p, m = ("INPUTS", "FUNCTIONS") if is_c else (f"{len(program.inputs)}", f"{_count(program)}")

    def loop(name: str, end: str) -> str:
        return f"for ({index} {name} = 0; {name} < {end}; {name}++)"

    def put(place: str, value: str) -> str:
        return f"found[{place}] = {value};" if is_c else f"found.push({value});"

    lines: list[str] = []
    if program.center and is_c:
        lines += ["  double x[INPUTS];", f"  {loop('j', p)} x[j] = (given[j] - CENTER[j]) / SCALE[j];"]
    elif program.center:
        lines += ["  x = x.map((v, j) => (v - CENTER[j]) / SCALE[j]);"]
    elif is_c:
        lines += ["  const double *x = given;"]
    lines += [] if is_c else ["  const found = [];"]
    if program.nodes:
        v, t, a, b, k = (".v", ".t", ".a", ".b", ".k") if is_c else ("[0]", "[1]", "[2]", "[3]", "[4]")
        lines += [f"  {index} i = 0;", f"  while (NODES[i]{v} >= 0)"]
        lines += [
            f"    i = x[NODES[i]{v}] <= NODES[i]{t} ? NODES[i]{a} : NODES[i]{b};",
            f"  {put('0', f'NODES[i]{k}')}",
        ]
    elif program.kernel:
        lines += _kernel_values(program, is_c, loop, p)
        lines += [f"  {loop('k', m)} {{", f"    {number} total = 0;"]
        lines += [f"    {loop('i', _points(program, is_c))} total += COEFFICIENTS[k][i] * values[i];"]
        lines += [f"    {put('k', 'total + INTERCEPTS[k]')}", "  }"]
    elif program.weights:
        lines += [f"  {loop('k', m)} {{", f"    {number} total = 0;"]
        lines += [f"    {loop('j', p)} total += WEIGHTS[k][j] * x[j];"]
        lines += [f"    {put('k', '(total + INTERCEPTS[k]) + SHIFTS[k]')}", "  }"]
    else:
        rows = "ROTATION_ROWS" if is_c else "ROTATIONS[k].length"
        lines += [f"  {loop('k', m)} {{", f"    {number} total = 0;", f"    {loop('r', rows)} {{"]
        lines += [f"      {number} t = 0;", f"      {loop('j', p)} t += ROTATIONS[k][r][j] * x[j];"]
        lines += ["      total += (t - CENTRES[k][r]) * (t - CENTRES[k][r]);", "    }"]
        lines += [f"    {put('k', 'total / -2 + SHIFTS[k]')}", "  }"]
    return lines if is_c else [*lines, "  return found;"]


def _points(program: Program, is_c: bool) -> str:
    return "POINTS_COUNT" if is_c else str(len(program.points))


def _kernel_values(program: Program, is_c: bool, loop: Callable[[str, str], str], p: str) -> list[str]:
    inner = KERNEL[program.kernel[0]].replace("p[", "PARAMETERS[")
    if is_c:
        inner = inner.replace("power(", "pow(")
    else:
        for name in ("exp", "sqrt", "tanh"):
            inner = inner.replace(f"{name}(", f"Math.{name}(")
        inner = inner.replace("power(", "Math.pow(")
    number = "double" if is_c else "let"
    declared = f"  double values[{_points(program, True)}];" if is_c else "  const values = [];"
    zero = f"    {number} t = 0, u = 0;"
    body = "{ t += x[j] * POINTS[i][j]; u += (x[j] - POINTS[i][j]) * (x[j] - POINTS[i][j]); }"
    put = f"    values[i] = {inner};"
    last = ["    (void)t; (void)u;"] if is_c else []
    return [
        declared,
        f"  {loop('i', _points(program, is_c))} {{",
        zero,
        f"    {loop('j', p)} {body}",
        *last,
        put,
        "  }",
    ]


def _braced_rule(program: Program, language: str) -> list[str]:
    """Return the end of `predict` in a language of braces."""
    is_c = language == "c"
    index, first = ("int", []) if is_c else ("let", ["  const f = scores(x);"])
    count = "CLASSES_COUNT" if is_c else "CLASSES.length"
    if program.rule == "votes":
        votes = "  int votes[CLASSES_COUNT] = {0}, m = 0, best = 0;"
        if not is_c:
            votes = "  const votes = CLASSES.map(() => 0); let m = 0, best = 0;"
        return [
            *first,
            votes,
            f"  for ({index} i = 0; i < {count}; i++)",
            f"    for ({index} j = i + 1; j < {count}; j++) votes[f[m++] >= 0 ? j : i]++;",
            f"  for ({index} k = 1; k < {count}; k++) if (votes[k] > votes[best]) best = k;",
            "  return CLASSES[best];",
        ]
    if program.rule == "largest":
        pick = f"  for ({index} k = 1; k < {count}; k++) if (f[k] > f[best]) best = k;"
        return [*first, f"  {index} best = 0;", pick, "  return CLASSES[best];"]
    leaf = "(int)f[0]" if is_c else "f[0]"
    last = {"sign": "CLASSES[f[0] >= 0 ? 1 : 0]", "leaf": f"CLASSES[{leaf}]", "value": "f[0]"}[program.rule]
    return [*first, f"  return {last};"]
