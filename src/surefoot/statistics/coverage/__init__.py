"""Whether intervals hold their level: data sets whose truth is known, and what is counted in them."""
