"""Export of a study for a paper: figures at the widths of venues, tables, and the methods text with references."""
