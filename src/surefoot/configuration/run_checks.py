"""Checks of what a study simulates and asks of its runs, before any job runs: names, definitions, numbers of trials.

Each error says where: `locate` gives the file and the key of a path of keys within the study.
"""

from collections.abc import Callable

from surefoot.build.errors import InputError, nearest
from surefoot.build.fingerprint import module_path
from surefoot.configuration.own_files import defined_functions
from surefoot.configuration.simulation_checks import FUNCTIONS, name_mistakes, own_mistakes
from surefoot.pipeline.cover_jobs import numbers_of_datasets
from surefoot.pipeline.run_jobs import pool, rows
from surefoot.simulation import registry

Locate = Callable[..., str]


def check_runs(study: dict, locate: Locate) -> None:
    """Whether all that the study simulates, tunes and cuts data sets from is there, in sufficient number.

    Raises
    ------
    InputError
    """
    if "simulate" in study:
        _check_simulation(study, locate)
    else:
        _check_what_only_simulations_have(study["aggregate"], locate)
    for key in study["cover"]:
        _check_coverage(study, ["cover", key], locate)


def check_candidates(study: dict, locate: Locate) -> None:
    """The best of so many trials needs so many, in one environment at least (a default that has more is cut).

    Raises
    ------
    InputError
    """
    if "simulate" not in study:
        return
    most = max(study["aggregate"]["candidates"], default=0)
    largest = max(trials for *_, trials in rows(study["simulate"]))
    if "best_of_candidates" in study["aggregate"]["analyses"] and most > largest:
        what = f"the best of {most} trials needs more than the {largest} trials of any pair"
        where = locate("aggregate", "candidates", others=[["simulate", "trials"]])
        raise InputError(where, what, "fewer candidates, or more trials")


def _check_simulation(study: dict, locate: Locate) -> None:
    simulate = study["simulate"]
    named = [(["simulate"], simulate)]
    named += [(["cover", key, "pool"], section["pool"]) for key, section in study["cover"].items()]
    for keys, section in named:
        for at, what, hint in name_mistakes(section, simulate["own"]):
            raise InputError(locate(*keys, *at), what, hint)
    sections = {("simulate",): simulate} | {("cover", key, "pool"): pool(study, key) for key in study["cover"]}
    for at, what, hint in own_mistakes(simulate["own"], list(sections.values())):
        raise InputError(locate("simulate", *at), what, hint)
    for place, section in sections.items():
        _check_definitions(section, [*place], locate)
    known = list(dict.fromkeys(part for section in sections.values() for row in rows(section) for part in row[:3]))
    for key in ("trials_of", "block_of"):
        for chosen in simulate[key]:
            if chosen not in known and chosen not in (*registry.ALGORITHMS, *registry.ENVIRONMENTS):
                where = locate("simulate", key, chosen)
                raise InputError(where, "neither algorithm nor environment of this study", nearest(chosen, known))
    _check_subsamples(study, locate)
    if "tuning" in study["aggregate"]["analyses"]:
        _check_tuning(study["aggregate"]["tuning"], simulate, locate)


def _check_definitions(section: dict, path: list, locate: Locate) -> None:
    """Every algorithm needs a definition for every kind of environment that it is to run in."""
    algorithms, environments = registry.algorithms(section["own"]), registry.environments(section["own"])
    for algorithm in section["algorithms"]:
        defined = defined_functions(module_path(algorithms[algorithm].module))
        for environment in section["environments"]:
            kind = environments[environment].kind
            if FUNCTIONS[kind] not in defined:
                where = locate(*path, "algorithms")
                what = f'"{algorithm}" has no definition for {kind} environments such as {environment}'
                hint = f"other environments, or a function {FUNCTIONS[kind]} in {algorithms[algorithm].module}"
                raise InputError(where, what, hint)


def _check_subsamples(study: dict, locate: Locate) -> None:
    """The pair whose runs are sampled must be one that is simulated."""
    chosen = study["estimate"]["subsamples"] or {}
    for kind in ("algorithm", "environment"):
        known = study["simulate"][f"{kind}s"]
        if chosen and chosen[kind] not in known:
            where = locate("estimate", "subsamples", kind)
            what = f'"{chosen[kind]}" is not simulated in this study'
            raise InputError(where, what, f"one of {', '.join(known)}; or estimate.subsamples: null")


def _check_tuning(section: dict, simulate: dict, locate: Locate) -> None:
    """What is tuned must be of the study, and there must be as many draws as one tuning tries."""
    for kind in ("algorithms", "environments"):
        for position, chosen in enumerate(section[kind]):
            if chosen not in simulate[kind]:
                where = locate("aggregate", "tuning", kind, position)
                hint = f"one of {', '.join(simulate[kind])}; or no tuning in aggregate.analyses"
                raise InputError(where, f'"{chosen}" is not simulated in this study', hint)
    if section["candidates"] > section["hyperparameters"]:
        what = f"{section['candidates']} candidates are more than the {section['hyperparameters']} draws that are run"
        where = locate("aggregate", "tuning", "candidates", others=[["aggregate", "tuning", "hyperparameters"]])
        raise InputError(where, what, "fewer candidates, or more hyperparameters")


def _check_what_only_simulations_have(section: dict, locate: Locate) -> None:
    """A score table has neither other runs of the same hyperparameters nor random policies."""
    hint = "leave it out, or simulate the runs"
    if "tuning" in section["analyses"]:
        what = "tuning needs further runs of the same hyperparameters, and nothing is simulated"
        raise InputError(locate("aggregate", "analyses"), what, hint)
    if section["random_policies"] is not None:
        what = "random policies are asked for, and nothing is simulated"
        raise InputError(locate("aggregate", "random_policies"), what, hint)


def _check_coverage(study: dict, path: list, locate: Locate) -> None:
    """A data set must not be larger than the pool, nor pieces cut from it longer than it is."""
    section = study["cover"][path[-1]]
    sizes, datasets = section["sizes"], numbers_of_datasets(section)
    if len(datasets) != len(sizes):
        where = locate(*path, "datasets", others=[[*path, "sizes"]])
        raise InputError(where, f"{len(datasets)} numbers for {len(sizes)} sizes", "one for all, or one for each size")
    if "simulate" not in study:
        if section["pool"]:
            where = locate(*path, "pool")
            raise InputError(where, "a pool is given, but nothing is simulated", "the runs of the study are the pool")
        if "pbp_known_bounds" in section["methods"] and not study["estimate"]["bounds"]:
            where = locate(*path, "methods")
            raise InputError(
                where, "pbp_known_bounds has no bounds", "give estimate.bounds, low and high by environment"
            )
        return
    trials = [[*path, "pool", "trials"] if "trials" in section["pool"] else ["simulate", "trials"]]
    fewest = min(trials for *_, trials in rows(pool(study, path[-1])))
    if max(sizes) > fewest:
        where = locate(*path, "sizes", others=trials)
        what = f"data sets of {max(sizes)} trials are more than the {fewest} trials of the pool"
        raise InputError(where, what, "smaller sizes, or more trials of the pool")
    needed = sum(size * number for size, number in zip(sizes, datasets, strict=True))
    if section["design"] == "cut" and needed > fewest:
        where = locate(*path, "design", others=[[*path, "sizes"], [*path, "datasets"], *trials])
        what = f"{needed} trials are needed to cut all data sets, and the pool has {fewest}"
        raise InputError(where, what, "more trials of the pool, or design: resample")
