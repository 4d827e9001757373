"""record_trust: keep what `trust` made, tables of the failure rates of intervals, in the records, which the page shows."""


rule record_trust:
    input:
        [
            job.manifest
            for job in JOBS.values()
            if job.study == "trust" and job.on_request
        ],
    log:
        "results/logs/record_trust.log",
    localrule: True
    conda:
        ENVIRONMENT
    message:
        "Keep these failure rates in reports/records/trust"
    shell:
        f"python {PROJECT}/benchmarks/record.py --trust 2>&1 | tee {{log}}"
