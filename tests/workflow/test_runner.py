"""A script takes its results from the store, or computes them; what it writes is whole or not there."""

import re
import subprocess
import sys
import types
from pathlib import Path

import pytest
from support.paths import ROOT

from surefoot.workflow.fingerprint import fingerprint, forget_sources
from surefoot.workflow.runner import run_logged


class Params(dict):
    """Parameters of a rule, as Snakemake gives them."""

    __getattr__ = dict.__getitem__


def double(task):
    """Twice each of the given numbers, in parts that the store keeps."""
    lines = []
    for number in task.settings["numbers"]:

        def compute(path, number=number):
            path.write_text(f"{2 * number}\n")

        path = task.outputs["table"].with_name(f"{number}.part")
        task.unit("double", {"number": number}, task.hashes, compute, path)
        lines.append(path.read_text())
    task.outputs["table"].write_text("".join(lines))


@pytest.fixture
def job(tmp_path, own_folder):
    """A function that runs a job in a folder, and returns what its log says of the store."""
    (tmp_path / "input.csv").write_text("1\n")

    def start(work=double, numbers=(1, 2), code="f", output="results/double/mine.csv", python="3"):
        snakemake = types.SimpleNamespace(
            rule="double",
            wildcards="mine",
            threads=1,
            params=Params(settings={"numbers": list(numbers)}, code={"mine.py": code}, versions={"python": python}),
            input=Files(runs="input.csv"),
            output=Files(table=output),
            log=["results/logs/double/mine.log"],
        )
        run_logged(snakemake, work)
        lines = (tmp_path / "results/logs/double/mine.log").read_text().splitlines()
        return next(line for line in lines if line.startswith("store"))

    return start


class Files(dict):
    """Named files of a rule: iterated as files."""

    def __iter__(self):
        return iter(self.values())


def test_only_new_parts_are_computed(job, tmp_path):
    result = tmp_path / "results/double/mine.csv"
    assert job().startswith("store     computed 2 of 2 parts")
    assert result.read_text() == "2\n4\n"
    result.unlink()
    assert job().startswith("store     found: computed in")
    assert result.read_text() == "2\n4\n"
    assert job(numbers=(1, 2, 3)).startswith("store     computed 1 of 3 parts")
    assert job(code="g").startswith("store     computed 0 of 2 parts")
    assert job(numbers=(1, 2)).startswith("store     found")
    (tmp_path / "input.csv").write_text("2\n")
    assert job().startswith("store     computed 2 of 2 parts")
    assert [path.name for path in result.parent.iterdir()] == ["mine.csv"]


def test_a_damaged_store_is_computed_anew_and_mended(job, tmp_path):
    job()
    for path in (tmp_path / "store/blobs").rglob("*"):
        if path.is_file():
            path.write_text("")
    assert job().startswith("store     computed 2 of 2 parts")
    assert (tmp_path / "results/double/mine.csv").read_text() == "2\n4\n"
    assert job().startswith("store     found")


def empty(task):
    task.outputs["table"].write_text("")


def fail(task):
    task.outputs["table"].write_text("half")
    raise OSError(28, "No space left on device", "mine.csv")


@pytest.mark.parametrize(
    ("work", "error", "said"),
    [(empty, RuntimeError, "the output table was not written"), (fail, SystemExit, "no space is left there")],
)
def test_what_fails_leaves_the_old_result_and_no_other_file(job, tmp_path, capsys, work, error, said):
    job()
    with pytest.raises(error):
        job(work=work, numbers=(5,))
    assert (tmp_path / "results/double/mine.csv").read_text() == "2\n4\n"
    assert [path.name for path in (tmp_path / "results/double").iterdir()] == ["mine.csv"]
    assert said in (tmp_path / "results/logs/double/mine.log").read_text()
    if error is SystemExit:
        assert capsys.readouterr().err.count("\n") == 1


PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"


