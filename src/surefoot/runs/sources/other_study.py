"""Settings of a source that uses the runs of another study."""

from typing import TYPE_CHECKING, ClassVar, Literal

from surefoot.runs.published.published_source import PUBLISHED_TABLES
from surefoot.runs.setting_errors import SettingError, check_known
from surefoot.runs.sources.source_settings import RUNS, SourceSettings, run_source
from surefoot.runs.sources.tables import QUESTIONS_OF_THE_GAME
from surefoot.workflow.project import RECORDS

if TYPE_CHECKING:
    from surefoot.workflow.configuration.models import Configuration


@run_source
class OtherStudy(SourceSettings):
    """The runs of another study of the configuration."""

    default_questions: ClassVar = QUESTIONS_OF_THE_GAME
    kind: Literal["study"] = "study"
    study: str | None = None
    """Name of the study; by default the name of this source."""
    source: str = "runs"
    """Name of the source in the other study."""

    def of_other_study(self, name: str) -> tuple[str, str]:
        """Return the name of the other study, and the name of the source in it."""
        return self.study or name, self.source

    def check_in(self, configuration: "Configuration", study: str, name: str) -> None:
        """Check that the other study has this source of runs.

        If the configuration does not contain the other study, recorded results of this study are accepted instead.
        """
        other, source = self.of_other_study(name)
        if other == study:
            raise SettingError([], "a study cannot use its own runs", "name another study")
        if other not in configuration.studies and (RECORDS / study).is_dir():
            return
        others = [one for one in configuration.studies if one != study]
        check_known(other, others, ["study"], f'there is no study "{other}"')
        tables = configuration.studies[other].tables()
        makes = [table for table, kind in tables.items() if kind == RUNS and PUBLISHED_TABLES not in tables.values()]
        check_known(source, makes, ["source"], f'"{other}" has no runs "{source}"')
