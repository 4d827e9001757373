"""Read and check runs in memory: tables, arrays, and dicts of both."""
