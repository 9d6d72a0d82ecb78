"""The build: the conformance cases of spec/vectors are laid beside the package's data."""

from pathlib import Path
from shutil import copyfile

from setuptools import setup
from setuptools.command.build_py import build_py

VECTORS = Path(__file__).resolve().parent / "spec" / "vectors"


class Build(build_py):
    """The ordinary build, and then the cases and their schema as data/vectors."""

    def run(self):
        """Build the package and copy the cases."""
        super().run()
        if self.editable_mode:
            return  # a checkout has them in spec/vectors
        for path in sorted([*VECTORS.glob("v1/*.json"), *VECTORS.glob("schema/*.json")]):
            place = Path(self.build_lib, "refclass", "data", "vectors", path.parent.name, path.name)
            place.parent.mkdir(parents=True, exist_ok=True)
            copyfile(path, place)


setup(cmdclass={"build_py": Build})
