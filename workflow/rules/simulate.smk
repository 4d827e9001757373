"""simulate: trials of algorithms in environments and plays of agents, in fixed-size blocks.

RESULTS  results/simulate/<study>/<part>.parquet (algorithm, environment, run, score); same_hyperparameters has the
         number of the candidate as well, random_policies no algorithm
"""


rule simulate:
    input:
        spec="results/spec/simulate/{study}/{part}.json",
        sources=sources_of("simulate"),
    output:
        "results/manifest/simulate/{study}/{part}.json",
    log:
        "results/logs/simulate/{study}/{part}.log",
    priority: lambda wildcards: simulation_priority(wildcards.study)
    conda:
        ENVIRONMENT
    threads: threads_of("simulate")
    resources:
        **needs_of("simulate"),
    message:
        "Simulate {wildcards.part} of {wildcards.study}"
    shell:
        "python -m surefoot job {input.spec} --log {log} --threads {threads}"
