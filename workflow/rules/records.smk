"""record and record_trust: store the results of a large run in reports/records, for use by pages."""


rule record:
    input:
        drawings=[path for job in jobs_of("draw") for path in job.outputs.values()],
    log:
        "results/logs/record.log",
    localrule: True
    conda:
        ENVIRONMENT
    message:
        "Store the comparison of these results with published numbers in reports/records"
    shell:
        f"python {PROJECT}/benchmarks/record.py 2>&1 | tee {{log}}"


rule record_trust:
    input:
        tables=[path for job in jobs_of("cover_trust") for path in job.outputs.values()],
    log:
        "results/logs/record_trust.log",
    localrule: True
    conda:
        ENVIRONMENT
    message:
        "Store these failure rates in reports/records/trust"
    shell:
        f"python {PROJECT}/benchmarks/record.py --trust 2>&1 | tee {{log}}"
