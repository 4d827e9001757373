"""Run jobs in separate processes, and log their imports, the files they open, and the code that each unit executes.

python audited_jobs.py <file>: a JSON list of {"folder": working directory, "job": fields of the job, "audit": log file,
"after": indices of the jobs whose results it needs}. If a job fails, the jobs that need its results do not run.
Processes started by a job write to the same log (see sitecustomize.py in the folder `hook`).

Libraries are imported once, before jobs are forked; modules of the package are imported by each job.
"""

import json
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from cProfile import Profile
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

from numba.core.dispatcher import Dispatcher

LIBRARIES = ("altair", "numba", "numpy", "pandas", "pyarrow.parquet", "pypandoc", "scipy.stats")
LIBRARIES = (*LIBRARIES, "scipy.special", "vl_convert", "yaml")


def run_all(listed: list[dict], processes: int) -> bool:
    """Run the jobs, and return True if all of them succeed."""
    waiting, running, done = dict(enumerate(listed)), {}, set()
    while True:
        for number, job in list(waiting.items()):
            if len(running) < processes and done.issuperset(job["after"]):
                running[start(job["folder"], job["job"], job["audit"])] = number
                del waiting[number]
        if not running:
            return len(done) == len(listed)
        child, status = os.wait()
        number = running.pop(child)
        if status == 0:
            done.add(number)


def start(folder: str, job: dict, audit: str) -> int:
    """Start a job in a new process, and return the process id."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        os.chdir(folder)
        os.environ["SUREFOOT_AUDIT"] = audit
        from audit_hook import install

        note = install(audit)
        from surefoot.workflow import runner

        watch_units(runner, note)
        runner.perform(as_snakemake(job), job["work"])
        # `importlib.import_module` does not raise an audit event.
        for module in [name for name in sys.modules if name.partition(".")[0] == "surefoot"]:
            note("import", module)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def as_snakemake(job: dict) -> SimpleNamespace:
    """Return the object that Snakemake passes to the script of a job."""
    parameters = {name: job[name] for name in ("settings", "code", "versions")}
    params = type("Parameters", (dict,), {"__getattr__": dict.__getitem__})(parameters)
    return SimpleNamespace(params=params, input=job["inputs"], output=job["outputs"], threads=1)


def watch_units(runner, note) -> None:
    """Log, for each unit, the modules in its key and the functions of the package that were called to compute it.

    The function that computes the unit, and functions defined in it, are left out. All figures and tables drawn by one
    function count as one unit.
    """
    source = str(Path(runner.__file__).parents[1])
    seen = set()
    fetch = runner._Units.fetch

    def watched(self, kind, settings, hashes, compute, path):
        named = (kind, str(settings.get("code")))
        if named in seen:
            return fetch(self, kind, settings, hashes, compute, path)
        seen.add(named)

        def traced(target):
            profile = Profile(builtins=False)
            profile.enable()
            try:
                with unseen_compiler(profile):
                    compute(target)
            finally:
                profile.disable()
            codes = {entry.code for entry in profile.getstats()}
            here = (code for code in codes if not isinstance(code, str) and code.co_filename.startswith(source))
            called = {f"{code.co_filename}:{code.co_qualname}" for code in here}
            function = getattr(compute, "func", compute)  # of a partial
            itself = f"{function.__code__.co_filename}:{function.__qualname__}"
            called = {name for name in called if name != itself and not name.startswith(f"{itself}.<locals>.")}
            note("unit", json.dumps([kind, sorted(settings.get("code", {})), sorted(called)]))

        return fetch(self, kind, settings, hashes, traced, path)

    runner._Units.fetch = watched


@contextmanager
def unseen_compiler(profile: Profile) -> Iterator[None]:
    """Disable the profile while numba compiles, since profiling would make compilation several times slower."""
    compile_kernel, depth = Dispatcher.compile, 0

    def unseen(self, signature):
        nonlocal depth
        profile.disable()
        depth += 1
        try:
            return compile_kernel(self, signature)
        finally:
            depth -= 1
            if not depth:
                profile.enable()

    Dispatcher.compile = unseen
    try:
        yield
    finally:
        Dispatcher.compile = compile_kernel


if __name__ == "__main__":
    for library in LIBRARIES:
        import_module(library)
    sys.exit(not run_all(json.loads(Path(sys.argv[1]).read_text()), os.cpu_count()))
