"""The workflow: jobs, planned from the configuration, and the content store."""
