"""A program in a language: a file that predicts, without dependencies; run, it reads rows of numbers and prints labels.

Python runs on CPython, PyPy and MicroPython; C is C99, with `cc -O2 -ffp-contract=off model.c -lm`; JavaScript is a
module of Node.js, or a script of a page.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from typing import Any, Callable

import refclass
from refclass.errors import InvalidInput, quoted
from refclass.report import translation
from refclass.report.learnt import Stage
from refclass.report.program import Program


def export(program: Program, language: str) -> str:
    """Return the text of the file.  Raises InvalidInput for another language."""
    if language not in LANGUAGES:
        raise InvalidInput("export", need=f"a language among {', '.join(LANGUAGES)}", got=quoted(language))
    return "\n".join(LANGUAGES[language](program)) + "\n"


def _head(program: Program) -> list[str]:
    said = f"classes {', '.join(map(str, program.classes))}" if program.classes else "a number"
    return [
        f"Written by refclass {refclass.__version__}: predicts {' '.join(said.split())}",
        f"from {len(program.inputs)} inputs: {' '.join(', '.join(program.inputs).split())}.",
    ]


def _functions(program: Program) -> list[Callable[..., Any]]:
    """Return the functions that are called, each once."""
    found = [stage.function for chain in program.chains for stage in chain]
    return [*dict.fromkeys([*found, *([program.rule] if program.rule else [])])]


def _stages(program: Program) -> Iterator[tuple[int, Stage]]:
    return enumerate(stage for chain in program.chains for stage in chain)


def _tables(program: Program) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield the names and the numbers of the lists that the stages are called with."""
    for number, stage in _stages(program):
        names = list(inspect.signature(stage.function).parameters)[1:-1]
        for name, value in zip(names, stage.values):
            if isinstance(value, tuple):
                yield f"{name.upper()}_{number}", value


def _called(number: int, stage: Stage) -> str:
    """Return what a stage is called with between x and y."""
    names = list(inspect.signature(stage.function).parameters)[1:-1]
    given = [f"{n.upper()}_{number}" if isinstance(v, tuple) else repr(v) for n, v in zip(names, stage.values)]
    return ", ".join(given)


def _ruled(program: Program) -> str:
    """Return what the rule is called with after the decision values."""
    assert program.rule is not None
    return f", {len(program.classes)}" if len(inspect.signature(program.rule).parameters) > 1 else ""


def _size(program: Program) -> int:
    return sum(chain[-1].size for chain in program.chains)


def python(program: Program) -> list[str]:
    """Return the lines of the program in Python."""
    needed = sorted({name for function in _functions(program) for name in translation.used(function)})
    lines = ['"""' + _head(program)[0], "", *_head(program)[1:], '"""', "", "import sys"]
    lines += [f"from math import {', '.join(needed)}"] if needed else []
    lines += ["", *(f"{name} = [{', '.join(map(repr, value))}]" for name, value in _tables(program))]
    lines += [f"CLASSES = [{', '.join(map(_literal, program.classes))}]"] if program.classes else []
    for function in _functions(program):
        lines += ["", "", *translation.python(function)]
    lines += ["", "", "def scores(row):", '    """Return the decision values at one row."""', "    found = []"]
    number = 0
    for chain in program.chains:
        for k, stage in enumerate(chain):
            given = "row" if k == 0 else "x"
            lines += [f"    y = [0.0] * {stage.size}"]
            lines += [f"    {stage.function.__name__}({given}, {_called(number, stage)}, y)", "    x = y"]
            number += 1
        lines += ["    found += x"]
    lines += ["    return found", "", "", "def predict(row):", '    """Return the prediction at one row."""']
    chosen = f"CLASSES[{program.rule.__name__}(scores(row){_ruled(program)})]" if program.rule else "scores(row)[0]"
    lines += [f"    return {chosen}", "", ""]
    return [
        *lines,
        'if __name__ == "__main__":',
        "    for line in sys.stdin:",
        "        if line.strip():",
        '            cells = [float(cell) for cell in line.split(",")]',
        "            print(predict(cells), *[repr(v) for v in scores(cells)])",
    ]


def _literal(value: Any) -> str:
    return repr(value) if isinstance(value, (int, float, str)) else repr(str(value))


