"""The build: spec/ is laid beside the package's data, with the places at which the tests cite it."""

import sys
from pathlib import Path
from shutil import copyfile

ROOT = Path(__file__).resolve().parent
KINDS = (".md", ".toml", ".json")


def lay(folder):
    """Copy the specification to where an installed package, in the folder, looks for it."""
    sys.path.insert(0, str(ROOT))
    from refclass.oracle.equations.marks import marks, recorded
    from refclass.oracle.equations.specification import INSTALLED, specification

    place = Path(folder, INSTALLED)
    for path in sorted((ROOT / "spec").rglob("*")):
        if path.suffix in KINDS:
            copy = place / path.relative_to(ROOT / "spec")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copyfile(path, copy)
    (place / "tests.json").write_text(recorded(marks(specification(ROOT))), encoding="utf-8")


def build():
    """Run setuptools with a build that copies the specification, too."""
    from setuptools import setup
    from setuptools.command.build_py import build_py

    class Build(build_py):
        """The ordinary build, and then the specification."""

        def run(self):
            """Build the package and copy the specification."""
            super().run()
            if not self.editable_mode:  # a checkout has it in spec/
                lay(self.build_lib)

    setup(cmdclass={"build_py": Build})


if __name__ == "__main__":
    build()
