"""collect: the run table of a study, from its simulations or from a score table.

INPUTS   spec = results/spec/collect/<study>/runs.json
         sources = the batches of the simulation, or the score table
OUTPUTS  runs = results/collect/<study>/runs.parquet (algorithm, environment, run, score, cell)
"""


rule collect:
    input:
        spec="results/spec/collect/{study}/runs.json",
        sources=lambda wildcards: inputs_of("collect", wildcards.study, "runs"),
    output:
        runs="results/collect/{study}/runs.parquet",
        manifest="results/manifest/collect/{study}/runs.json",
    log:
        "results/logs/collect/{study}/runs.log",
    conda:
        "../../environment.yml"
    message:
        "Collect the runs of {wildcards.study}"
    shell:
        "python -m surefoot collect {input.spec} --log {log}"
