"""What a job imports and opens, under an audit hook, against what its rule names: else a result could go stale.

Every kind of job runs in a process of its own and in a folder that holds nothing but its inputs.
"""

import ast
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path

import pandas as pd
import pytest
from support.paths import ROOT, TESTS
from support.small_studies import planned, stand_ins, write_raw_tables, write_sources, write_table

from surefoot.charts.drawing_catalogue import CATALOGUE
from surefoot.questions._framework.question_registry import questions
from surefoot.runs.text_columns import TEXT_COLUMNS
from surefoot.statistics.intervals.interval_catalogue import ESTIMATORS
from surefoot.workflow.fingerprint import MACHINERY, is_file, module_path, reached_modules
from surefoot.workflow.folder import UNFINISHED
from surefoot.workflow.job import LIBRARIES, Job, versions
from surefoot.workflow.kernel_cache import kernels_of
from surefoot.workflow.planning.needs import ANSWERS
from surefoot.workflow.planning.plan import WORK
from surefoot.workflow.project import SOURCE
from surefoot.workflow.store import store_folder

pytestmark = [pytest.mark.workflow, pytest.mark.audit]

AUDIT = TESTS / "support" / "audit"
WHOLE = ("small", "table", "curves", "plays", "published", "example", "agarwal2021", "recht2018", "adkins2024")
"""Studies of which all jobs run."""
WORDS = {"short_runs", "tasks", "test", "unit"}
"""Columns of answers that hold one of a few words, such as the name of a test."""
STAND_INS = ("jordan2020", "castronovo2016")
"""Studies that are drawn from stand-ins."""
PACKAGES = {".".join(path.parent.relative_to(SOURCE).parts) for path in (SOURCE / "surefoot").rglob("*.py")}
"""Imported on the way to their modules; `test_packages_decide_nothing` looks at them."""
WITH_A_FILE = {name for name in PACKAGES if SOURCE.joinpath(*name.split("."), "__init__.py").is_file()}
CLOSURES = {
    "surefoot.bayesian.sources.playing:_users_failures",  # the wording of an error
    "surefoot.simulation.sources.simulating:simulate.<locals>.progress",  # how much is done
    "surefoot.workflow.blocks:intervals.<locals>.pool",  # the runs that `cover_block` takes, or more
}
"""What belongs to a stage and runs within a unit beside the function that computes it."""


def runs(job) -> bool:
    if job.stage == "render" or job.study in (*WHOLE, "trust"):
        return True
    return job.stage in ("compare", "draw") and job.study in (*STAND_INS, "home", "leaderboards", "methods")


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    """(job, its folder, {kind of line: texts}) of all jobs that ran."""
    top = tmp_path_factory.mktemp("audited")
    prepared = prepare(top)
    run_audited(top, prepared)
    found = []
    for job, folder in prepared:
        lines = defaultdict(set)
        for line in (folder / "audit").read_text().splitlines():
            kind, _, text = line.partition(" ")
            lines[kind].add(text)
        found.append((job, folder, lines))
    return found


def prepare(top: Path) -> list[tuple[Job, Path]]:
    """All jobs that are to run, each with its folder; their inputs are links to where they are or will be made.

    The folder `base` has the sources, and what stands in for the results of jobs that do not run.
    """
    base = top / "base"
    base.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(base)
        configurations = write_sources(base)
        write_raw_tables(base / "folder", patch)
        jobs = planned(configurations)
        others = [job for job in jobs if not runs(job)]
        for study in STAND_INS:
            for path, table in stand_ins(study, others).items():
                write_table(table, Path(path))
    chosen = [(job, top / f"job_{number}") for number, job in enumerate(jobs) if runs(job)]
    planned_files = {path for job in jobs for path in job.outputs.values()}
    made = {path: folder / path for job, folder in chosen for path in job.outputs.values()}
    taken = {path for job, _ in chosen for path in job.inputs.values() if path in planned_files} - made.keys()
    assert sorted(path for path in taken if not (base / path).is_file()) == [], "nothing makes it or stands in for it"
    for job, folder in chosen:
        folder.mkdir()
        for path in {*job.inputs.values(), *filter(is_file, job.modules)}:
            if not os.path.relpath(folder / path, folder).startswith(".."):
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).symlink_to(made.get(path, base / path))
    return chosen


