"""aggregate: point values, and how much each environment and opponent weighs in them.

INPUTS   spec = results/spec/aggregate/<study>/<part>.json, part = the method of normalization, or an
         analysis
         sources = the run table and the normalized runs
OUTPUTS  values = results/aggregate/<study>/<part>.csv
         weights = results/aggregate/<study>/<part>_weights.csv (not of an analysis)
"""


rule aggregate_analysis:
    input:
        spec="results/spec/aggregate/{study}/{part}.json",
        sources=lambda wildcards: inputs_of(
            "aggregate", wildcards.study, wildcards.part
        ),
    output:
        values="results/aggregate/{study}/{part}.csv",
        manifest="results/manifest/aggregate/{study}/{part}.json",
    log:
        "results/logs/aggregate/{study}/{part}.log",
    wildcard_constraints:
        part=usual_parts("aggregate"),
    conda:
        "../../environment.yml"
    message:
        "Analyze {wildcards.part} in {wildcards.study}"
    shell:
        "python -m surefoot job {input.spec} --log {log}"


rule aggregate:
    input:
        spec="results/spec/aggregate/{study}/{part}.json",
        sources=lambda wildcards: inputs_of(
            "aggregate", wildcards.study, wildcards.part
        ),
    output:
        values="results/aggregate/{study}/{part}.csv",
        weights="results/aggregate/{study}/{part}_weights.csv",
        manifest="results/manifest/aggregate/{study}/{part}.json",
    log:
        "results/logs/aggregate/{study}/{part}.log",
    wildcard_constraints:
        part="|".join(
            job.part for job in jobs_of("aggregate") if "weights" in job.outputs
        ),
    conda:
        "../../environment.yml"
    message:
        "Aggregate {wildcards.study} by {wildcards.part}"
    shell:
        "python -m surefoot job {input.spec} --log {log}"
