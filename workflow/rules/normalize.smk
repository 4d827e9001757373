"""normalize: the runs on a common scale.

INPUTS   spec = results/spec/normalize/<study>/<part>.json, part = the scale
         sources = the run table
OUTPUTS  normalized = results/normalize/<study>/<part>.parquet (performance_percentile: the payoff of every algorithm
         against every other in every environment)
"""


rule normalize:
    input:
        spec="results/spec/normalize/{study}/{part}.json",
        sources=lambda wildcards: inputs_of(
            "normalize", wildcards.study, wildcards.part
        ),
    output:
        normalized="results/normalize/{study}/{part}.parquet",
        manifest="results/manifest/normalize/{study}/{part}.json",
    log:
        "results/logs/normalize/{study}/{part}.log",
    conda:
        ENVIRONMENT
    resources:
        **needs_of(planned("normalize")),
    message:
        "Normalize the runs of {wildcards.study} by {wildcards.part}"
    shell:
        "python -m surefoot job {input.spec} --log {log}"
