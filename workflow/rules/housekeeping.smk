"""check, why, plan, prune, prune_dry_run and record: targets that look after the results. None makes a file that others need."""


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


rule plan:
    log:
        "results/logs/plan.log",
    localrule: True
    conda:
        ENVIRONMENT
    message:
        "Say what is still to be made, and what it will take"
    shell:
        subcommand("plan --configuration results/spec/configuration.json")


rule prune:
    log:
        "results/logs/prune.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        options="",
        days=CONFIG.prune_days,
    message:
        "Delete from the content store what is no longer used"
    shell:
        subcommand("prune {params.options} --days {params.days}")


use rule prune as prune_dry_run with:
    log:
        "results/logs/prune_dry_run.log",
    params:
        options="--dry-run",
    message:
        "List what prune would delete from the content store"


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
        subcommand("record")
