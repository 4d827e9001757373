"""Where runs come from."""
