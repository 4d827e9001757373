"""The tables of reference scores that are kept with the project; light, since planning imports it.

A table is a CSV file in `config/published` with a row for each environment. Here stands what its scores mean, whose
they are, where papers have others, and how names of its environments may be decorated.
"""

from pathlib import Path
from typing import NamedTuple

from surefoot.sources.published.sources import PUBLISHED

_VERSION = r"(?:[-_]v\d+)?$"
_OF_GYMNASIUM = r"gymnasium|gym"
_ATARI_BEFORE = rf"^(?:(?:{_OF_GYMNASIUM}|ale_py|ale|atari100k|atari)[/:_-])+"
_ATARI_AFTER = rf"(?:[-_]ram)?(?:[-_]?NoFrameskip|[-_]?Deterministic)?{_VERSION}"
_ATARI_ALIASES = {"montezumasrevenge": "montezumarevenge", "jamesbond007": "jamesbond"}
_ATARI_SOURCE = "the table in the notebook of Agarwal et al. (2021), google-research/rliable, commit 3ccd9f4"
_ATARI_DIFFERENCES = (
    "Papers have other scores of random players in Alien (227.8 here, 228.8 in DreamerV2's table), James Bond (29; 7) "
    "and Video Pinball (0; 16,256.9), and of humans in James Bond (302.8; 29)"
)
_PROCGEN_BEFORE = rf"^(?:(?:{_OF_GYMNASIUM}|procgen)[/:_-])+"
_PROCGEN_SOURCE = "Cobbe et al. (2020)"


class ReferenceTable(NamedTuple):
    """A table of reference scores.

    title : what it is called in a sentence
    file : its name in `config/published`, without .csv
    name, zero, one : its columns of the environments' names and of the scores that become 0 and 1
    zero_is, one_is : what these scores are
    source : whose they are, with the version
    differences : where other tables of the kind have other scores; a sentence without its full stop, or ""
    before, after : regular expressions of what may stand before and after the name of an environment
    aliases : names that are written in another way, in small letters and digits alone, with those of the table
    bounded : whether no score can be outside of the two
    any_version : whether a name without version stands for all versions, where their scores are the same
    """

    title: str
    file: str
    name: str
    zero: str
    one: str
    zero_is: str
    one_is: str
    source: str
    differences: str = ""
    before: str = "^(?!)"
    after: str = _VERSION
    aliases: dict[str, str] = {}
    bounded: bool = False
    any_version: bool = False

    @property
    def path(self) -> Path:
        """Where the table is."""
        return PUBLISHED / f"{self.file}.csv"


REFERENCE_TABLES = {
    "atari_human": ReferenceTable(
        title="human-normalized scores of Atari",
        file="atari_games",
        name="game",
        zero="random",
        one="human",
        zero_is="the mean score of a random player",
        one_is="that of an average human player",
        source=_ATARI_SOURCE,
        differences=_ATARI_DIFFERENCES,
        before=_ATARI_BEFORE,
        after=_ATARI_AFTER,
        aliases=_ATARI_ALIASES,
    ),
    "atari_record": ReferenceTable(
        title="record-normalized scores of Atari",
        file="atari_games",
        name="game",
        zero="random",
        one="human_world_record",
        zero_is="the mean score of a random player",
        one_is="the human world record",
        source=_ATARI_SOURCE,
        differences="Records are broken: other papers have newer ones",
        before=_ATARI_BEFORE,
        after=_ATARI_AFTER,
        aliases=_ATARI_ALIASES,
    ),
    "procgen_easy": ReferenceTable(
        title="scores of Procgen in easy mode",
        file="procgen_score_ranges",
        name="game",
        zero="easy_min",
        one="easy_max",
        zero_is="the lower end of the game's range",
        one_is="its upper end",
        source=f"{_PROCGEN_SOURCE}, as Agarwal et al. (2021) have it",
        differences="Copies of the table differ in Jumper (1 or 3 becomes 0) and Leaper (1.5 or 3); 1 and 1.5 here",
        before=_PROCGEN_BEFORE,
        after=rf"(?:[-_]?easy)?{_VERSION}",
    ),
    "procgen_hard": ReferenceTable(
        title="scores of Procgen in hard mode",
        file="procgen_score_ranges",
        name="game",
        zero="hard_min",
        one="hard_max",
        zero_is="the lower end of the game's range",
        one_is="its upper end",
        source=f"{_PROCGEN_SOURCE}, as public copies of the table have it",
        before=_PROCGEN_BEFORE,
        after=rf"(?:[-_]?hard)?{_VERSION}",
    ),
    "d4rl": ReferenceTable(
        title="D4RL's normalized scores",
        file="d4rl_reference_scores",
        name="dataset",
        zero="random",
        one="expert",
        zero_is="the score of a random policy",
        one_is="that of an expert, 100 points of D4RL",
        source="d4rl 1.1, d4rl/infos.py (Fu et al. 2020)",
        differences="Minari's data sets of the same names have reference scores of their own, and are not in the table",
        before=r"^d4rl[/:_-](?!.*/)",
        after=r"(?!)",
        any_version=True,
    ),
    "dm_control": ReferenceTable(
        title="returns of the DeepMind Control Suite",
        file="dm_control_tasks",
        name="task",
        zero="least",
        one="greatest",
        zero_is="a return of 0",
        one_is="a return of 1,000, the greatest of an episode of 1,000 steps",
        source="Tassa et al. (2018); the tasks of dm_control 1.0.50 apart from LQR, whose rewards have no such bounds",
        before=r"^(?:(?:gymnasium|gym|dm_control|dm-control|dmcontrol|dmc_(?:proprio|vision|state|pixels)|dmc)[/:_-])+",
        aliases={"cupcatch": "ballincupcatch"},
        bounded=True,
    ),
    "metaworld": ReferenceTable(
        title="success rates of Meta-World",
        file="metaworld_tasks",
        name="task",
        zero="failure",
        one="success",
        zero_is="no success",
        one_is="success in every episode",
        source="Yu et al. (2020); the 50 tasks of metaworld 3.1.1",
        before=r"^(?:(?:gymnasium|gym|meta-?world|mw|mt1|mt10|mt50|ml1)[/:_-])+",
        after=r"(?:[-_]v\d+)?(?:[-_]goal[-_](?:observable|hidden))?$",
        bounded=True,
    ),
}
"""By name."""
