"""collect: the run tables of a study, from its simulations, from score tables, or from published data.

RESULTS  results/collect/<study>/<part>.parquet (algorithm, environment, run, score, cell)
         results/collect/<study>/<part>.<table>.parquet (published tables)
"""


rule collect:
    input:
        spec="results/spec/collect/{study}/{part}.json",
        sources=sources_of("collect"),
    output:
        "results/manifest/collect/{study}/{part}.json",
    log:
        "results/logs/collect/{study}/{part}.log",
    conda:
        ENVIRONMENT
    resources:
        **needs_of("collect"),
    message:
        "Collect {wildcards.part} of {wildcards.study}"
    shell:
        "python -m surefoot job {input.spec} --log {log}"


# On a cluster, its nodes often have no network.
use rule collect as fetch with:
    input:
        spec="results/spec/collect/{study_and_part}.json",
        sources=sources_of("collect"),
    output:
        "results/manifest/collect/{study_and_part}.json",
    log:
        "results/logs/collect/{study_and_part}.log",
    wildcard_constraints:
        study_and_part=downloading_parts(),
    localrule: True
    message:
        "Fetch {wildcards.study_and_part}"


ruleorder: fetch > collect
