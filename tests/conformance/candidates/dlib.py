"""dlib as a candidate, by the program that dlib.cpp compiles to: python dlib.py ./dlib_candidate [TOLERANCE]."""

from __future__ import annotations

import json
import subprocess
import sys


def main() -> None:
    """Answer problems until the input ends."""
    process = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="ascii")
    assert process.stdin is not None and process.stdout is not None
    for line in sys.stdin:
        given = json.loads(line)
        p, x, y = given.get("parameters") or {}, given["x"], given["y"]
        kernel = p.get("kernel", "linear")
        kernel = kernel if isinstance(kernel, dict) else {"name": kernel}
        classes, svc = sorted(set(y), key=str), given["method"] == "svc"
        known = given["method"] in ("svc", "svr") and not set(p) - {"C", "kernel", "epsilon"} and p.get("C") != "inf"
        known = known and kernel["name"] in ("linear", "gaussian") and not isinstance(kernel.get("gamma"), str)
        if not known or given.get("weights") or (svc and len(classes) != 2):
            print(json.dumps({"unsupported": given["method"]}), flush=True)
            continue
        target = [1 if v == classes[1] else -1 for v in y] if svc else y
        numbers = kernel.get("gamma", 0), p.get("C", 1), p.get("epsilon", 0.1), len(x), len(x[0])
        head = " ".join([given["method"], kernel["name"], *map(str, numbers)])
        rows = [" ".join(map(str, [t, *row])) for t, row in zip(target, x)]
        process.stdin.write("\n".join([head, *rows]) + "\n")
        process.stdin.flush()
        said = process.stdout.readline().split()
        if not said or said[0] == "refused":
            print(json.dumps({"refusal": {"got": " ".join(said[1:])}}), flush=True)
            continue
        *a, b = map(float, said)
        fitted = {"alpha": [abs(v) for v in a]} if svc else {"coefficients": a}
        print(json.dumps({"answer": {"arithmetic": "float", "fitted": {**fitted, "intercept": [b]}}}), flush=True)


if __name__ == "__main__":
    main()
