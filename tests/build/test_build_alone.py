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
WORK = """
def double(task):
    number = int(task.inputs["number"].read_text())
    task.outputs["twice"].write_text(str(task.settings["factor"] * number))
"""
JOB = """
import os
from pathlib import Path
from surefoot.build.files import canonical_json
from surefoot.build.job import Job, specification
from surefoot.build.runner import run_job

Path("number.txt").write_text("21")
inputs, outputs = {"number": "number.txt"}, {"twice": "results/estimate/mine/twice.txt"}
job = Job("estimate", "mine", "twice", "surefoot.work:double", {"factor": 2}, (), inputs, outputs)
Path(job.spec).parent.mkdir(parents=True)
Path(job.spec).write_text(canonical_json(specification(job)))
run_job(Path(job.spec))
print(Path(outputs["twice"]).read_text())
"""


def run(program: str, folder: Path) -> str:
    (folder / "surefoot").mkdir()
    for name in ("__init__.py", "__init__.pyi", "errors.py", "registry.py"):
        shutil.copy(SOURCE / name, folder / "surefoot")
    shutil.copytree(SOURCE / "build", folder / "surefoot" / "build", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "surefoot" / "work.py").write_text(WORK)
    environment = os.environ | {"PYTHONPATH": str(folder), "SUREFOOT_STORE": str(folder / "store")}
    command = [sys.executable, "-c", program, folder]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=folder).stdout


def test_every_module_of_build_can_be_imported_alone(tmp_path):
    count, *rooms = run(PROGRAM, tmp_path).split()
    assert int(count) == len(list((SOURCE / "build").glob("[a-z]*.py"))) > 9
    assert rooms == ["build", "errors", "registry"]


def test_a_job_of_any_work_runs_there(tmp_path):
    assert run(JOB, tmp_path).split() == ["42"]
