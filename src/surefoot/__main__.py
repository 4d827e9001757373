"""`surefoot` and `python -m surefoot`: see `surefoot.cli.commands`."""

import sys

from surefoot.workflow.interrupts import end_at_once


def start() -> int:
    """Run the command line; an interrupt during imports ends it at once."""
    end_at_once()
    from surefoot.cli.commands import main

    return main()


if __name__ == "__main__":
    sys.exit(start())
