"""aggregate, estimate, cover: answer the questions of a study.

aggregate computes point values, estimate computes intervals, and cover simulates studies.

INPUTS   runs, policies: results/{collect,simulate}/<study>/<source>.parquet
         scores, normalized: results/normalize/<study>/<source or scale>.parquet
         results/{aggregate,estimate,cover}/<study>/<question>.csv of earlier questions whose results a question uses
OUTPUTS  results/{aggregate,estimate,cover}/<study>/<question>.csv
         and <question>_<table>.csv if the result has a second table
"""


rule aggregate:
    input:
        unpack(inputs_of("aggregate")),
    output:
        table="results/aggregate/{name}.csv",
    log:
        "results/logs/aggregate/{name}.log",
    wildcard_constraints:
        name=names_of("aggregate"),
    conda:
        ENVIRONMENT
    threads: threads_of("aggregate")
    resources:
        mem_mb=memory_of("aggregate"),
        runtime=minutes_of("aggregate"),
    params:
        settings=settings_of("aggregate"),
        code=code_of("aggregate"),
        versions=versions("aggregate"),
    message:
        "Aggregate: {wildcards.name}"
    script:
        "../scripts/answer.py"


use rule aggregate as estimate with:
    input:
        unpack(inputs_of("estimate")),
    output:
        table="results/estimate/{name}.csv",
    log:
        "results/logs/estimate/{name}.log",
    wildcard_constraints:
        name=names_of("estimate"),
    threads: threads_of("estimate")
    resources:
        mem_mb=memory_of("estimate"),
        runtime=minutes_of("estimate"),
    params:
        settings=settings_of("estimate"),
        code=code_of("estimate"),
        versions=versions("estimate"),
    message:
        "Estimate: {wildcards.name}"


use rule aggregate as cover with:
    input:
        unpack(inputs_of("cover")),
    output:
        table="results/cover/{name}.csv",
    log:
        "results/logs/cover/{name}.log",
    wildcard_constraints:
        name=names_of("cover"),
    threads: threads_of("cover")
    resources:
        mem_mb=memory_of("cover"),
        runtime=minutes_of("cover"),
    params:
        settings=settings_of("cover"),
        code=code_of("cover"),
        versions=versions("cover"),
    message:
        "Cover: {wildcards.name}"


use rule aggregate as aggregate_with_weights with:
    output:
        table="results/aggregate/{name}.csv",
        weights="results/aggregate/{name}_weights.csv",
    wildcard_constraints:
        name=names_of("aggregate_with_weights"),


use rule estimate as estimate_with_curves with:
    output:
        table="results/estimate/{name}.csv",
        curves="results/estimate/{name}_curves.csv",
    wildcard_constraints:
        name=names_of("estimate_with_curves"),
