"""The command `job`, which runs a job of the workflow from its spec, and the jobs of a Snakemake process.

On a cluster, each job is a Snakemake process with another one inside. They neither check the configuration nor plan:
the rules need only the spec files, which do not change while the planning process runs.
"""

import argparse
import gc
import os
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import surefoot
from surefoot.build.errors import end_at_once, raise_again
from surefoot.build.files import delete_own
from surefoot.build.job import CONFIGURATION, LIBRARIES, Job, job_of_spec, planned_configuration, read_spec
from surefoot.build.kernel_cache import OWN_KERNELS
from surefoot.build.log import job_log, log_interrupted
from surefoot.build.runner import PARTIAL, run_job
from surefoot.build.store import store_folder


def job(spec: Path, log: Path | None, threads: int) -> int:
    """Run the job of a spec file and return the exit status.

    Parameters
    ----------
    log : path of the log; None for standard output
    threads : number of threads, which never changes a result
    """
    content = read_spec(spec)
    # A job creates few garbage objects, especially while numba compiles; collecting them would take a tenth of the time
    # of a first run.
    gc.set_threshold(1_000_000)
    libraries = ", ".join(f"{name} {version}" for name, version in content["versions"].items())
    versions = f"surefoot {surefoot.__version__}, {libraries}"
    facts = {"spec": str(spec), "versions": versions, "threads": str(threads)}
    if "seed" in content["settings"]:
        facts["seed"] = str(content["settings"]["seed"])
    title = f"{content['stage']} {content['study']}/{content['part']}"
    raise_again()
    end_at_once(partial(_clean_up, time.perf_counter()))
    with job_log(log, title, facts):
        run_job(spec, threads)
    return 0


def _clean_up(started: float) -> None:
    """Log the interruption of the job, and delete the files that it was writing."""
    log_interrupted(started)
    delete_own([*PARTIAL.glob("*"), *Path(tempfile.gettempdir()).glob(f"{OWN_KERNELS}@*")])


def jobs_of_process(arguments: Sequence[str]) -> dict[tuple[str, str, str], Job]:
    """Return the jobs that the arguments of a Snakemake process name, by (stage, study, part).

    Sets the variable SUREFOOT_STORE as it was set when they were planned.

    Raises
    ------
    InputError
        if a spec file or the checked configuration is damaged
    """
    from snakemake.target_jobs import parse_target_jobs_cli_args

    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--target-jobs", nargs="+", default=[])
    targets = parser.parse_known_args(arguments)[0].target_jobs
    os.environ["SUREFOOT_STORE"] = str(store_folder(planned_configuration().get("store")))
    specs = []
    for target in targets:  # such as simulate:study=mine,part=sarsa
        ((rule, wildcards),) = parse_target_jobs_cli_args([target])
        if rule in LIBRARIES:  # others, such as measure, do not belong to a stage
            specs.append(CONFIGURATION.parent / rule / wildcards["study"] / f"{wildcards['part']}.json")
    jobs = [job_of_spec(read_spec(path)) for path in specs]
    # Snakemake also looks at the jobs of the same rule that make their inputs.
    before = {maker for one in jobs for maker in one.made_by.values() if Path(maker).parts[2] == one.stage}
    jobs += [job_of_spec(read_spec(CONFIGURATION.parent.joinpath(*Path(maker).parts[2:]))) for maker in sorted(before)]
    return {(one.stage, one.study, one.part): one for one in jobs}
