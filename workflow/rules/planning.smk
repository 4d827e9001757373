"""What the process that plans does: the checked configuration, the plan of jobs, and what the targets ask for."""

import atexit
import time

from surefoot.cli.running import (
    keep_page,
    read_command_line,
    tell_page,
    told_at_the_end,
)
from surefoot.cli.workflow import (
    check_targets,
    drawings_by_name,
    jobs_behind,
    prepare,
    settle_results,
)
from surefoot.pipeline.page_jobs import planned_studies

COMMAND_LINE = read_command_line(sys.argv)
STARTED = time.time()
ASKED = []
"""The jobs that a run's targets ask for."""


try:
    CONFIG, JOBS = prepare(
        config,
        workflow.configfiles,
        workflow.overwrite_configfiles,
        makes=COMMAND_LINE is not None and COMMAND_LINE.makes,
        options=COMMAND_LINE.options if COMMAND_LINE is not None else (),
    )
except EXPLAINED as error:
    sys.exit(tell(error))


def subcommand(words):
    """The shell command of `python -m surefoot` with these words."""
    return f"python -m surefoot {words} 2>&1 | tee {{log}}"


def named_targets():
    """The manifests of the jobs behind each target that has a name."""
    jobs = list(JOBS.values())
    planned = planned_studies(jobs)
    asked = {study: jobs_of_study(study) for study in CONFIG.studies}
    asked |= {
        f"{study}_how_many_runs": jobs_with_page(f"{study}_how_many_runs")
        for study in planned
    }
    manifests = {name: [job.manifest for job in found] for name, found in asked.items()}
    for name, paths in drawings_by_name(jobs).items():
        manifests[name] = list(dict.fromkeys(map(manifest_of, paths)))
    return manifests


def jobs_of_study(study):
    """All jobs of a study, those of its page, and where it asks how many runs it needs, of that page too; and those of the
    page of methods and the documentation, to which all pages link; of the only study, the index of their search too.
    """
    names = [study, f"{study}_how_many_runs", "methods", "docs"]
    names += ["search"] if len(CONFIG.studies) == 1 else []
    return [job for job in JOBS.values() if job.study in names]


def jobs_with_page(name):
    """The job that renders a page, or several."""
    return [job for job in JOBS.values() if job.stage == "render" and job.study == name]


def manifest_of(path):
    """The manifest of the job that makes a file."""
    made = {
        made: job.manifest for job in JOBS.values() for made in job.outputs.values()
    }
    if path not in made:
        raise InputError("command line", f"nothing makes {path}", nearest(path, made))
    return made[path]


def asked_files(targets):
    """The files that the targets name, or that the rules of their names ask for."""
    if not targets:
        yield from (job.manifest for job in JOBS.values())
    inputs = {rule.name: rule.input for rule in workflow.rules}
    for target in targets:
        yield from (
            str(path) for path in inputs.get(target, [target]) if not callable(path)
        )


def check_command_line():
    """End where a target is mistyped, and repair what is asked for; all rules are known by now.

    Targets of a workflow that takes this one as a module are its own.
    """
    if COMMAND_LINE is None:
        return
    alone = Path(workflow.main_snakefile).parent == PROJECT
    targets = COMMAND_LINE.targets if alone else []
    try:
        check_targets(
            targets,
            [rule.name for rule in workflow.rules if not rule.has_wildcards()],
            list(JOBS.values()),
        )
        if COMMAND_LINE.makes or COMMAND_LINE.dry_run:
            settle_results(
                list(JOBS.values()), asked_files(targets), COMMAND_LINE.makes
            )
        if COMMAND_LINE.makes:
            behind = jobs_behind(asked_files(targets or ["all"]), JOBS.values())
            asked = {job.manifest for job in behind}
            ASKED.extend(job for job in JOBS.values() if job.manifest in asked)
            keep_page(ASKED, COMMAND_LINE.options)
    except EXPLAINED as error:
        sys.exit(tell(error))


def tell_the_end(succeeded):
    """Say what the run did."""
    for line in told_at_the_end(ASKED, STARTED, succeeded):
        print(line)
    if succeeded:
        atexit.register(tell_page)  # the last line, after all that Snakemake says
