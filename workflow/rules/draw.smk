"""draw: the figures and tables of a study.

RESULTS  results/draw/<study>/<name>.csv (the numbers), and of a figure .json (Vega-Lite), .svg and .html
"""


rule draw:
    input:
        spec="results/spec/draw/{study}/{part}.json",
        sources=sources_of("draw"),
    output:
        "results/manifest/draw/{study}/{part}.json",
    log:
        "results/logs/draw/{study}/{part}.log",
    conda:
        ENVIRONMENT
    resources:
        **needs_of("draw"),
    message:
        "Draw {wildcards.part} of {wildcards.study}"
    shell:
        "python -m surefoot job {input.spec} --log {log}"
