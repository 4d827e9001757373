"""benchmark: compare the speed of our kernels and of other programs, for the same work on the same machine.

INPUTS   benchmarks/<subject>.py
OUTPUTS  results/benchmark/<subject>.csv (work, size, threads, ours, peer, unit, ratio, bound)

Measurements are not cached: they are never taken from the store, and `snakemake --forcerun measure benchmark` repeats
them.
"""


rule benchmark:
    input:
        collect(
            "results/benchmark/{subject}.csv",
            subject=["simulation", "intervals", "rliable", "castronovo2016"],
        ),


rule measure:
    input:
        f"{PROJECT}/benchmarks/{{subject}}.py",
    output:
        "results/benchmark/{subject}.csv",
    log:
        "results/logs/benchmark/{subject}.log",
    conda:
        ENVIRONMENT
    threads: lambda _: workflow.cores
    resources:
        mem_mb=doubled(4000),
        runtime=doubled(120),
    message:
        "Measure the speed of {wildcards.subject} and its peers"
    shell:
        "python {input} {output} 2>&1 | tee {log}"
