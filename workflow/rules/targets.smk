"""The targets: each study by its name, with its pages, figures and tables; `how_many_runs`, `trust` and `docs`; and
figures and tables by their names, such as figure_5, of all studies that have one.

The configuration decides the names, so these rules are defined in a loop.
"""

for target, files in TARGETS.items():
    if target != "all":  # the default, which is in the Snakefile

        rule:
            name:
                target
            input:
                files,
