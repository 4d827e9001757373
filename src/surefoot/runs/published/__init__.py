"""Published score tables: location, download, and conversion of their files."""

MODULES = ("published_source",)
