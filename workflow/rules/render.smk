"""render: the pages of the site, the documentation, and the index of their search.

RESULTS  results/render/<page>.html; results/render/docs-<document>.html; results/render/search.js, of all pages
         (a run notes at its end, in results/render/made.js, which pages there are)
"""


rule render:
    input:
        spec="results/spec/render/{study}/{part}.json",
        sources=sources_of("render"),
    output:
        "results/manifest/render/{study}/{part}.json",
    log:
        "results/logs/render/{study}/{part}.log",
    conda:
        ENVIRONMENT
    resources:
        **needs_of("render"),
    message:
        "Render {wildcards.part} of {wildcards.study}"
    shell:
        "python -m surefoot job {input.spec} --log {log}"
