"""render: the pages of the site, the documentation, and the index of their search.

INPUTS   spec = results/spec/render/<page>/page.json
         sources = the page's source in reports/, and exactly the files that its front matter lists
         docs/<document>.md
OUTPUTS  page = results/render/<page>.html; results/render/docs-<document>.html; results/render/search.js, of all pages
         (a run notes at its end, in results/render/made.js, which pages there are)
"""


rule render:
    input:
        spec="results/spec/render/{study}/page.json",
        sources=lambda wildcards: inputs_of("render", wildcards.study, "page"),
    output:
        page="results/render/{study}.html",
        manifest="results/manifest/render/{study}/page.json",
    log:
        "results/logs/render/{study}/page.log",
    conda:
        ENVIRONMENT
    resources:
        **needs_of(planned("render")),
    message:
        "Render the page {wildcards.study}"
    shell:
        "python -m surefoot job {input.spec} --log {log}"


for documentation in [job for job in jobs_of("render") if job.study == "docs"]:

    rule:
        name:
            "documentation"
        input:
            spec=documentation.spec,
            sources=sources_of(documentation),
        output:
            list(documentation.outputs.values()),
            manifest=documentation.manifest,
        log:
            documentation.log,
        conda:
            ENVIRONMENT
        resources:
            **needs_of(lambda _: job_of("render", "docs", "pages")),
        message:
            "Render the documentation"
        shell:
            "python -m surefoot job {input.spec} --log {log}"


rule search:
    input:
        spec="results/spec/render/search/index.json",
        pages=lambda _: inputs_of("render", "search", "index"),
    output:
        index="results/render/search.js",
        manifest="results/manifest/render/search/index.json",
    log:
        "results/logs/render/search/index.log",
    conda:
        ENVIRONMENT
    resources:
        **needs_of(lambda _: job_of("render", "search", "index")),
    message:
        "Index the pages for the search"
    shell:
        "python -m surefoot job {input.spec} --log {log}"
