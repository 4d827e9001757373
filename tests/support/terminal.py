"""Stand-in for the stream of a terminal."""

import io


class Terminal(io.StringIO):
    """A stream that stores what is written, or provides the lines that a user types."""

    def isatty(self):
        return True
