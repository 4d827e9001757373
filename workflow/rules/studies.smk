"""The studies as targets: each by its name, with its page, all its figures and tables, and all numbers that it asks for."""

for study in CONFIG["studies"]:

    rule:
        name:
            study
        input:
            f"results/render/{study}.html",
            [
                path
                for stage in ("aggregate", "estimate", "cover", "draw")
                for job in jobs_of(stage)
                if job.study == study
                for path in job.outputs.values()
            ],
