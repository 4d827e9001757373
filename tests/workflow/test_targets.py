"""Names given to `surefoot run` that are no targets."""

import pytest

from surefoot.errors import InputError
from surefoot.workflow.targets import check_targets, environment_with_targets

TARGETS = ("all", "mine", "other", "figure_2", "figure_2_left")


@pytest.fixture
def check(own_folder, monkeypatch):
    """Check the words of a command line."""

    def check(*words):
        monkeypatch.setenv("SUREFOOT_TARGETS", environment_with_targets(words)["SUREFOOT_TARGETS"])
        check_targets(TARGETS, ("estimate",))

    return check


@pytest.mark.parametrize(
    ("name", "hint"), [("mine2", 'did you mean "mine"? `surefoot run'), ("none", "`surefoot run --list-rules` lists")]
)
def test_a_name_that_is_no_target_is_refused(check, name, hint):
    with pytest.raises(InputError) as caught:
        check("all", "-n", name, "--cores", "2")
    assert str(caught.value).startswith(f'command line: there is no target "{name}". Hint: {hint}')


def test_targets_rules_paths_and_values_of_options_pass(check, own_folder):
    (own_folder / "here").touch()
    check("mine", "figure_2_left", "estimate", "draw_mine", "results/draw/mine/figure_3.svg", "here", "--until", "none")
    check()
