"""Plan the jobs for a configuration."""
