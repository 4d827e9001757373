"""The family of kinds of studies: its truths, and that it depends on its seed alone."""

import numpy as np
import pytest

from surefoot.statistics.coverage.trust.drawn_kinds import LAWS, Kind, Part, TaskLaw, kind, kinds, weighted_iqm


@pytest.mark.parametrize(
    ("part", "mean", "gap"),
    [
        (Part(1.0, "lognormal", 0.0, 1.0, (1.5,)), np.exp(1.125), None),
        (Part(1.0, "t", 0.5, 0.3, (2.5,)), 0.5, None),
        (Part(1.0, "beta", 0.0, 1.0, (0.2, 0.6)), 0.25, 0.75),
        (Part(1.0, "normal", 1.0, 2.0), 1.0, 2.0 / np.sqrt(2.0 * np.pi)),
        (Part(1.0, "point", 0.25), 0.25, 0.75),
    ],
)
def test_means_and_gaps_are_those_of_closed_forms(part, mean, gap):
    values = Kind(0, 0, (3,), (TaskLaw((part,)),), 0.0, "").true_values(("mean", "optimality_gap"))
    assert values[0] == pytest.approx(mean, rel=1e-5)
    assert gap is None or values[1] == pytest.approx(gap, rel=1e-5)


def test_the_trimmed_mean_counts_mass():
    """A quarter of the mass is cut from each side, within a score where need be."""
    assert weighted_iqm(np.array([5.0, 0.0, 1.0]), np.array([0.25, 0.5, 0.25])) == pytest.approx(0.5)
    law = TaskLaw((Part(0.4, "point", 0.0), Part(0.6, "point", 1.0)))
    assert Kind(0, 0, (3, 9), (law, law), 0.0, "").true_values(("iqm",))[0] == pytest.approx(0.7)


def test_unequal_runs_count_by_their_number_in_the_iqm_alone():
    """As the project's metrics do, whose mean and median are those of the tasks' means."""
    laws = tuple(TaskLaw((Part(1.0, "point", location),)) for location in (0.0, 1.0))
    of = Kind(0, 0, (6, 4), laws, 0.0, "")
    assert of.true_values(("mean", "iqm")).tolist() == pytest.approx([0.5, 0.3])


def test_a_kind_depends_on_its_seed_and_number_alone():
    assert kinds(1, 40)[:20] == kinds(1, 20) and kinds(1, 20) != kinds(2, 20)
    one = kind(1, 7)
    first, again = (np.concatenate(one.samples(5, "a", 3)) for _ in range(2))
    assert (first == again).all()
    others = [one.samples(5, "b", 3), one.samples(5, "a", 4), one.samples(6, "a", 3)]
    assert all((np.concatenate(other) != first).any() for other in others)


def test_the_family_has_all_that_it_promises():
    drawn = kinds(1, 300)
    said = " ".join(one.described for one in drawn)
    assert all(word in said for word in ("collapsed", "zero", "tied", "saturated", "correlation", "unequal noise"))
    assert {1, 10, 26} < {len(one.sizes) for one in drawn} and {3, 5, 10} == {
        size for one in drawn for size in one.sizes
    }
    assert all(any(one.described.startswith(law) for one in drawn) for law in LAWS)
    assert all(sum(part.weight for part in law.parts) == pytest.approx(1.0) for one in drawn for law in one.laws)


def test_runs_share_what_the_correlation_says_and_keep_their_distribution():
    """20,000 runs of two normal tasks: a correlation of 0.4 within 6 standard errors of 0.006."""
    law = TaskLaw((Part(1.0, "normal", 0.0, 1.0),))
    x, y = Kind(0, 0, (20_000, 20_000), (law, law), 0.4, "").samples(1, "a", 0)
    assert np.corrcoef(x, y)[0, 1] == pytest.approx(0.4, abs=0.036)
    assert x.std() == pytest.approx(1.0, abs=0.03)
