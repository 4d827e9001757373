"""Studies of how far the results of this project can be trusted, a module a subject."""
