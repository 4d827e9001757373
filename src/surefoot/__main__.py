"""`python -m surefoot`: see `surefoot.cli.commands`."""

from surefoot.build.interrupts import end_at_once

if __name__ == "__main__":
    end_at_once()

    import sys

    from surefoot.cli.commands import main

    sys.exit(main())
