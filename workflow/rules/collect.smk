"""collect: the run table of a study, from its simulations or from a score table.

INPUTS   spec = results/spec/collect/<study>/<part>.json, part = runs, or pool_<name> for a study of coverage
         sources = the batches of the simulation, or the score table
OUTPUTS  runs = results/collect/<study>/<part>.parquet (algorithm, environment, run, score, cell)
"""


rule collect:
    input:
        spec="results/spec/collect/{study}/{part}.json",
        sources=lambda wildcards: inputs_of("collect", wildcards.study, wildcards.part),
    output:
        runs="results/collect/{study}/{part}.parquet",
        manifest="results/manifest/collect/{study}/{part}.json",
    log:
        "results/logs/collect/{study}/{part}.log",
    wildcard_constraints:
        part=usual_parts("collect"),
    conda:
        ENVIRONMENT
    resources:
        **needs_of(planned("collect")),
    message:
        "Collect {wildcards.part} of {wildcards.study}"
    shell:
        "python -m surefoot job {input.spec} --log {log}"
