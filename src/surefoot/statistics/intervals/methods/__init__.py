"""The methods of `estimate`, a module each: `estimate(samples, method, options)` gives the table."""
