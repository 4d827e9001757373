"""check, why, prune, prune_dry_run and record: targets that look after the results. None makes a file that others need."""


rule check:
    log:
        "results/logs/check.log",
    localrule: True
    conda:
        "../../environment.yml"
    message:
        "Hash every result again, name the files that do not belong, and compare with published numbers"
    shell:
        "python -m surefoot check 2>&1 | tee {log}"


rule why:
    log:
        "results/logs/why.log",
    localrule: True
    conda:
        "../../environment.yml"
    message:
        "Say what changed since each result was made"
    shell:
        "python -m surefoot why 2>&1 | tee {log}"


rule prune:
    log:
        "results/logs/prune.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        options="",
        studies=CONFIG.prune,
        days=CONFIG.prune_days,
    message:
        "Delete from the content store what no study has a use for"
    shell:
        "python -m surefoot prune {params.options} --studies '{params.studies}' --days {params.days} 2>&1 | tee {log}"


use rule prune as prune_dry_run with:
    log:
        "results/logs/prune_dry_run.log",
    params:
        options="--dry-run",
    message:
        "List what prune would delete from the content store"


rule record:
    input:
        [path for job in jobs_of("draw") for path in job.outputs.values()],
    log:
        "results/logs/record.log",
    localrule: True
    conda:
        "../../environment.yml"
    message:
        "Keep what these results say about published numbers in reports/records"
    shell:
        "python -m surefoot record 2>&1 | tee {log}"