def edits(file, text, back=None):
    """A work that computes a part, edits a file, and computes another part."""

    def work(task):
        task.unit("double", {"number": 1}, task.hashes, write, task.outputs["table"].with_name("1.part"))
        Path(file).write_text(text)
        task.unit("double", {"number": 2}, task.hashes, write, task.outputs["table"].with_name("2.part"))
        Path(file).write_text(back or text)
        task.outputs["table"].write_text("1\n")

    def write(path):
        path.write_text("1\n")

    return work


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (edits("mine.py", "import beside\nx = 2\n"), "mine.py: its code, or code that it imports, changed"),
        (edits("mine.py", "import beside\nx = 2\n", back="import beside\nx = 1\n"), "mine.py: its code"),
        (edits("mine.py", "def half("), "mine.py: its code"),
        (edits("beside.py", "x = 2\n"), "mine.py: its code"),
        (edits("input.csv", "2\n"), "input.csv: it changed while a job read it"),
        (edits("mine.py", "import beside\nx = 1  # a comment\n"), ""),
        (edits("input.csv", "1\n"), ""),
    ],
    ids=["code", "code_and_back", "broken_code", "imported_code", "input", "comment", "same_bytes"],
)
def test_what_changes_while_a_job_runs_is_not_stored(job, tmp_path, capsys, work, said):
    """A job imports its code, and reads its input, some time after they were planned and hashed."""
    (tmp_path / "mine.py").write_text("import beside\nx = 1\n")
    (tmp_path / "beside.py").write_text("x = 1\n")
    forget_sources()
    now = {"code": fingerprint("mine.py"), "python": PYTHON}
    if not said:
        assert job(work=work, **now).startswith("store     computed 2 of 2 parts")
        return
    with pytest.raises(SystemExit):
        job(work=work, **now)
    error = capsys.readouterr().err
    assert error.startswith(f"surefoot: {said}") and error.count("\n") == 1
    assert len(list((tmp_path / "store/entries").glob("*/*"))) == 1, "the part before the change"
    assert not (tmp_path / "results/double/mine.csv").exists()


def test_code_that_changed_since_the_plan_is_not_run(job, tmp_path):
    (tmp_path / "mine.py").write_text("x = 1\n")
    forget_sources()
    planned = fingerprint("mine.py")
    (tmp_path / "mine.py").write_text("x = 2\n")
    with pytest.raises(SystemExit):
        job(code=planned, python=PYTHON)
    assert not (tmp_path / "store").exists()


def test_scripts_import_neither_their_work_nor_numpy():
    """A job takes known results from the store before that, and BLAS reads the number of its threads afterwards."""
    scripts = [path.read_text() for path in sorted((ROOT / "workflow/scripts").glob("*.py"))]
    assert {line for text in scripts for line in re.findall(r"^(?:from|import) .*", text, re.MULTILINE)} == {
        "from surefoot.workflow.runner import run"
    }
    program = "import sys, surefoot.workflow.runner; print('numpy' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "False\n"


def test_scripts_without_compiled_functions_do_not_import_numba():
    scripts = [path.read_text() for path in sorted((ROOT / "workflow/scripts").glob("*.py"))]
    works = [found[1] for text in scripts if (found := re.search(r'"(\S+)\.\w+", compiled=False', text))]
    assert len(works) == 7 and "surefoot.reporting.render" in works
    program = "\n".join([*(f"import {module}" for module in works), "import sys", "print('numba' in sys.modules)"])
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "False\n"


JOB = """
import sys, types
from pathlib import Path
from surefoot.workflow.runner import perform
params = types.SimpleNamespace(settings={}, code={}, versions={}, get=lambda name: None)
job = types.SimpleNamespace(params=params, threads=1, input={}, output={"table": sys.argv[1]})
write = lambda task: task.outputs["table"].write_text("1\\n")
perform(job, write, compiled=sys.argv[2] == "compiled")
print("numba" in sys.modules)
"""


@pytest.mark.parametrize("kind", ["compiled", "plain"])
def test_only_a_job_with_compiled_functions_imports_numba(kind, own_folder):
    command = [sys.executable, "-c", JOB, str(own_folder / "table.csv"), kind]
    assert subprocess.check_output(command, text=True) == f"{kind == 'compiled'}\n"


def test_known_results_are_found_without_importing_the_work(job):
    job()
    assert job(work=f"{double.__module__}.{double.__name__}").startswith("store     found")
    with pytest.raises(ModuleNotFoundError):
        job(work="nowhere.double")
