"""The library: the statistics of scores of runs on tasks, on tables as people have them."""
