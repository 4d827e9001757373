"""simulate: trials of algorithms in environments, a batch of fixed-size blocks a job.

INPUTS   spec = results/spec/simulate/<study>/<part>.json
OUTPUTS  runs = results/simulate/<study>/<part>.parquet (algorithm, environment, run, score); same_hyperparameters has
         the number of the candidate as well, random_policies no algorithm
"""


rule simulate:
    input:
        spec="results/spec/simulate/{study}/{part}.json",
    output:
        runs="results/simulate/{study}/{part}.parquet",
        manifest="results/manifest/simulate/{study}/{part}.json",
    log:
        "results/logs/simulate/{study}/{part}.log",
    priority: lambda wildcards: simulation_priority(wildcards.study)
    conda:
        ENVIRONMENT
    threads: threads_of(planned("simulate"))
    resources:
        **needs_of(planned("simulate")),
    message:
        "Simulate {wildcards.part} of {wildcards.study}"
    shell:
        "python -m surefoot job {input.spec} --log {log} --threads {threads}"
