"""render: make the pages of the site, the documentation, the search index, and previews of figures.

INPUTS   render: reports/<page>.qmd, the results/draw/<study>/<name>.* that it shows, and the files that these come from
         documentation: docs/*.md and CHANGELOG.md
         search: results/render/<page>.html and results/render/docs-<document>.html
         previews: results/render/<page>.html and results/draw/<study>/<figure>.svg
         render, documentation: the template, scripts, styles and fonts in src/surefoot/reporting
         They have one name for each rule, since names such as draw/home/ledger.csv and docs-about cannot be names of
         Snakemake inputs.
OUTPUTS  results/render/<page>.html
         results/render/docs-<document>.html
         results/render/search.js
         results/render/figures/<study>_<figure>.html and .png, if the configuration defines the address of the site
"""


rule render:
    input:
        contents=files_of("render"),
    output:
        page="results/render/{name}.html",
    log:
        "results/logs/render/{name}.log",
    wildcard_constraints:
        name=names_of("render"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory_of("render"),
        runtime=minutes_of("render"),
    params:
        names=names_of_files("render"),
        given=given_of("render"),
        settings=settings_of("render"),
        code=code_of("render"),
        versions=versions("render"),
    message:
        "Render {wildcards.name}"
    script:
        "../scripts/render.py"


rule documentation:
    input:
        documents=input_files(JOBS["render", "docs"]),
    output:
        **JOBS["render", "docs"].outputs,
    log:
        "results/logs/render/docs.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=doubled(2000),
        runtime=doubled(20),
    params:
        names=list(JOBS["render", "docs"].inputs),
        given=given(JOBS["render", "docs"]),
        settings=JOBS["render", "docs"].plain_settings(),
        code=JOBS["render", "docs"].code(),
        versions=versions("render"),
    message:
        "Render the documentation"
    script:
        "../scripts/documentation.py"


rule search:
    input:
        pages=input_files(JOBS["render", "search"]),
    output:
        index="results/render/search.js",
    log:
        "results/logs/render/search.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=doubled(2000),
        runtime=doubled(20),
    params:
        names=list(JOBS["render", "search"].inputs),
        settings=JOBS["render", "search"].plain_settings(),
        code=JOBS["render", "search"].code(),
        versions=versions("render"),
    message:
        "Index the pages for searching"
    script:
        "../scripts/search.py"


rule previews:
    input:
        contents=[
            file_of(path)
            for job in jobs_of("previews")
            for path in job.inputs.values()
        ],
    output:
        [path for job in jobs_of("previews") for path in job.outputs.values()],
    log:
        "results/logs/render/previews.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=doubled(2000),
        runtime=doubled(20),
    params:
        names=[name for job in jobs_of("previews") for name in job.inputs],
        settings={"address": CONFIG.address},
        code={
            name: code
            for job in jobs_of("previews")
            for name, code in job.code().items()
        },
        versions=versions("render"),
    message:
        "Draw previews of the figures"
    script:
        "../scripts/previews.py"
