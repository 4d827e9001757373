"""Surefoot: from runs to a website of reports.

The studies in config/studies define what is made; --configfile merges other studies over them. A score passes through
the rules in this order: simulate or collect, normalize, aggregate or estimate or cover, compare, draw, render.
"""

from pathlib import Path

from snakemake.utils import min_version

min_version("9.27")
# The folder of this file, also if another workflow includes it.
PROJECT = Path(workflow.current_basedir)


include: "workflow/rules/common.smk"


rule all:
    input:
        TARGETS["all"],


include: "workflow/rules/simulate.smk"
include: "workflow/rules/collect.smk"
include: "workflow/rules/normalize.smk"
include: "workflow/rules/answer.smk"
include: "workflow/rules/cover.smk"
include: "workflow/rules/compare.smk"
include: "workflow/rules/draw.smk"
include: "workflow/rules/render.smk"
include: "workflow/rules/targets.smk"
include: "workflow/rules/records.smk"
include: "workflow/rules/benchmark.smk"


onstart:
    begin(CONFIG.plain())


onerror:
    cancel_timers(THREADS)


onsuccess:
    cancel_timers(THREADS)
    pages = note_made_pages(Path("results/render"))
    print(*page_to_open(pages, OWN))
