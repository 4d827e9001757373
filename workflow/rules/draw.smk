"""draw: draw the figures and tables of each study.

INPUTS   results/{collect,aggregate,estimate,cover,compare}/<study>/<table> for the figures of a study
         config/published/<study>.csv and reports/records/**/*.csv for published numbers and records of large runs
         results/draw/<study>/reproduction.csv of all studies for the home page
         modules in src/surefoot for draw_methods
         They have one name for each rule, since names such as collect/example/runs cannot be names of Snakemake
         inputs.
OUTPUTS  results/draw/<study>/<name>.csv (the numbers), and for figures .json (Vega-Lite), .svg and .html

The figures depend on the configuration, so there is one rule for each set of figures. A single job draws all figures
of a set, as starting a process takes longer than drawing one.
"""

for job in jobs_of("draw"):

    rule:
        name:
            drawing_rule(job)
        input:
            tables=input_files(job),
        output:
            # for `snakemake --report`
            [
                report(path, category=job.study) if path.endswith(".svg") else path
                for path in job.outputs.values()
            ],
        log:
            job.log,
        conda:
            ENVIRONMENT
        resources:
            mem_mb=doubled(2000),
            runtime=doubled(20),
        params:
            names=list(job.inputs),
            given=given(job),
            settings=job.plain_settings(),
            code=job.code(),
            versions=versions("draw"),
        message:
            f"Draw {job.name}"
        script:
            "../scripts/draw.py"


rule draw_methods:
    input:
        modules=input_files(JOBS["draw", "methods/figures"]),
    output:
        entries="results/draw/methods/entries.csv",
        references="results/draw/methods/references.csv",
    log:
        "results/logs/draw/methods.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=doubled(2000),
        runtime=doubled(20),
    params:
        names=list(JOBS["draw", "methods/figures"].inputs),
        given=given(JOBS["draw", "methods/figures"]),
        settings=JOBS["draw", "methods/figures"].plain_settings(),
        code=JOBS["draw", "methods/figures"].code(),
        versions=versions("draw"),
    message:
        "Describe the methods"
    script:
        "../scripts/draw_methods.py"
