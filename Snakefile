"""Surefoot: from runs to a website of reports. Each stage is a file of workflow/rules; config/ says what is asked."""

from snakemake.utils import min_version

min_version("9.27")


configfile: f"{workflow.basedir}/config/config.yaml"
configfile: f"{workflow.basedir}/config/studies/jordan2020.yaml"
configfile: f"{workflow.basedir}/config/studies/example.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/targets.smk"
include: "workflow/rules/simulate.smk"
include: "workflow/rules/collect.smk"
include: "workflow/rules/normalize.smk"
include: "workflow/rules/aggregate.smk"
include: "workflow/rules/estimate.smk"
include: "workflow/rules/draw.smk"
include: "workflow/rules/render.smk"
include: "workflow/rules/housekeeping.smk"
include: "workflow/rules/benchmark.smk"
