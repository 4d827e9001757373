"""Runs jobs, each in a process of its own, and writes down what each imported and opened, and what each unit executed.

python audited_jobs.py <file>: a list of {"folder": where it runs, "job": its fields, "audit": where the lines go,
"after": the places in the list of those whose results it takes}. Where a job fails, those after it do not run.
Processes that a job starts write their lines to the same file (see sitecustomize.py in the folder `hook`).

The libraries are imported once and the jobs are forked from there; no module of the package is.
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
    """Whether all jobs ran without an error."""
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
    """Number of the process that runs the job."""
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
        module, _, function = job["work"].rpartition(".")
        runner.perform(as_snakemake(job), getattr(import_module(module), function))
        # `import_module` raises no event of an import.
        for module in [name for name in sys.modules if name.partition(".")[0] == "surefoot"]:
            note("import", module)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def as_snakemake(job: dict) -> SimpleNamespace:
    """What Snakemake gives to the script of a job."""
    parameters = {name: job[name] for name in ("settings", "code", "versions")}
    params = type("Parameters", (dict,), {"__getattr__": dict.__getitem__})(parameters)
    return SimpleNamespace(params=params, input=job["inputs"], output=job["outputs"], threads=1)


def watch_units(runner, note) -> None:
    """Note of each unit the modules in its key and the functions of the package that were called to compute it, but for
    the one that computes it and what is defined in that.

    The drawings of one function are one unit here.
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
    """Without the profile while numba compiles, which would take several times as long."""
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
