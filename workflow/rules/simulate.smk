"""simulate: simulate trials of algorithms in environments, repeated runs, and plays of Bayesian agents.

INPUTS   none: the settings and the code of a job determine its results
OUTPUTS  results/simulate/<study>/<batch>.parquet (algorithm, environment, run, score, ...)

Trials are simulated in blocks, which are kept in the content store, so additional trials only need new blocks. In all
rules, {name} is <study>/<part>.
"""


rule simulate_trials:
    output:
        runs="results/simulate/{name}.parquet",
    log:
        "results/logs/simulate/{name}.log",
    wildcard_constraints:
        name=names_of("simulate_trials"),
    conda:
        ENVIRONMENT
    threads: threads_of("simulate")
    resources:
        mem_mb=memory_of("simulate"),
        runtime=minutes_of("simulate"),
    params:
        settings=settings_of("simulate"),
        code=code_of("simulate"),
        versions=versions("simulate"),
    message:
        "Simulate trials: {wildcards.name}"
    script:
        "../scripts/simulate_trials.py"


rule simulate_repeated_runs:
    output:
        runs="results/simulate/{name}.parquet",
    log:
        "results/logs/simulate/{name}.log",
    wildcard_constraints:
        name=names_of("simulate_repeated_runs"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory_of("simulate"),
        runtime=minutes_of("simulate"),
    params:
        settings=settings_of("simulate"),
        code=code_of("simulate"),
        versions=versions("simulate"),
    message:
        "Simulate repeated runs: {wildcards.name}"
    script:
        "../scripts/simulate_repeated_runs.py"


rule simulate_plays:
    output:
        runs="results/simulate/{name}.parquet",
    log:
        "results/logs/simulate/{name}.log",
    wildcard_constraints:
        name=names_of("simulate_plays"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory_of("simulate"),
        runtime=minutes_of("simulate"),
    params:
        settings=settings_of("simulate"),
        code=code_of("simulate"),
        versions=versions("simulate"),
    message:
        "Simulate plays: {wildcards.name}"
    script:
        "../scripts/simulate_plays.py"


use rule simulate_plays as simulate_plays_with_transitions with:
    output:
        runs="results/simulate/{name}.parquet",
        transitions="results/simulate/{name}_transitions.parquet",
    wildcard_constraints:
        name=names_of("simulate_plays_with_transitions"),
