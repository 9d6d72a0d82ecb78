"""Without scikit-learn the optional module says in one line what it needs, and the package does without it."""

import subprocess
import sys

from tests.architecture.tree import ROOT


def test_the_import_says_what_is_needed():
    """Run without any installed package."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import refclass; refclass.SVC; import refclass.sklearn"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: refclass.sklearn: need scikit-learn 1.6 or later; got No module named ")
