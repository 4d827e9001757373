"""The configuration: read, checked, and where its keys stand."""
