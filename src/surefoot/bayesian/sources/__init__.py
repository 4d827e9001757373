"""Sources of plays of Bayesian agents."""

MODULES = ("play_settings",)
