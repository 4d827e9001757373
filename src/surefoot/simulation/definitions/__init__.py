"""Complete definitions: an agent together with the distribution of everything that it leaves open."""
