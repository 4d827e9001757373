"""Read and check runs that are passed as tables, arrays, or dicts of either."""
