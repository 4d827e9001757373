"""compare: published numbers beside ours, with verdicts.

RESULTS  results/compare/<study>/run.parquet and record.parquet (item, published, ours, standard_error, verdict, ...)
"""


rule compare:
    input:
        spec="results/spec/compare/{study}/{part}.json",
        sources=sources_of("compare"),
    output:
        "results/manifest/compare/{study}/{part}.json",
    log:
        "results/logs/compare/{study}/{part}.log",
    conda:
        ENVIRONMENT
    resources:
        **needs_of("compare"),
    message:
        "Compare {wildcards.study} with its published numbers ({wildcards.part})"
    shell:
        "python -m surefoot job {input.spec} --log {log}"
