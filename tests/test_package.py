"""The package as it is imported: light, typed, with its compiled kernels kept."""

import os
import pydoc
import subprocess
import sys
import tomllib
from importlib import resources
from pathlib import Path

import pytest
import yaml

import surefoot

README = Path(__file__).parents[1] / "README.md"


def imported_after(code):
    """Modules of this package and packages beside the standard library that a new process has after some code."""
    path = os.environ | {"PYTHONPATH": str(Path(surefoot.__file__).parents[1])}
    shown = """
own = {name for name in sys.modules if name.startswith("surefoot")}
print(*own, *{name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names) - before - {"surefoot"})
"""
    whole = f"import sys\nbefore = {{name.split('.')[0] for name in sys.modules}}\n{code}\n{shown}"
    return set(subprocess.check_output([sys.executable, "-c", whole], text=True, env=path).split())


def test_importing_surefoot_imports_itself_alone():
    assert imported_after("import surefoot; surefoot.__version__") == {"surefoot"}
    names = {"surefoot", "surefoot.questions", "surefoot.questions.folders"}
    assert imported_after("import surefoot; dir(surefoot)") == names


def test_public_functions_come_without_what_computes_and_draws():
    heavy = {"numpy", "pandas", "numba", "scipy", "pyarrow", "altair", "snakemake", "vl_convert"}
    assert not imported_after("import surefoot; surefoot.profiles; help") & heavy
    assert not imported_after("from surefoot import *; profiles") & (heavy - {"numpy", "pandas", "pyarrow"})


def test_names_are_found_as_those_of_any_module():
    assert set(surefoot.__all__) <= set(dir(surefoot))
    everything: dict[str, object] = {}
    exec("from surefoot import *", everything)
    assert set(surefoot.__all__) == everything.keys() - {"__builtins__"}
    documented = pydoc.plain(pydoc.render_doc(surefoot))
    assert all(f"\n    {name}(" in documented for name in surefoot.__all__)
    with pytest.raises(AttributeError, match="no attribute 'agregate'"):
        surefoot.agregate  # noqa: B018


def test_the_citation_is_of_this_version():
    cited = yaml.safe_load((README.parent / "CITATION.cff").read_text())
    assert cited["version"] == surefoot.__version__ and cited["cff-version"] == "1.2.0"
    assert cited["license"] == tomllib.loads((README.parent / "pyproject.toml").read_text())["project"]["license"]


def test_type_checkers_are_told_that_the_package_is_typed():
    assert resources.files(surefoot).joinpath("py.typed").is_file()


def test_compiled_kernels_are_kept_by_the_state_of_the_code(tmp_path):
    code = """
import numba, surefoot
numba.config.CACHE_DIR = before = "elsewhere"
surefoot.improvement({"a": [1.0, 2.0], "b": [2.0, 3.0]}, replicates=2)
from surefoot.statistics.comparison.improvement_kernels import improvement_replicates
assert numba.config.CACHE_DIR == before
print(improvement_replicates.stats.cache_path)
"""
    environment = os.environ | {"PYTHONPATH": str(Path(surefoot.__file__).parents[1]), "SUREFOOT_STORE": str(tmp_path)}
    del environment["NUMBA_CACHE_DIR"]
    folder = subprocess.check_output([sys.executable, "-c", code], text=True, env=environment)
    assert Path(folder).is_relative_to(tmp_path / "kernels")
