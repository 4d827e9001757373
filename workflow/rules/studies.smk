"""The studies as targets: each by its name, with its page and all its figures and tables."""

for study in CONFIG["studies"]:

    rule:
        name:
            study
        input:
            f"results/render/{study}.html",
            [
                path
                for job in jobs_of("draw")
                if job.study == study
                for path in job.outputs.values()
            ],
