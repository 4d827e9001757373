"""`python -m surefoot`: see `surefoot.pipeline.commands`."""

from surefoot.interrupts import end_at_once

if __name__ == "__main__":
    end_at_once()

    import sys

    from surefoot.pipeline.commands import main

    sys.exit(main())
