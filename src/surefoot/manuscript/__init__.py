"""What a paper takes from a study: figures at the widths of venues, tables, a paragraph of methods with its references."""
