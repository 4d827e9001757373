"""draw: figures and tables, all those of a study in one job, each kept apart in the store.

INPUTS   spec = results/spec/draw/<study>/<part>.json, part = figures; a study of named sets of scores has more parts
         sources = the tables that the figures show
OUTPUTS  results/draw/<study>/<name>.csv (its numbers) and, of a figure, .json (Vega-Lite), .svg (picture) and .html
         (the picture as pages have it)

One rule for each study, because each draws a different number of files. Snakemake's report (`snakemake --report report.html`)
shows the pictures, with the descriptions of their charts as captions.
"""

CAPTIONS = None
if workflow.is_main_process and COMMAND_LINE is not None and COMMAND_LINE.reports:
    from tempfile import TemporaryDirectory

    from surefoot.pipeline.report_figures import (
        caption_path,
        report_figures,
        write_caption,
    )

    CAPTIONS = TemporaryDirectory(prefix="surefoot_captions_")


def drawn_files(job):
    """What a job draws; where a report is asked for, with what it says of each picture."""
    if CAPTIONS is None:
        return list(job.outputs.values())
    shown = dict(report_figures(job, CONFIG.studies))
    return [
        shown_in_report(path, shown[path]) if path in shown else path
        for path in job.outputs.values()
    ]


def shown_in_report(path, figure):
    """A picture as the report has it."""
    caption = caption_path(Path(path), Path(CAPTIONS.name))

    def labels(_):
        # The report asks for labels first, once there is the picture: with --report-after-run only then.
        write_caption(FOLDER / path, caption)
        return {"figure": figure.title, "name": figure.name}

    return report(path, caption=str(caption), category=figure.category, labels=labels)


for drawings in jobs_of("draw"):

    rule:
        name:
            rule_name(drawings)
        input:
            spec=drawings.spec,
            sources=sources_of(drawings),
        output:
            drawn_files(drawings),
            manifest=drawings.manifest,
        log:
            drawings.log,
        conda:
            ENVIRONMENT
        resources:
            **needs_of(lambda _, job=drawings: job),
        message:
            f"Draw {drawings.part} of {drawings.study}"
        shell:
            "python -m surefoot job {input.spec} --log {log}"
