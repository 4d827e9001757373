"""compare: published numbers beside ours, with verdicts.

INPUTS   spec = results/spec/compare/<study>/<part>.json, part = run, or record (that of a large run)
         sources = the published numbers, and the tables that they are compared with
OUTPUTS  comparison = results/compare/<study>/<part>.parquet (item, published, ours, standard_error, z, tolerance, verdict, reason)
"""


rule compare:
    input:
        spec="results/spec/compare/{study}/{part}.json",
        sources=lambda wildcards: inputs_of("compare", wildcards.study, wildcards.part),
    output:
        comparison="results/compare/{study}/{part}.parquet",
        manifest="results/manifest/compare/{study}/{part}.json",
    log:
        "results/logs/compare/{study}/{part}.log",
    conda:
        ENVIRONMENT
    resources:
        **needs_of(planned("compare")),
    message:
        "Compare {wildcards.study} with published numbers: {wildcards.part}"
    shell:
        "python -m surefoot job {input.spec} --log {log}"
