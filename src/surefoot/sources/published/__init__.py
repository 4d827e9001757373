"""Published score tables: location, download, and conversion of their files."""
