"""The command line: `surefoot run` runs the workflow, `python -m surefoot job SPEC` one of its jobs; other subcommands
look after the results."""

import argparse
import gc
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import surefoot
from surefoot.build.errors import EXPLAINED, explained
from surefoot.build.interrupts import end_now, end_within, raise_again
from surefoot.build.spec_files import CONFIGURATION
from surefoot.cli.read_arguments import add_export_arguments, add_read_arguments, add_report_arguments

SECONDS_TO_CLEAN_UP = 0.7
"""Of a job after Ctrl-C; then it ends as it is."""
_MODULES = {
    "export": "exporting",
    "follow": "following",
    "plan": "planning",
    "prune": "pruning",
    "read": "reading",
    "record": "record",
    "record_trust": "trust_record",
    "report": "reporting",
    "schemas": "schemas",
}
"""Of the commands that are not in `housekeeping`, by name."""


def main(arguments: list[str] | None = None) -> int:
    """Run a subcommand; returns the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        if arguments[:1] == ["run"]:  # whatever follows is Snakemake's
            from surefoot.cli.running import run

            raise_again()
            return run(arguments[1:])
        options = _parser().parse_args(arguments)
        if options.command == "job":
            return _run_job(options)
        module = import_module(f"surefoot.cli.{_MODULES.get(options.command, 'housekeeping')}")
        raise_again()
        status: int = getattr(module, options.command)(options)
        return status
    except EXPLAINED as error:
        print(f"surefoot: {explained(error)}", file=sys.stderr)
        return 130 if isinstance(error, KeyboardInterrupt) else 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="surefoot", description=__doc__)
    parser.add_argument("--version", action="version", version=f"surefoot {surefoot.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("run", help="run Snakemake, with whatever options follow")
    job = commands.add_parser("job", help="run a job")
    job.add_argument("spec", type=Path, help="the job's spec file")
    job.add_argument("--log", type=Path, help="where the log goes")
    job.add_argument("--threads", type=int, default=1, help="threads it may use (never changes a result)")
    add_report_arguments(commands.add_parser("report", help="make a report of the runs in a folder of logs"))
    add_read_arguments(commands.add_parser("read", help="read runs from a folder of logs, as one table"))
    add_export_arguments(commands.add_parser("export", help="write a study's figures, tables and methods for a paper"))
    plan = commands.add_parser("plan", help="say what a run would take: core hours, memory, disk and time")
    plan.add_argument("target", nargs="*", help="studies, figures, tables or files; all that is made by default")
    plan.add_argument("--configfile", nargs="+", default=[], help="files that are laid over the configuration")
    plan.add_argument("--cores", help="numbers of cores, such as 2,16,128; by default those of this machine")
    plan.add_argument("--cluster", action="store_true", help="the cores of a cluster, as profiles/slurm uses them")
    plan.add_argument("--configuration", type=Path, help="a checked configuration instead, as the workflow writes it")
    commands.add_parser("follow", help="say how much of a run is done, which starts this itself")
    texts = {
        "check": "hash every result again, name files that do not belong, compare with published numbers",
        "why": "say what changed since each result was made",
        "record": "keep the rows of a large run in reports/records",
        "record_trust": "keep the failure rates of a large run in reports/records/trust",
        "schemas": "write the schemas that are made of the code",
        "prune": "delete what no study has a use for from the content store",
    }
    for name, text in texts.items():
        command = commands.add_parser(name, help=text)
        command.add_argument(
            "configuration",
            type=Path,
            nargs="*",
            default=[CONFIGURATION],
            help="checked configurations, as the workflow writes them",
        )
        if name == "prune":
            command.add_argument("--studies", default="", help="studies, separated by commas, that are given up")
            command.add_argument("--days", type=float, default=30.0, help="what was used within so many days is kept")
            command.add_argument("--dry-run", action="store_true", help="only list what would be deleted")
    return parser


def _run_job(options: argparse.Namespace) -> int:
    from surefoot.build.job import job_of_spec
    from surefoot.build.log import job_log, log_interrupted
    from surefoot.build.runner import read_spec, run_job
    from surefoot.build.store import store_folder

    log = options.log and options.log.absolute()
    options.spec = _seen_from_its_folder(options.spec)
    spec = read_spec(options.spec)
    # A job makes far more objects that stay than garbage, above all while numba compiles: a tenth of a first run's time
    # would go into looking for it.
    gc.set_threshold(1_000_000)
    facts = {"spec": str(options.spec), "versions": _versions(spec), "threads": str(options.threads)}
    if "seed" in spec["settings"]:
        facts["seed"] = str(spec["settings"]["seed"])
    title = f"{spec['stage']} {spec['study']}/{spec['part']}"
    raise_again()
    end_within(SECONDS_TO_CLEAN_UP, log_interrupted)
    try:
        with job_log(log, title, facts):
            spent = run_job(options.spec, options.threads)
            if spent is not None:
                from surefoot.pipeline.calibration import note_spent

                note_spent(store_folder(None), job_of_spec(spec), spent)
    except KeyboardInterrupt:
        end_now()
    return 0


def _seen_from_its_folder(spec: Path) -> Path:
    """The path of a spec as seen from the folder that has the results, which becomes the working folder: all paths in
    the spec are relative to it. It is another one where Snakemake runs a module with a prefix, or keeps files in a
    storage."""
    stages = CONFIGURATION.parent
    for folder in spec.parents:
        if folder.parts[-len(stages.parts) :] == stages.parts:
            os.chdir(folder.parents[len(stages.parts) - 1])
            return stages / spec.relative_to(folder)
    return spec


def _versions(spec: dict[str, Any]) -> str:
    libraries = ", ".join(f"{name} {version}" for name, version in spec["versions"].items())
    return f"surefoot {surefoot.__version__}, {libraries}"
