"""Plan and run the jobs of a configuration, and store their results."""
