"""job: one job of the workflow, from its spec."""

import argparse
import gc
import os
import time
from functools import partial
from pathlib import Path
from typing import Any

import surefoot
from surefoot.build.errors import end_at_once, raise_again
from surefoot.build.job import CONFIGURATION


def job(options: argparse.Namespace) -> int:
    """Run the job of a spec file."""
    from surefoot.build.log import job_log, log_interrupted
    from surefoot.build.runner import read_spec, run_job

    log = options.log and options.log.absolute()
    options.spec = _seen_from_its_folder(options.spec)
    spec = read_spec(options.spec)
    # A job makes far more objects that stay than garbage, above all while numba compiles: a tenth of a first run's time
    # would go into looking for it.
    gc.set_threshold(1_000_000)
    facts = {"spec": str(options.spec), "versions": _versions(spec), "threads": str(options.threads)}
    if "seed" in spec["settings"]:
        facts["seed"] = str(spec["settings"]["seed"])
    title = f"{spec['stage']} {spec['study']}/{spec['part']}"
    raise_again()
    end_at_once(partial(log_interrupted, time.perf_counter()))
    with job_log(log, title, facts):
        run_job(options.spec, options.threads)
    return 0


def _seen_from_its_folder(spec: Path) -> Path:
    """The path of a spec as seen from the folder that has the results, which becomes the working folder: all paths in
    the spec are relative to it. It is another one where Snakemake runs a module with a prefix, or keeps files in a
    storage."""
    stages = CONFIGURATION.parent
    for folder in spec.parents:
        if folder.parts[-len(stages.parts) :] == stages.parts:
            os.chdir(folder.parents[len(stages.parts) - 1])
            return stages / spec.relative_to(folder)
    return spec


def _versions(spec: dict[str, Any]) -> str:
    libraries = ", ".join(f"{name} {version}" for name, version in spec["versions"].items())
    return f"surefoot {surefoot.__version__}, {libraries}"
