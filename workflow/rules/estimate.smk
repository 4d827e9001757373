"""estimate: intervals, one method a job.

INPUTS   spec = results/spec/estimate/<study>/<part>.json, part = the method
         sources = the run table, since resampling repeats the normalization
OUTPUTS  intervals = results/estimate/<study>/<part>.csv (value, low, high of each aggregate; dkw: distributions with bands)
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
        "../../environment.yml"
    threads: lambda wildcards: estimate_threads(wildcards.study, wildcards.part)
    message:
        "Estimate the intervals of {wildcards.study} by {wildcards.part}"
    shell:
        "python -m surefoot job {input.spec} --log {log} --threads {threads}"
