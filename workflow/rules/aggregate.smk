"""aggregate: point values, and how much each environment and opponent weighs in them.

INPUTS   spec = results/spec/aggregate/<study>/<question>.json
         sources = the run table, and what else the question takes
OUTPUTS  values = results/aggregate/<study>/<question>.csv
         weights = results/aggregate/<study>/<question>_weights.csv (of the scores of the game)
"""


rule aggregate:
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
        ENVIRONMENT
    resources:
        **needs_of(planned("aggregate")),
    message:
        "Answer {wildcards.part} in {wildcards.study}"
    shell:
        "python -m surefoot job {input.spec} --log {log}"


rule game_scores:
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
        part=parts_with("aggregate", "weights"),
    conda:
        ENVIRONMENT
    resources:
        **needs_of(planned("aggregate")),
    message:
        "Score the algorithms of {wildcards.study}: {wildcards.part}"
    shell:
        "python -m surefoot job {input.spec} --log {log}"
