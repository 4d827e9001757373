"""What is asked of run tables: points, intervals, and whether these can be trusted."""
