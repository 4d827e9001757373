"""The room `build` knows nothing of reinforcement learning: it works where the other rooms are absent, with the modules
`errors` and `registry` that all rooms share."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "surefoot"
PROGRAM = """
import sys
from importlib import import_module
from pathlib import Path

names = [path.stem for path in sorted(Path(sys.argv[1], "surefoot", "build").glob("*.py")) if path.stem != "__init__"]
for name in names:
    import_module(f"surefoot.build.{name}")
print(len(names), *sorted({module.split(".")[1] for module in sys.modules if module.startswith("surefoot.")}))
"""


def test_every_module_of_build_can_be_imported_alone(tmp_path):
    (tmp_path / "surefoot").mkdir()
    for name in ("__init__.py", "__init__.pyi", "errors.py", "registry.py"):
        shutil.copy(SOURCE / name, tmp_path / "surefoot")
    shutil.copytree(SOURCE / "build", tmp_path / "surefoot" / "build", ignore=shutil.ignore_patterns("__pycache__"))
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "SUREFOOT_STORE": str(tmp_path / "store")}
    command = [sys.executable, "-c", PROGRAM, tmp_path]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=tmp_path)
    count, *rooms = done.stdout.split()
    assert int(count) == len(list((SOURCE / "build").glob("[a-z]*.py"))) > 9
    assert rooms == ["build", "errors", "registry"]
