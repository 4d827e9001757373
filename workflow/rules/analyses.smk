"""collect, estimate and cover of a study of named sets of scores: a rule a job, since each makes another number of files.

INPUTS   spec = results/spec/<stage>/<study>/<part>.json, part = what is collected together
         sources = collect: files of a local folder, if any; estimate and cover: the normalized sets of scores
OUTPUTS  results/collect/<study>/<part>.<table>.parquet (a published table)
         results/estimate/<study>/<analysis>.csv, results/cover/<study>/<analysis>.csv (the numbers of a figure)
"""

for analysed in SEVERAL:

    rule:
        name:
            rule_name(analysed)
        input:
            spec=analysed.spec,
            sources=sources_of(analysed),
        output:
            list(analysed.outputs.values()),
            manifest=analysed.manifest,
        log:
            analysed.log,
        localrule: downloads(analysed)
        conda:
            ENVIRONMENT
        threads: threads_of(lambda _, job=analysed: job)
        resources:
            **needs_of(lambda _, job=analysed: job),
        message:
            f"{analysed.stage.capitalize()} {analysed.part} of {analysed.study}"
        shell:
            "python -m surefoot job {input.spec} --log {log} --threads {threads}"
