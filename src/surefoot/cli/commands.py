"""The command line: `surefoot report` makes a page of a folder of runs, `surefoot run` runs the workflow, and
`python -m surefoot job SPEC` one of its jobs; other commands look after the results."""

import os
import sys
from importlib import import_module

import surefoot
from surefoot.build.errors import EXPLAINED, raise_again, tell
from surefoot.build.project import check_report
from surefoot.cli.clones import use_clone_here
from surefoot.cli.command_list import command_named, overview
from surefoot.cli.parsing import parsed, parser_of


def main(arguments: list[str] | None = None) -> int:
    """Run a command; returns the exit status (see `surefoot.cli.command_list.EXIT_STATUSES`)."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        if not arguments or arguments[0] in ("-h", "--help", "help"):
            print(overview())
            return 0
        if arguments[0] in ("-V", "--version"):
            print(f"surefoot {surefoot.__version__}")
            return 0
        name, *words = arguments
        command = command_named(name)
        if command.clones:
            use_clone_here(arguments)
        if name == "run":  # whatever follows is Snakemake's
            if {"-h", "--help"} & set(words):
                parser_of(command).print_help()
                return 0
            check_report("surefoot run")
            from surefoot.cli.running import run

            raise_again()
            return run(words)
        options = parsed(command, words)
        if command.reports:
            check_report(f"surefoot {name}")
        module = import_module(f"surefoot.cli.{command.module}")
        raise_again()
        status: int = getattr(module, name)(options)
        return status
    except BrokenPipeError:  # as of `surefoot why | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except EXPLAINED as error:
        return tell(error)
