"""Models that LIBSVM's own program writes: accepted as they are, refuted with one number changed."""

import math
import random
import shutil
import subprocess

import pytest

from refclass.oracle import judge
from refclass.oracle.readers import formats

pytestmark = [pytest.mark.skipif(shutil.which("svm-train") is None, reason="needs LIBSVM's svm-train")]
KERNELS = {"linear": "-t 0", "polynomial": "-t 1 -d 3 -r 1 -g 0.5", "Gaussian": "-t 2 -g 0.5", "sigmoid": "-t 3 -g 0.1"}
MACHINES = {
    "C-SVC": ("-s 0 -c 1", {"C": 1}),
    "weighed": ("-s 0 -c 1 -w1 3 -w-1 0.5", {"C": 1, "class_weight": {1: 3, -1: "1/2"}}),
    "ε-SVR": ("-s 3 -c 1 -p 0.1", {"C": 1, "epsilon": "1/10"}),
}


def trained(folder, options, regression):
    """Return a data file and the model that svm-train makes of it."""
    r = random.Random(0)
    rows = [[round(r.gauss(0.8 * (i % 2), 1), 3), round(r.gauss(0, 1), 3)] for i in range(30)]
    labels = [round(2 * x + math.sin(z) + r.gauss(0, 0.2), 3) if regression else 1 for x, z in rows]
    labels = labels if regression else [2 * (i % 2) - 1 for i in range(30)]
    data = "".join(f"{t} 1:{x} 2:{z}\n" for t, (x, z) in zip(labels, rows))
    (folder / "data").write_text(data)
    made = ["svm-train", "-q", "-e", "1e-9", *options.split(), "data", "model"]
    subprocess.run(made, cwd=folder, check=True, timeout=60)
    return data, (folder / "model").read_text()


def changed(model, name):
    """Return a model with its largest coefficient, or a number of its head, changed by a hundredth."""
    lines = model.splitlines()
    first = lines.index("SV") + 1
    vectors = range(first, len(lines))
    k = max(vectors, key=lambda i: abs(float(lines[i].split()[0]))) if name == "SV" else None
    k = next(i for i, line in enumerate(lines) if line.startswith(name)) if k is None else k
    words = lines[k].split()
    words[name != "SV"] = repr(float(words[name != "SV"]) * 1.01 + 0.02)
    lines[k] = " ".join(words)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("machine", MACHINES)
def test_models_of_the_program_are_accepted_and_changed_ones_refuted(tmp_path, machine, kernel):
    """A coefficient, rho or gamma changed by a hundredth; a sigmoid kernel's model is a stationary point."""
    options, parameters = MACHINES[machine]
    data, model = trained(tmp_path, f"{options} {KERNELS[kernel]}", machine == "ε-SVR")

    def verdict(own):
        problem = formats.question(data, "data", own, parameters)
        return judge.verify(problem, formats.read(problem, own, "model"), digits=5)

    found = verdict(model)
    assert found["accepted"], found["reason"]
    for name in ("SV", "rho", *(["gamma"] if kernel != "linear" else [])):
        assert not verdict(changed(model, name))["accepted"], name
