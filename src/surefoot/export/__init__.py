"""What a paper takes from a study: figures at the widths of venues, tables, and the methods with their references."""
