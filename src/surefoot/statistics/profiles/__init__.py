"""Performance profiles, curves, and bands around them."""
