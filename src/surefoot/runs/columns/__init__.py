"""Check user-supplied tables and arguments: names of runs, numbers, CSV text, and types of arguments."""
