"""Four runs with three scores each, which tests write in the files of many loggers."""

CURVES = {(name, seed): [seed + 1.25, 2.5 * seed, 3.0 + len(name)] for name in ("my_ppo", "sac") for seed in (0, 1)}
STEPS = [1000, 2000, 3000]


def lines(scores, form="{},{}\n"):
    """A line for each step and score."""
    return "".join(form.format(step, score) for step, score in zip(STEPS, scores, strict=True))


def curves_of(found):
    return {
        (name, run): rows["score"].tolist()
        for (name, run), rows in found.table.groupby(["algorithm", "run"], sort=False)
    }
