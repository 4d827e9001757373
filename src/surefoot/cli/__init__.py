"""The command line, and the functions that execute its commands."""
