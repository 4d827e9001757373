"""check, why and record: targets that look after the results. None makes a file that others need."""


rule check:
    log:
        "results/logs/check.log",
    localrule: True
    conda:
        ENVIRONMENT
    message:
        "Hash every result again, name the files that do not belong, and compare with published numbers"
    shell:
        subcommand("check")


rule why:
    log:
        "results/logs/why.log",
    localrule: True
    conda:
        ENVIRONMENT
    message:
        "Say what changed since each result was made"
    shell:
        subcommand("why")


rule record:
    input:
        [job.manifest for job in jobs_of("draw")],
    log:
        "results/logs/record.log",
    localrule: True
    conda:
        ENVIRONMENT
    message:
        "Keep what these results say about published numbers in reports/records"
    shell:
        f"python {PROJECT}/benchmarks/record.py 2>&1 | tee {{log}}"
