"""cover: count how often the intervals of a study, and of the library, miss the truth in simulated studies.

INPUTS   cover_block: results/collect/<study>/<source>.parquet (the pool from which runs are drawn)
         cover_summary: results/cover/<study>/<question>.<size>.parquet, or <question>.<size>.<batch>.parquet; the pool
         cover_trust: none
OUTPUTS  results/cover/<study>/<question>.<size>.parquet (intervals of the data sets of one size)
         results/cover/<study>/<question>.parquet (failure rates)
         results/cover/trust/<subject>.csv (failure rates of methods of the library)
"""


rule cover_block:
    input:
        unpack(inputs_of("cover")),
    output:
        intervals="results/cover/{name}.parquet",
    log:
        "results/logs/cover/{name}.log",
    wildcard_constraints:
        name=names_of("cover_block"),
    conda:
        ENVIRONMENT
    threads: threads_of("cover")
    resources:
        mem_mb=memory_of("cover"),
        runtime=minutes_of("cover"),
    params:
        settings=settings_of("cover"),
        code=code_of("cover"),
        versions=versions("cover"),
    message:
        "Cover data sets: {wildcards.name}"
    script:
        "../scripts/cover_block.py"


rule cover_summary:
    input:
        # Names of blocks, such as corrected.10, cannot be names of Snakemake inputs.
        blocks=files_of("cover"),
    output:
        summary="results/cover/{name}.parquet",
    log:
        "results/logs/cover/{name}.log",
    wildcard_constraints:
        name=names_of("cover_summary"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory_of("cover"),
        runtime=minutes_of("cover"),
    params:
        names=names_of_files("cover"),
        settings=settings_of("cover"),
        code=code_of("cover"),
        versions=versions("cover"),
    message:
        "Summarize coverage: {wildcards.name}"
    script:
        "../scripts/cover_summary.py"


rule cover_trust:
    output:
        failures="results/cover/{name}.csv",
    log:
        "results/logs/cover/{name}.log",
    wildcard_constraints:
        name=names_of("cover_trust"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory_of("cover"),
        runtime=minutes_of("cover"),
    params:
        settings=settings_of("cover"),
        code=code_of("cover"),
        versions=versions("cover"),
    message:
        "Count failures: {wildcards.name}"
    script:
        "../scripts/cover_trust.py"
