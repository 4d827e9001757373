"""aggregate: point values, and how much each environment and opponent weighs in them.

RESULTS  results/aggregate/<study>/<question>.csv, and <question>_weights.csv of the scores of the game
"""


rule aggregate:
    input:
        spec="results/spec/aggregate/{study}/{part}.json",
        sources=sources_of("aggregate"),
    output:
        "results/manifest/aggregate/{study}/{part}.json",
    log:
        "results/logs/aggregate/{study}/{part}.log",
    conda:
        ENVIRONMENT
    resources:
        **needs_of("aggregate"),
    message:
        "Answer {wildcards.part} in {wildcards.study}"
    shell:
        "python -m surefoot job {input.spec} --log {log}"
