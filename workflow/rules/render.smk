"""render: the pages of the site.

INPUTS   spec = results/spec/render/<page>/page.json
         sources = the page's source in reports/, and exactly the files that its front matter lists
OUTPUTS  page = results/render/<page>.html
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
