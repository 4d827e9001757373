"""estimate: answers about the runs at hand, with intervals.

RESULTS  results/estimate/<study>/<question>.csv, or <method>.csv of the intervals of game scores
"""


rule estimate:
    input:
        spec="results/spec/estimate/{study}/{part}.json",
        sources=sources_of("estimate"),
    output:
        "results/manifest/estimate/{study}/{part}.json",
    log:
        "results/logs/estimate/{study}/{part}.log",
    conda:
        ENVIRONMENT
    threads: threads_of("estimate")
    resources:
        **needs_of("estimate"),
    message:
        "Estimate {wildcards.part} of {wildcards.study}"
    shell:
        "python -m surefoot job {input.spec} --log {log} --threads {threads}"
