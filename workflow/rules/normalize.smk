"""normalize: put the runs of a study on its scales.

INPUTS   results/collect/<study>/<source>.parquet, or all <source>.<table>.parquet of a source of published tables; if a
         run table is simulated in one job, results/simulate/<study>/<source>.parquet
         config/published/<table>.csv for scales with published reference scores
OUTPUTS  results/normalize/<study>/<source>.parquet (scores, algorithm, environment, run, score)
         results/normalize/<study>/<scale>.parquet for performance percentiles (the payoff of every algorithm against
         every other one in every environment)
"""


rule normalize:
    input:
        # Names of published tables, such as procgen/final_scores, cannot be names of Snakemake inputs.
        tables=files_of("normalize"),
    output:
        normalized="results/normalize/{name}.parquet",
    log:
        "results/logs/normalize/{name}.log",
    wildcard_constraints:
        name=names_of("normalize"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory_of("normalize"),
        runtime=minutes_of("normalize"),
    params:
        names=names_of_files("normalize"),
        given=given_of("normalize"),
        settings=settings_of("normalize"),
        code=code_of("normalize"),
        versions=versions("normalize"),
    message:
        "Normalize the runs of {wildcards.name}"
    script:
        "../scripts/normalize.py"


rule normalize_pairs:
    input:
        unpack(inputs_of("normalize")),
    output:
        normalized="results/normalize/{name}.parquet",
    log:
        "results/logs/normalize/{name}.log",
    wildcard_constraints:
        name=names_of("normalize_pairs"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory_of("normalize"),
        runtime=minutes_of("normalize"),
    params:
        settings=settings_of("normalize"),
        code=code_of("normalize"),
        versions=versions("normalize"),
    message:
        "Compare pairs of runs: {wildcards.name}"
    script:
        "../scripts/normalize_pairs.py"