def run_audited(top: Path, jobs: Sequence[tuple[Job, Path]]) -> None:
    """Run jobs in their folders, with a store of their own that shares the tests' compiled kernels."""
    store, shared = top / "store", kernels_of(store_folder(None))
    shared.mkdir(parents=True, exist_ok=True)
    store.mkdir()
    kernels_of(store).symlink_to(shared)
    places = {path: place for place, (job, _) in enumerate(jobs) for path in job.outputs.values()}
    listed = []
    for job, folder in jobs:
        with chdir(folder):  # where the users' files are
            parameters = {"settings": job.plain_settings(), "code": job.code(), "versions": versions(job.stage)}
        after = sorted({places[path] for path in job.inputs.values() if path in places})
        described = {"folder": str(folder), "job": job._asdict() | parameters, "audit": str(folder / "audit")}
        listed.append(described | {"after": after})
    (top / "jobs.json").write_text(json.dumps(listed))
    paths = {
        "SUREFOOT_STORE": str(store),
        "PYTHONPATH": os.pathsep.join([str(SOURCE), str(AUDIT / "hook")]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    program = [sys.executable, str(AUDIT / "audited_jobs.py"), str(top / "jobs.json")]
    done = subprocess.run(program, env=os.environ | paths, capture_output=True, text=True, check=False, cwd=top)
    assert done.returncode == 0, done.stderr[-5000:]


def reached(modules, folder) -> set[str]:
    paths = [str(folder / module) if is_file(module) else module for module in modules]
    return {found for module in paths for found in reached_modules(module) if not is_file(found)}


def test_every_kind_of_job_ran(audited):
    """A work, a protocol, a question or a method that is new must be asked for in `every_question`."""
    ran = [job for job, *_ in audited]
    assert {job.stage for job in ran} == set(LIBRARIES)
    assert {job.work for job in ran} == works() == set(WORK.values())
    assert {job.part for job in ran if job.rule == "simulate_repeated_runs"} == {
        *("same_hyperparameters", "random_policies", "few", "fresh")
    }
    asked = [job.settings["question"] for job in ran if job.rule in ANSWERS]
    assert {question["kind"] for question in asked} == set(questions()) - {"coverage"}  # whose work is of its own
    assert {
        method
        for question in asked
        if question["kind"] == "evaluation_game_intervals"
        for method in question["methods"]
    } == {*ESTIMATORS}
    assert {job.settings["figures"] for job in ran if job.stage == "draw"} == set(CATALOGUE)
    pages = {Path(job.inputs["page"]).stem for job in ran if "page" in job.inputs}
    assert pages == {path.stem for path in (ROOT / "reports").glob("*.qmd")}


def works() -> set[str]:
    """All functions of the package that take a task, as jobs name them."""
    takes_task = re.compile(r"^def ([a-z]\w*)\(task: Task\)", re.MULTILINE)
    return {
        f"{'.'.join(path.relative_to(SOURCE).with_suffix('').parts)}.{name}"
        for path in (SOURCE / "surefoot").rglob("*.py")
        for name in takes_task.findall(path.read_text())
    }


def unnamed_code(job, folder, lines) -> list[str]:
    unnamed = lines["import"] - reached(job.modules, folder) - PACKAGES
    return sorted(module for module in unnamed if not module.startswith(MACHINERY))


def unnamed_files(job, folder, lines) -> list[str]:
    """Files of the project and of the job's folder, but for what the job itself writes, and for imported code.

    The environment may lie in the project's folder; rules name its libraries by their versions.
    """
    named = {
        Path(os.path.normpath(folder / path))
        for path in (*job.inputs.values(), *job.outputs.values(), *filter(is_file, job.modules))
    }
    opened = {Path(path) for path in lines["open"]} - named
    opened = {path for path in opened if path.is_relative_to(ROOT) or path.is_relative_to(folder)}
    opened = {path for path in opened if not any(part.startswith(UNFINISHED) for part in path.parts)}
    opened = {path for path in opened if not path.is_relative_to(sys.prefix)}
    inside = {path for path in opened if path.is_relative_to(SOURCE / "surefoot")}
    # The stub lists the public names, which no job asks for.
    code = {path for path in inside if path.suffix in (".py", ".pyi") or path.parent.name == "__pycache__"}
    return sorted(str(path) for path in opened - code if path.is_file())


@pytest.mark.parametrize("unnamed", [unnamed_code, unnamed_files])
def test_all_that_decides_a_result_is_named_in_its_rule(audited, unnamed):
    missing = {(job.stage, job.study, job.part): unnamed(job, folder, lines) for job, folder, lines in audited}
    assert {job: names for job, names in missing.items() if names} == {}


def test_what_a_rule_does_not_name_is_found(audited):
    """The same job without its input, or without the module that reads it."""
    collected = ("collect", "table", "runs")
    (found,) = [found for found in audited if found[0][:3] == collected]
    job, folder, lines = found
    assert unnamed_files(job._replace(inputs={}), folder, lines) == [str(folder / "example_scores.csv")]
    modules = tuple(name for name in job.modules if name != "surefoot.runs.sources.score_tables")
    assert "surefoot.runs.sources.score_tables" in unnamed_code(job._replace(modules=modules), folder, lines)


def test_the_key_of_each_piece_holds_all_code_that_made_it(audited):
    """What the store keeps apart has a key of its own, with code of its own."""
    missing, kinds = {}, set()
    for job, folder, lines in audited:
        for text in lines["unit"]:
            kind, code, called = json.loads(text)
            kinds.add(kind)
            files = {str(module_path(module)) for module in reached(code, folder) | WITH_A_FILE}
            unnamed = {name for name in called if name.partition(":")[0] not in files}
            unnamed = {name for name in map(dotted, unnamed) if name not in CLOSURES and not name.startswith(MACHINERY)}
            if unnamed:
                missing.setdefault((kind, job.stage, job.part), set()).update(unnamed)
    assert missing == {}
    assert kinds == {
        *("simulate.block", "simulate.same_hyperparameters", "simulate.random_policies", "simulate.learn"),
        "simulate.hyperparameter_grid",
        *("simulate.plays", "cover.block", "draw.drawing", "render.convert", "trust.cell"),
    }


def dotted(called: str) -> str:
    path, _, name = called.partition(":")
    return f"{'.'.join(Path(path).relative_to(SOURCE).with_suffix('').parts)}:{name}"


def test_packages_decide_nothing():
    """They are no part of any fingerprint."""
    # That of the library has its names, imported when they are asked for; others may list their modules, for a registry
    # or as those of the subjects of trust, which are named in the jobs' settings.
    for package in WITH_A_FILE - {"surefoot"}:
        for part in ast.parse(module_path(package).read_bytes()).body:
            assert isinstance(part.value, ast.Constant) or part.targets[0].id in ("MODULES", "SUBJECTS")


def test_columns_of_names_are_read_as_texts(audited):
    """Of every CSV that a job wrote and another reads; `WORDS` are the package's own and never look like numbers."""
    forgotten = {}
    for job, folder, _ in audited:
        for path in job.outputs.values():
            if path.endswith(".csv") and job.stage != "draw":
                table = pd.read_csv(folder / path)
                texts = {column for column in table if pd.api.types.is_string_dtype(table[column])}
                if texts - TEXT_COLUMNS - WORDS:
                    forgotten[path] = sorted(texts - TEXT_COLUMNS - WORDS)
    assert forgotten == {}
