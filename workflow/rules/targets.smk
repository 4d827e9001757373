"""The public targets: everything, and each study by its name."""


rule all:
    default_target: True
    input:
        [job.outputs["page"] for job in jobs_of("render")],
        [path for job in jobs_of("draw") for path in job.outputs.values()],
        [job.manifest for job in JOBS.values()],


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


onsuccess:
    if Path("results/render/index.html").is_file():
        print(f"The site: {Path('results/render/index.html')}")
