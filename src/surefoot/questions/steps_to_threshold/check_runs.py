"""Whether every environment has a score that is to be reached."""

import pandas as pd

from surefoot.build.errors import InputError, nearest
from surefoot.errors import listed, shortened
from surefoot.questions.steps_to_threshold.settings import Settings

_LISTED = 5


def check_runs(table: pd.DataFrame, settings: Settings, where: str) -> None:
    """Raises InputError for thresholds of environments that there are not, and environments without one."""
    if not isinstance(settings.threshold, dict):
        return
    place, known = f"{where}.threshold", [str(name) for name in dict.fromkeys(table["environment"])]
    for name in settings.threshold:
        if name not in known:
            raise InputError(place, f'no curves of the environment "{shortened(name)}"', nearest(name, known))
    missing = [name for name in known if name not in settings.threshold]
    if missing:
        what = f"no score that is to be reached in {listed(missing, _LISTED)}"
        raise InputError(place, what, f"{shortened(missing[0])}: a score, or one number for all environments")
