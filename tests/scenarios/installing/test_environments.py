"""The locked versions for pip and for conda are the same, and every dependency is in both."""

import re
import tomllib

import yaml
from support.paths import ROOT


def normalized(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned_lines(file):
    lines = (ROOT / file).read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#") and line != "--editable ."]


def pip_versions(file):
    pinned = (line.split(";")[0].strip().partition("==") for line in pinned_lines(file))
    return {normalized(name): version for name, _, version in pinned}


def conda_versions():
    found = {}
    for entry in yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]:
        for text in entry["pip"] if isinstance(entry, dict) else [entry]:
            name, _, version = text.replace("==", "=").partition("=")
            found[normalized(name)] = version
    return found


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def names(texts):
    return {normalized(re.match(r"[A-Za-z0-9_.-]+", text)[0]) for text in texts}


def dependencies_of(*extras):
    """Names of the packages that the extras ask for, through others too."""
    texts = [text for extra in extras for text in PROJECT["optional-dependencies"][extra]]
    others = [text.partition("[")[2].rstrip("]").split(",") for text in texts if text.startswith("surefoot[")]
    own = names(text for text in texts if not text.startswith("surefoot["))
    return own.union(*(dependencies_of(*extra) for extra in others))


def direct_dependencies():
    return names(PROJECT["dependencies"]) | dependencies_of("test")


def test_the_requirements_are_those_of_a_run():
    run = pip_versions("requirements.txt")
    assert names(PROJECT["dependencies"]) | dependencies_of("report") <= run.keys()
    assert not dependencies_of("tensorboard") & run.keys()


def test_each_package_is_pinned_to_one_version():
    for file in ("requirements.txt", "requirements-test.txt", "requirements-slurm.txt"):
        lines = pinned_lines(file)
        assert all("==" in line for line in lines)
        names = [normalized(line.partition("==")[0]) for line in lines]
        assert len(names) == len(set(names))


def test_tests_and_clusters_run_the_versions_of_the_workflow():
    run, slurm = pip_versions("requirements.txt"), pip_versions("requirements-slurm.txt")
    assert run.items() <= slurm.items() and run.items() <= pip_versions("requirements-test.txt").items()
    assert dependencies_of("slurm") - dependencies_of("report") <= slurm.keys() - run.keys()


def test_conda_gives_the_same_versions():
    pip, conda = pip_versions("requirements-test.txt"), conda_versions()
    assert direct_dependencies() <= conda.keys()
    assert {name: pip[name] for name in direct_dependencies()} == {name: conda[name] for name in direct_dependencies()}
    assert conda.keys() - direct_dependencies() == {"python", "pip", "quarto", "ipykernel", "nbclient"}
