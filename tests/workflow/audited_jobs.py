"""Runs jobs, each in a process of its own, and writes down what each imported and opened, and what each unit executed.

python audited_jobs.py <file>: a list of {"folder": where it runs, "spec": its spec file there, "audit": where the lines
go}. Processes that a job starts write their lines to the same file (see sitecustomize.py in the folder `audit`).

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

from numba.core.dispatcher import Dispatcher

LIBRARIES = ("altair", "nbclient", "nbformat", "numba", "numpy", "pandas", "pyarrow.parquet", "pypandoc", "scipy.stats")
LIBRARIES = (*LIBRARIES, "scipy.special", "vl_convert", "yaml")


def run_alone(folder: str, spec: str, audit: str) -> int:
    """Exit status of the job."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    status = 1
    try:
        os.chdir(folder)
        os.environ["SUREFOOT_AUDIT"] = audit
        from audit_hook import install

        note = install(audit)
        from surefoot.pipeline import job

        watch_units(job, note)
        job.run_job(Path(spec))
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def watch_units(job, note) -> None:
    """Note of each unit the modules in its key and the files of the package whose functions were called for it.

    The drawings of one function are one unit here.
    """
    source = str(Path(job.__file__).parents[1])
    seen = set()
    ask = job._Units.ask

    def watched(self, kind, settings, hashes, compute, path):
        named = (kind, str(settings.get("code")))
        if named in seen:
            return ask(self, kind, settings, hashes, compute, path)
        seen.add(named)

        def traced(target):
            profile = Profile(builtins=False)
            profile.enable()
            try:
                with unseen_compiler(profile):
                    compute(target)
            finally:
                profile.disable()
            codes = {entry.code for entry in profile.getstats() if entry.code is not compute.__code__}
            here = (code for code in codes if not isinstance(code, str) and code.co_filename.startswith(source))
            called = {f"{code.co_filename}:{code.co_qualname}" for code in here}
            note("unit", json.dumps([kind, sorted(settings.get("code", {})), sorted(called)]))

        return ask(self, kind, settings, hashes, traced, path)

    job._Units.ask = watched


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
    statuses = [run_alone(**listed) for listed in json.loads(Path(sys.argv[1]).read_text())]
    sys.exit(any(statuses))
