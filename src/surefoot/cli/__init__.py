"""The command line, and the functions behind its commands."""
