"""Which tables of a study hold scores along the training."""

from collections.abc import Mapping

from surefoot.configuration.models import Study
from surefoot.sources.settings import CURVES, EVALUATIONS


def tables_along_training(study: Study) -> frozenset[str]:
    """Names of the tables of curves and evaluations: their runs have scores in another table, which is without those
    that were left out."""
    kinds: Mapping[str, str] = {
        table: kind for name, source in study.sources.items() for table, kind in source.tables(name).items()
    }
    return frozenset(table for table, kind in kinds.items() if kind in (CURVES, EVALUATIONS))
