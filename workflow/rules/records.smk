"""record and record_trust: keep the rows of a large run in reports/records, where the pages show them."""


rule record:
    input:
        [path for job in jobs_of("draw") for path in job.outputs.values()],
    log:
        "results/logs/record.log",
    localrule: True
    conda:
        ENVIRONMENT
    message:
        "Keep what these results say about published numbers in reports/records"
    shell:
        f"python {PROJECT}/benchmarks/record.py 2>&1 | tee {{log}}"


rule record_trust:
    input:
        [path for job in jobs_of("cover_trust") for path in job.outputs.values()],
    log:
        "results/logs/record_trust.log",
    localrule: True
    conda:
        ENVIRONMENT
    message:
        "Keep these failure rates in reports/records/trust"
    shell:
        f"python {PROJECT}/benchmarks/record.py --trust 2>&1 | tee {{log}}"