def javascript(program: Program) -> list[str]:
    """Return the lines of the program in JavaScript."""
    lines = [f"// {line}" for line in _head(program)] + ["'use strict';", ""]
    lines += [f"const {name} = {json.dumps(value)};" for name, value in _tables(program)]
    classes = [v if isinstance(v, (int, float, str)) else str(v) for v in program.classes]
    lines += [f"const CLASSES = {json.dumps(classes)};"] if classes else []
    for function in _functions(program):
        lines += ["", *translation.javascript(function)]
    lines += ["", "function scores(row) {", "  const found = [];", "  let x, y;"]
    number = 0
    for chain in program.chains:
        for k, stage in enumerate(chain):
            given = "row" if k == 0 else "x"
            lines += [f"  y = new Array({stage.size}).fill(0);"]
            lines += [f"  {stage.function.__name__}({given}, {_called(number, stage)}, y);", "  x = y;"]
            number += 1
        lines += ["  found.push(...x);"]
    chosen = f"CLASSES[{program.rule.__name__}(scores(row){_ruled(program)})]" if program.rule else "scores(row)[0]"
    lines += ["  return found;", "}", "", "function predict(row) {", f"  return {chosen};", "}", ""]
    return [
        *lines,
        "if (typeof module !== 'undefined') {",
        "  module.exports = {scores, predict};",
        "  if (require.main === module) {",
        "    for (const line of require('fs').readFileSync(0, 'utf8').split('\\n')) {",
        "      if (!line.trim()) continue;",
        "      const cells = line.split(',').map(Number);",
        "      console.log([predict(cells), ...scores(cells)].join(' '));",
        "    }",
        "  }",
        "}",
    ]


def c(program: Program) -> list[str]:
    """Return the lines of the program in C."""
    lines = [f"/* {line.replace('*/', '* /')} */" for line in _head(program)]
    lines += ["#include <math.h>", "#include <stdio.h>", "#include <stdlib.h>", ""]
    lines += [f"#define INPUTS {len(program.inputs)}", f"#define FUNCTIONS {_size(program)}", ""]
    lines += [_declared(name, value) for name, value in _tables(program)]
    if program.classes:
        lines += [f"static const char *const CLASSES[] = {{{', '.join(map(_text, program.classes))}}};"]
    for function in _functions(program):
        lines += ["", *translation.c(function)]
    lines += ["", "void scores(const double *row, double *found) {"]
    number, place = 0, 0
    for chain in program.chains:
        given = "row"
        for stage in chain:
            last = stage is chain[-1]
            target = f"found + {place}" if last else f"y{number}"
            lines += [] if last else [f"  double y{number}[{stage.size}];"]
            lines += [f"  {stage.function.__name__}({given}, {_called(number, stage)}, {target});"]
            given, number = target, number + 1
        place += chain[-1].size
    kind = "const char *" if program.classes else "double "
    lines += ["}", "", f"{kind}predict(const double *row) {{", "  double f[FUNCTIONS];", "  scores(row, f);"]
    chosen = f"CLASSES[{program.rule.__name__}(f{_ruled(program)})]" if program.rule else "f[0]"
    lines += [f"  return {chosen};", "}"]
    shown = 'printf("%s", predict(row))' if program.classes else 'printf("%.17g", predict(row))'
    return [
        *lines,
        "",
        "#ifndef REFCLASS_NO_MAIN",
        "int main(void) {",
        "  double row[INPUTS], f[FUNCTIONS];",
        "  for (;;) {",
        "    for (int j = 0; j < INPUTS; j++)",
        '      if (scanf(j ? " ,%lf" : "%lf", &row[j]) != 1) return 0;',
        f"    {shown};",
        "    scores(row, f);",
        '    for (int k = 0; k < FUNCTIONS; k++) printf(" %.17g", f[k]);',
        '    printf("\\n");',
        "  }",
        "}",
        "#endif",
    ]


def _declared(name: str, value: tuple[Any, ...]) -> str:
    integers = all(type(v) is int for v in value)
    numbers = ", ".join(map(str, value) if integers else (float(v).hex() for v in value))
    return f"static const {'int' if integers else 'double'} {name}[] = {{{numbers}}};"


def _text(value: Any) -> str:
    octets = str(value).encode("utf-8")
    return '"' + "".join(chr(o) if 32 <= o < 127 and o not in (34, 92, 63) else f"\\{o:03o}" for o in octets) + '"'


LANGUAGES: dict[str, Callable[[Program], list[str]]] = {"python": python, "c": c, "javascript": javascript}
