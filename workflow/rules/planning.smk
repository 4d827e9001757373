"""What the process that plans does: the checked configuration, the plan of jobs, and what the targets ask for."""

import atexit
import time
from contextlib import suppress

from surefoot.cli.running import (
    MADE_PAGES,
    keep_page,
    read_command_line,
    tell_page,
    told_at_the_end,
)
from surefoot.cli.workflow import (
    check_targets,
    jobs_behind,
    named_targets,
    prepare,
    settle_results,
)
from surefoot.reporting.site import note_made_pages

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


NAMED = named_targets(list(JOBS.values()), CONFIG.studies)
"""The manifests behind each target that has a name."""


def manifest_of(path):
    """The manifest of the job that makes a file."""
    made = {
        made: job.manifest for job in JOBS.values() for made in job.outputs.values()
    }
    if path not in made:
        raise InputError("command line", f"nothing makes {path}", nearest(path, made))
    return made[path]


def check_command_line():
    """End where a target is mistyped, and repair what is asked for; all rules are known by now.

    Targets of a workflow that takes this one as a module are its own.
    """
    if COMMAND_LINE is None:
        return
    alone = Path(workflow.main_snakefile).parent == PROJECT
    targets = COMMAND_LINE.targets if alone else []
    jobs = list(JOBS.values())
    names = [rule.name for rule in workflow.rules if not rule.has_wildcards()]
    asked = [path for one in targets or ["all"] for path in NAMED.get(one, [one])]
    try:
        check_targets(targets, names, jobs)
        if COMMAND_LINE.makes or COMMAND_LINE.dry_run:
            settle_results(jobs, asked, COMMAND_LINE.makes)
        if COMMAND_LINE.makes:
            behind = jobs_behind(asked, jobs)
            ASKED.extend(job for job in jobs if job in behind)
            keep_page(ASKED, COMMAND_LINE.options)
    except EXPLAINED as error:
        sys.exit(tell(error))


def tell_the_end(succeeded):
    """Note beside the pages which there are, as each page reads that, and say what the run did and where its page is."""
    with suppress(OSError):  # a full disk has been told of already
        note_made_pages(MADE_PAGES.parent)
    for line in told_at_the_end(ASKED, STARTED, succeeded):
        print(line)
    if succeeded:
        atexit.register(tell_page)  # the last line, after all that Snakemake says
