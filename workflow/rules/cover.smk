"""cover: how often intervals fail, and how many runs are needed.

RESULTS  results/cover/<study>/<question>.csv, or .parquet of the blocks of data sets and of their summary
"""


rule cover:
    input:
        spec="results/spec/cover/{study}/{part}.json",
        sources=sources_of("cover"),
    output:
        "results/manifest/cover/{study}/{part}.json",
    log:
        "results/logs/cover/{study}/{part}.log",
    conda:
        ENVIRONMENT
    threads: threads_of("cover")
    resources:
        **needs_of("cover"),
    message:
        "Cover {wildcards.part} of {wildcards.study}"
    shell:
        "python -m surefoot job {input.spec} --log {log} --threads {threads}"
