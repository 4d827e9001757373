"""The plan: the jobs for a configuration."""
