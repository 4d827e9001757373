"""Surefoot: from runs to a website of reports. Each stage is a file of workflow/rules; config/ says what is asked."""

from pathlib import Path

from snakemake.utils import min_version

min_version("9.27")
PROJECT = Path(workflow.current_basedir)  # where this file is, whoever includes it


# A process that was started for one job, as on a cluster, takes that job as the one that planned it left it.
if workflow.is_main_process and config.get("shipped_studies", True):

    configfile: f"{PROJECT}/config/config.yaml"
    configfile: f"{PROJECT}/config/trust.yaml"

    for study_file in sorted(PROJECT.glob("config/studies/*.yaml")):

        configfile: str(study_file)


include: "workflow/rules/common.smk"


if workflow.is_main_process:

    rule all:
        input:
            NAMED["all"],

    include: "workflow/rules/studies.smk"
    include: "workflow/rules/trust.smk"
    include: "workflow/rules/housekeeping.smk"


include: "workflow/rules/simulate.smk"
include: "workflow/rules/collect.smk"
include: "workflow/rules/normalize.smk"
include: "workflow/rules/aggregate.smk"
include: "workflow/rules/estimate.smk"
include: "workflow/rules/cover.smk"
include: "workflow/rules/compare.smk"
include: "workflow/rules/draw.smk"
include: "workflow/rules/render.smk"
include: "workflow/rules/benchmark.smk"


if workflow.is_main_process:
    check_command_line()


onsuccess:
    if workflow.is_main_process:
        tell_the_end(True)


onerror:
    if workflow.is_main_process:
        tell_the_end(False)
