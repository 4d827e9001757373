"""Targets: every study, with its pages, figures and tables; `how_many_runs`, `trust` and `docs`; and single figures or
tables by name, such as figure_5, for all studies that have one.

The names depend on the configuration, so these rules are defined in a loop.
"""

for target, files in TARGETS.items():
    if target != "all":  # defined in the Snakefile

        rule:
            name:
                target
            input:
                files,
