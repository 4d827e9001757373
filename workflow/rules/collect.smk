"""collect: make the run tables of a study from its simulations, from tables and logs, or from published data.

INPUTS   collect_trials, collect_plays: results/simulate/<study>/<batch>.parquet, all batches with runs of the source
         best_plays: results/collect/<study>/plays.parquet
         read_table, read_curves: the file that the configuration names, such as scores.csv
         convert_published: files in the folder of published tables; also download: config/published/<table>.csv
OUTPUTS  results/collect/<study>/<source>.parquet (algorithm, environment, run, score, cell)
         results/collect/<study>/<source>.<table>.parquet (published tables)
"""


rule collect_trials:
    input:
        # Names of batches, such as sarsa.0, cannot be names of Snakemake inputs.
        batches=files_of("collect"),
    output:
        runs="results/collect/{name}.parquet",
    log:
        "results/logs/collect/{name}.log",
    wildcard_constraints:
        name=names_of("collect_trials"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory_of("collect"),
        runtime=minutes_of("collect"),
    params:
        names=names_of_files("collect"),
        settings=settings_of("collect"),
        code=code_of("collect"),
        versions=versions("collect"),
    message:
        "Collect trials: {wildcards.name}"
    script:
        "../scripts/collect_trials.py"


rule collect_plays:
    input:
        # Names of batches, such as bamcp.0, cannot be names of Snakemake inputs.
        batches=files_of("collect"),
    output:
        runs="results/collect/{name}.parquet",
    log:
        "results/logs/collect/{name}.log",
    wildcard_constraints:
        name=names_of("collect_plays"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory_of("collect"),
        runtime=minutes_of("collect"),
    params:
        names=names_of_files("collect"),
        settings=settings_of("collect"),
        code=code_of("collect"),
        versions=versions("collect"),
    message:
        "Collect plays: {wildcards.name}"
    script:
        "../scripts/collect_plays.py"


rule best_plays:
    input:
        unpack(inputs_of("collect")),
    output:
        runs="results/collect/{name}.parquet",
    log:
        "results/logs/collect/{name}.log",
    wildcard_constraints:
        name=names_of("best_plays"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory_of("collect"),
        runtime=minutes_of("collect"),
    params:
        settings=settings_of("collect"),
        code=code_of("collect"),
        versions=versions("collect"),
    message:
        "Choose the best parameters of each agent: {wildcards.name}"
    script:
        "../scripts/best_plays.py"


rule read_table:
    input:
        unpack(inputs_of("collect")),
    output:
        runs="results/collect/{name}.parquet",
    log:
        "results/logs/collect/{name}.log",
    wildcard_constraints:
        name=names_of("read_table"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory_of("collect"),
        runtime=minutes_of("collect"),
    params:
        given=given_of("collect"),
        settings=settings_of("collect"),
        code=code_of("collect"),
        versions=versions("collect"),
    message:
        "Read the table {wildcards.name}"
    script:
        "../scripts/read_table.py"


use rule read_table as read_curves with:
    output:
        runs="results/collect/{name}.parquet",
        curves="results/collect/{name}_curves.parquet",
        evaluations="results/collect/{name}_evaluations.parquet",
    wildcard_constraints:
        name=names_of("read_curves"),
    message:
        "Read the curves {wildcards.name}"


rule convert_published:
    input:
        unpack(inputs_of("collect")),
    output:
        table="results/collect/{name}.parquet",
    log:
        "results/logs/collect/{name}.log",
    wildcard_constraints:
        name=names_of("convert_published"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory_of("collect"),
        runtime=minutes_of("collect"),
    params:
        given=given_of("collect"),
        settings=settings_of("collect"),
        code=code_of("collect"),
        versions=versions("collect"),
    message:
        "Convert the published table {wildcards.name}"
    script:
        "../scripts/convert_published.py"


# On a cluster, compute nodes often have no network.
use rule convert_published as download with:
    wildcard_constraints:
        name=names_of("download"),
    localrule: True
    message:
        "Download the published table {wildcards.name}"
