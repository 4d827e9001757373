"""How things get built: configuration, specs, fingerprints, store, jobs and stages."""
