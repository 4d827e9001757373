"""The evaluation game of Jordan et al. 2020: percentiles, payoffs, scores and what moves them."""
