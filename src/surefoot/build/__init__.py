"""Jobs, specs, fingerprints and the store: what makes results again when they have to be. It knows nothing of runs."""
