"""Figures and tables of "Deep RL at the Edge of the Statistical Precipice" (Agarwal et al. 2021)."""
