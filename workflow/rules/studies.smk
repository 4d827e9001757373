"""The targets: each study by its name, with its pages, all its figures and tables, and all their numbers; the pages that
say how many runs studies need; the documentation; figures and tables by their names, such as figure_5, which are those of
every study that has one; and any file that a job makes, such as results/draw/jordan2020/figure_5.svg.

The names are those of the configuration, so these rules alone are made in a loop: Snakemake has no other way to give a
target a name that is no file's.
"""

for target, manifests in NAMED.items():
    if target == "all":  # which is the default and stands in the Snakefile
        continue

    rule:
        name:
            target
        input:
            manifests,


rule file:
    input:
        lambda wildcards: manifest_of(f"results/{wildcards.stage}/{wildcards.path}"),
    output:
        touch(update("results/{stage}/{path}")),
    wildcard_constraints:
        stage="|".join(STAGES),
        path=".+",
    localrule: True
    message:
        "Find results/{wildcards.stage}/{wildcards.path}"
