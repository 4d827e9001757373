"""A store that several processes and users share: nothing is computed twice at once, and reading it is of use alone."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
WORK = """
import os
import time
from pathlib import Path


def slowly(task):
    with open(os.environ["DONE"], "a") as file:
        file.write("computed\\n")
    time.sleep(float(os.environ["SECONDS_OF_WORK"]))
    task.outputs["twice"].write_text(str(2 * task.settings["number"]))
"""
JOB = """
import logging
from pathlib import Path
from surefoot.build.files import canonical_json
from surefoot.build.job import Job, specification
from surefoot.build.runner import run_job

logging.basicConfig(level="INFO")
job = Job("estimate", "mine", "twice", "surefoot.work:slowly", {"number": 21}, (), {}, {"twice": "results/twice.txt"})
Path(job.spec).parent.mkdir(parents=True, exist_ok=True)
Path(job.spec).write_text(canonical_json(specification(job)))
run_job(Path(job.spec))
print(Path("results/twice.txt").read_text())
"""
# Root may write anywhere, unless it gives that up.
AS_OTHERS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"] if os.geteuid() == 0 else []
needs_permissions = pytest.mark.skipif(
    bool(AS_OTHERS) and shutil.which("setpriv") is None, reason="setpriv is not there, and root may write anywhere"
)


@pytest.fixture
def package(tmp_path):
    """A folder with the room `build` and a work of its own."""
    folder = tmp_path
    (folder / "surefoot").mkdir()
    for name in ("__init__.py", "__init__.pyi", "errors.py", "registry.py"):
        shutil.copy(SOURCE / "surefoot" / name, folder / "surefoot")
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(SOURCE / "surefoot" / "build", folder / "surefoot" / "build", ignore=ignore)
    (folder / "surefoot" / "work.py").write_text(WORK)
    return folder


def start(package: Path, checkout: str, seconds: float = 1.0) -> subprocess.Popen:
    """The job in a folder of its own."""
    folder = package / checkout
    folder.mkdir(exist_ok=True)
    (package / "done").touch()
    variables = {"PYTHONPATH": str(package), "SUREFOOT_STORE": str(package / "store"), "DONE": str(package / "done")}
    variables |= {"SECONDS_OF_WORK": str(seconds), "PYTHONDONTWRITEBYTECODE": "1", "HOME": str(folder)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    command = [*AS_OTHERS, sys.executable, "-c", JOB]
    return subprocess.Popen(command, cwd=folder, env=os.environ | variables, **pipes)


def computed(package: Path) -> int:
    return (package / "done").read_text().count("computed")


def test_of_many_who_need_the_same_one_computes_it(package):
    processes = [start(package, f"checkout_{number}") for number in range(4)]
    ends = [(*process.communicate(), process.returncode) for process in processes]
    assert [(said, code) for said, _, code in ends] == [("42\n", 0)] * 4, ends
    assert computed(package) == 1
    assert sum("another process is at it" in log for _, log, _ in ends) == 3
    assert sum("store     hit: nothing computed" in log for _, log, _ in ends) == 3


def test_a_lease_ends_with_its_process(package):
    first = start(package, "one", seconds=60)
    while computed(package) == 0:
        time.sleep(0.05)
    second = start(package, "two", seconds=0)
    for line in second.stderr:
        if "another process is at it" in line:
            break
    first.kill()
    assert second.communicate(timeout=30)[0] == "42\n"
    assert computed(package) == 2
    first.communicate()


@pytest.fixture
def read_only():
    """Take away the right to write to a folder and all below it, until the test ends."""
    taken = []

    def take(folder: Path) -> None:
        for path in (folder, *folder.rglob("*")):
            taken.append((path, path.stat().st_mode))
            path.chmod(path.stat().st_mode & ~0o222)

    yield take
    for path, mode in taken:
        path.chmod(mode)


@needs_permissions
def test_a_store_that_may_only_be_read_gives_what_it_has_and_is_left_alone(package, read_only):
    assert start(package, "mine", 0).communicate()[0] == "42\n"
    read_only(package / "store")
    before = sorted(package.glob("store/**/*"))
    said, log = start(package, "theirs", 0).communicate()
    assert said == "42\n" and "store     hit: nothing computed" in log, log
    assert sorted(package.glob("store/**/*")) == before
    assert computed(package) == 1


@needs_permissions
def test_what_a_store_that_may_only_be_read_lacks_is_computed_each_time(package, read_only):
    (package / "store").mkdir()
    read_only(package / "store")
    for checkout in ("one", "two"):
        said, log = start(package, checkout, 0).communicate()
        assert said == "42\n" and log.count("can only be read: what is computed is not kept there") == 1, log
    assert computed(package) == 2
    assert not list((package / "store").iterdir())


@needs_permissions
def test_entries_that_may_not_be_read_count_as_missing(package):
    assert start(package, "mine", 0).communicate()[0] == "42\n"
    for path in package.glob("store/*/*/*"):
        path.chmod(0)
    said, log = start(package, "theirs", 0).communicate()
    assert said == "42\n" and computed(package) == 2, log


@pytest.mark.parametrize("mask", [0o002, 0o022])
def test_entries_honour_the_umask(package, mask):
    before = os.umask(mask)
    try:
        assert start(package, "mine", 0).communicate()[0] == "42\n"
    finally:
        os.umask(before)
    files = [path for path in package.glob("store/*/*/*") if path.is_file()]
    assert len(files) >= 2
    assert {path.stat().st_mode & 0o777 for path in files} == {0o666 & ~mask}
    assert {path.stat().st_mode & 0o777 for path in package.glob("store/*/*/")} == {0o777 & ~mask}


MODULES = """
import sys
from importlib import import_module
from pathlib import Path

names = [path.stem for path in sorted(Path(sys.argv[1], "surefoot", "build").glob("*.py")) if path.stem != "__init__"]
for name in names:
    import_module(f"surefoot.build.{name}")
print(len(names), *sorted({module.split(".")[1] for module in sys.modules if module.startswith("surefoot.")}))
"""


def test_the_room_build_knows_nothing_of_the_other_rooms(package):
    """It works where they are absent, with the modules `errors` and `registry` that all rooms share."""
    variables = os.environ | {"PYTHONPATH": str(package), "SUREFOOT_STORE": str(package / "store")}
    command = [sys.executable, "-c", MODULES, package]
    count, *rooms = subprocess.check_output(command, env=variables, text=True, cwd=package).split()
    assert int(count) == len(list((SOURCE / "surefoot" / "build").glob("[a-z]*.py"))) > 9
    assert rooms == ["build", "errors", "registry"]
