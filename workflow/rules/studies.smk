"""The studies as targets: each by its name, with its pages, all its figures and tables, and all their numbers;
and the pages that say how many runs a study needs, `how_many_runs` for all studies that ask and
`<study>_how_many_runs` for one; and `docs`, the documentation.

And figures and tables by their names, such as figure_5: those of every study that has one.
"""

for study in CONFIG.studies:

    rule:
        name:
            study
        input:
            results_of(jobs_of_study(study)),


for study in PLANNED:

    rule:
        name:
            f"{study}_how_many_runs"
        input:
            f"results/render/{study}_how_many_runs.html",


rule how_many_runs:
    input:
        [f"results/render/{study}_how_many_runs.html" for study in PLANNED],


rule docs:
    input:
        [
            path
            for job in JOBS.values()
            if job.study == "docs"
            for path in job.outputs.values()
        ],


for drawing, paths in drawings_by_name(JOBS.values()).items():

    rule:
        name:
            drawing
        input:
            paths,
