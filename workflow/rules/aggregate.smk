"""aggregate: point values, and how much each environment and opponent weighs in them.

INPUTS   spec = results/spec/aggregate/<study>/<part>.json, part = the method of normalization
         sources = the run table and the normalized runs
OUTPUTS  values = results/aggregate/<study>/<part>.csv
         weights = results/aggregate/<study>/<part>_weights.csv
"""


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
    conda:
        "../../environment.yml"
    message:
        "Aggregate {wildcards.study} by {wildcards.part}"
    shell:
        "python -m surefoot aggregate {input.spec} --log {log}"
