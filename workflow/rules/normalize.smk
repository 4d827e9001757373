"""normalize: the runs on a common scale.

RESULTS  results/normalize/<study>/<scale>.parquet (performance_percentile: the payoff of every algorithm against every
         other in every environment)
"""


rule normalize:
    input:
        spec="results/spec/normalize/{study}/{part}.json",
        sources=sources_of("normalize"),
    output:
        "results/manifest/normalize/{study}/{part}.json",
    log:
        "results/logs/normalize/{study}/{part}.log",
    conda:
        ENVIRONMENT
    resources:
        **needs_of("normalize"),
    message:
        "Normalize the runs of {wildcards.study} by {wildcards.part}"
    shell:
        "python -m surefoot job {input.spec} --log {log}"
