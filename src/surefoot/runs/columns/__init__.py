"""Columns of tables and arguments from users: names of runs, numbers, CSV texts, and types of arguments."""
