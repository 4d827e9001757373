"""estimate: answers about the runs at hand, with intervals. Each interval method for game scores is a job of its own.

INPUTS   spec = results/spec/estimate/<study>/<part>.json, part = the question, or the method of intervals
         sources = the run table, since resampling repeats the normalization
OUTPUTS  intervals = results/estimate/<study>/<part>.csv
"""


rule estimate:
    input:
        spec="results/spec/estimate/{study}/{part}.json",
        sources=lambda wildcards: inputs_of("estimate", wildcards.study, wildcards.part),
    output:
        intervals="results/estimate/{study}/{part}.csv",
        manifest="results/manifest/estimate/{study}/{part}.json",
    log:
        "results/logs/estimate/{study}/{part}.log",
    wildcard_constraints:
        part=usual_parts("estimate"),
    conda:
        ENVIRONMENT
    threads: threads_of(planned("estimate"))
    resources:
        **needs_of(planned("estimate")),
    message:
        "Estimate {wildcards.part} of {wildcards.study}"
    shell:
        "python -m surefoot job {input.spec} --log {log} --threads {threads}"
