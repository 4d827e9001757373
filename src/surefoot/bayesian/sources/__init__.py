"""Sources of plays of Bayesian agents."""

MODULES = ("plays",)
