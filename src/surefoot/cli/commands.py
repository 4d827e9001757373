"""The command line: `surefoot run` runs the workflow, `python -m surefoot job SPEC` one of its jobs; other subcommands
look after the results."""

import argparse
import gc
import sys
from pathlib import Path
from typing import Any

import surefoot
from surefoot.build.errors import EXPLAINED, explained
from surefoot.build.interrupts import raise_again
from surefoot.build.spec_files import CONFIGURATION


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
        from surefoot.cli import housekeeping, pruning, record, schemas, trust_record

        rooms = {"prune": pruning, "record": record, "record_trust": trust_record, "schemas": schemas}
        room = rooms.get(options.command, housekeeping)
        raise_again()
        status: int = getattr(room, options.command)(options)
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
    from surefoot.build.log import job_log
    from surefoot.build.runner import read_spec, run_job

    spec = read_spec(options.spec)
    # A job makes far more objects that stay than garbage, above all while numba compiles: a tenth of a first run's time
    # would go into looking for it.
    gc.set_threshold(1_000_000)
    facts = {"spec": str(options.spec), "versions": _versions(spec), "threads": str(options.threads)}
    if "seed" in spec["settings"]:
        facts["seed"] = str(spec["settings"]["seed"])
    title = f"{spec['stage']} {spec['study']}/{spec['part']}"
    raise_again()
    with job_log(options.log, title, facts):
        run_job(options.spec, options.threads)
    return 0


def _versions(spec: dict[str, Any]) -> str:
    libraries = ", ".join(f"{name} {version}" for name, version in spec["versions"].items())
    return f"surefoot {surefoot.__version__}, {libraries}"
