"""How far intervals can be trusted: tables of their failure rates on simulated data, and the page that shows those of
the records.
"""

TRUST = [job for job in JOBS.values() if job.study == "trust"]


rule trust:
    input:
        [job.manifest for job in TRUST],


rule record_trust:
    input:
        [job.manifest for job in TRUST if job.on_request],
    log:
        "results/logs/record_trust.log",
    localrule: True
    conda:
        ENVIRONMENT
    message:
        "Keep these failure rates in reports/records/trust"
    shell:
        subcommand("record --trust")
