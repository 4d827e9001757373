"""compare: compare published numbers with ours, and judge them.

INPUTS   config/published/<study>.csv
         results/{collect,aggregate,estimate,cover}/<study>/<table> for run.parquet
         reports/records/<study>.csv and reports/records/<study>/<question>.csv for record.parquet
OUTPUTS  results/compare/<study>/run.parquet and record.parquet (item, published, ours, standard_error, verdict, ...)
"""


rule compare:
    input:
        # Their names are paths, which tell a record from the same table of this run.
        tables=files_of("compare"),
    output:
        comparison="results/compare/{name}.parquet",
    log:
        "results/logs/compare/{name}.log",
    wildcard_constraints:
        name=names_of("compare"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory_of("compare"),
        runtime=minutes_of("compare"),
    params:
        names=names_of_files("compare"),
        given=given_of("compare"),
        settings=settings_of("compare"),
        code=code_of("compare"),
        versions=versions("compare"),
    message:
        "Compare with published numbers: {wildcards.name}"
    script:
        "../scripts/compare.py"
