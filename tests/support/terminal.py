"""The stream of a terminal, in tests of what is shown there, or asked."""

import io


class Terminal(io.StringIO):
    """A stream that keeps what is written, or has the lines that a user types."""

    def isatty(self):
        return True
