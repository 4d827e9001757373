"""draw: figures and tables, all those of a study in one job, each kept apart in the store.

INPUTS   spec = results/spec/draw/<study>/<part>.json, part = figures; a study of named sets of scores has more parts
         sources = the tables that the figures show
OUTPUTS  results/draw/<study>/<name>.csv (its numbers) and, of a figure, .json (Vega-Lite) and .svg (picture)

One rule for each study, because each draws a different number of files.
"""

for drawings in jobs_of("draw"):

    rule:
        name:
            rule_name(drawings)
        input:
            spec=drawings.spec,
            sources=list(drawings.inputs.values()),
        output:
            list(drawings.outputs.values()),
            manifest=drawings.manifest,
        log:
            drawings.log,
        conda:
            "../../environment.yml"
        resources:
            **needs_of(lambda _, job=drawings: job),
        message:
            f"Draw {drawings.part} of {drawings.study}"
        shell:
            "python -m surefoot job {input.spec} --log {log}"
