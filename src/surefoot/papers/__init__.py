"""A folder for each paper: what is compared with its printed numbers, and the figures that no question draws."""
