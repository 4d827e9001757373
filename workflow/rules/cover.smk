"""cover: how often intervals miss, how wide they are, and what they tell apart, by number of runs.

INPUTS   spec = results/spec/cover/<study>/<part>.json
         sources = the pool of runs; for the summary the intervals as well
OUTPUTS  results/cover/<study>/<name>.<size>.parquet (the intervals of each data set)
         results/cover/<study>/<name>.parquet (the summary)
"""


rule cover:
    input:
        spec="results/spec/cover/{study}/{part}.json",
        sources=lambda wildcards: inputs_of("cover", wildcards.study, wildcards.part),
    output:
        "results/cover/{study}/{part}.parquet",
        manifest="results/manifest/cover/{study}/{part}.json",
    log:
        "results/logs/cover/{study}/{part}.log",
    wildcard_constraints:
        part=usual_parts("cover"),
    conda:
        ENVIRONMENT
    resources:
        **needs_of(planned("cover")),
    message:
        "Study the coverage of intervals: {wildcards.part} of {wildcards.study}"
    shell:
        "python -m surefoot job {input.spec} --log {log}"
