"""What pip installs of the project: the library and the command with the workflow, which need no checkout."""

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from support.paths import ROOT
from support.small_checkout import write_study

import surefoot
from surefoot.workflow.fingerprint import fingerprint, package_files
from surefoot.workflow.kernel_cache import kernel_folders, kernels_of
from surefoot.workflow.project import SOURCE
from surefoot.workflow.store import store_folder

pytest.importorskip("hatchling", reason="hatchling, which builds wheels, is not installed")
pytestmark = pytest.mark.workflow

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())
CARRIED = SETTINGS["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["project"]
FINGERPRINTS = """
import json
from surefoot.workflow.fingerprint import fingerprint, package_files
from surefoot.workflow.kernel_cache import kernel_folders
from surefoot.workflow.project import SOURCE
print(json.dumps([{name: fingerprint(name) for name in package_files(SOURCE)}, sorted(kernel_folders())]))
"""


def pip(*arguments):
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *map(str, arguments)]
    subprocess.run(command, check=True, capture_output=True, text=True)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", ROOT, "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", folder)
    (path,) = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A folder of packages with this one alone, in which nothing may be written; others are those of the tests."""
    folder = tmp_path_factory.mktemp("installed") / "packages"
    pip("install", wheel, "--no-deps", "--no-index", "--target", folder)
    for path in [folder, *folder.rglob("*")]:
        path.chmod(path.stat().st_mode & ~0o222)
    yield folder
    for path in [folder, *folder.rglob("*")]:
        path.chmod(path.stat().st_mode | 0o200)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store that has the kernels that the tests share, and no results."""
    folder = tmp_path_factory.mktemp("store")
    shared = kernels_of(store_folder(None))
    shared.mkdir(parents=True, exist_ok=True)
    kernels_of(folder).symlink_to(shared)
    return folder


def run(packages, store, folder, *command):
    """A Python command in a folder, with the packages of another folder first and no other variable of the tests."""
    variables = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONPATH": str(packages)}
    variables |= {"SUREFOOT_STORE": str(store), "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, *map(str, command)]
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.long
def test_results_made_without_a_checkout_serve_a_checkout(installed, store, tmp_path):
    before = contents(installed)
    page = "results/render/mine.html"
    for name, packages in (("outside", installed), ("checkout", SOURCE)):
        folder = tmp_path / name
        folder.mkdir()
        write_study(folder)
        options = ["--cores", 2, "--configfile", "mine.yaml", "--config", "shipped_studies=False"]  # for the same menus
        done = run(packages, store, folder, "-m", "surefoot", "run", page, *options)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Mine" in (folder / page).read_text()
        logs = [path.read_text() for path in (folder / "results/logs").rglob("*.log")]
        assert len(logs) > 4
        hits = sum("store     found" in log for log in logs)
        assert hits == (0 if name == "outside" else len(logs))
    assert contents(installed) == before


def test_the_wheel_plans_the_example_and_names_the_clone(installed, store, tmp_path):
    done = run(installed, store, tmp_path, "-m", "surefoot", "run", "example", "--dry-run", "--quiet", "host")
    assert done.returncode == 0, done.stderr
    assert "results/render/example.html" in done.stdout
    done = run(installed, store, tmp_path, "-m", "surefoot", "run", "jordan2020", "--dry-run")
    assert done.returncode == 2 and "Hint: run it in a clone of Surefoot" in done.stderr, done.stderr
    assert not (tmp_path / "results").exists()


def test_what_writes_into_the_project_is_for_a_clone(installed, store, tmp_path):
    done = run(installed, store, tmp_path, "-m", "surefoot", "schemas")
    assert done.returncode == 2
    assert "part of an installed package" in done.stderr and "Hint: run it in a clone" in done.stderr


def test_code_has_the_same_fingerprints_in_a_wheel(installed, store, tmp_path):
    done = run(installed, store, tmp_path, "-c", FINGERPRINTS)
    assert done.returncode == 0, done.stderr
    prints, kernels = json.loads(done.stdout)
    assert prints == {name: fingerprint(name) for name in package_files(SOURCE)}
    assert kernels == sorted(kernel_folders())


def test_a_wheel_has_all_files_of_package_and_project(wheel):
    with zipfile.ZipFile(wheel) as archive:
        carried = {name for name in archive.namelist() if name.startswith("surefoot/")}
    parts = [path for pattern in CARRIED for path in ROOT.glob(pattern)]
    places = {part: f"surefoot/project/{part.relative_to(ROOT)}" for part in parts} | {SOURCE / "surefoot": "surefoot"}
    expected = set()
    for folder, place in places.items():
        paths = [folder] if folder.is_file() else [path for path in folder.rglob("*") if path.is_file()]
        kept = [path for path in paths if "__pycache__" not in path.parts]
        expected |= {(Path(place) / path.relative_to(folder)).as_posix() for path in kept}
    assert carried == expected


def test_a_command_typed_in_a_clone_runs_the_code_of_the_clone(installed, store, tmp_path):
    clone = tmp_path / "src" / "surefoot"
    clone.mkdir(parents=True)
    (tmp_path / "Snakefile").touch()
    (clone / "__init__.py").touch()
    (clone / "__main__.py").write_text("import sys\nprint('the clone', *sys.argv[1:])\n")
    done = run(installed, store, tmp_path, "-m", "surefoot", "check", "mine.json")
    assert (done.returncode, done.stdout) == (0, "the clone check mine.json\n"), done.stderr
    assert "surefoot read" in run(installed, store, tmp_path, "-m", "surefoot", "read", "--help").stdout


def test_pip_makes_the_command(installed, store, tmp_path):
    done = run(installed, store, tmp_path, installed / "bin" / "surefoot", "--version")
    assert (done.returncode, done.stdout) == (0, f"surefoot {surefoot.__version__}\n")
