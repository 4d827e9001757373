"""Each format of runs is described, and states what its logs are of."""

from surefoot.runs.logs.run_formats import RUN_FORMATS


def test_every_format_has_a_description():
    formats = RUN_FORMATS.complete()
    for name, one in formats.items():
        assert one.description and "\n" not in one.description and not one.description.endswith(".")
        assert {*one.contains, *one.beside} <= set(formats) - {name}


def test_formats_of_one_tool_state_what_it_logs():
    formats = RUN_FORMATS.complete()
    silent = {name for name, one in formats.items() if not one.logged}
    assert silent == {"rliable", "table", "tensorboard", "wandb", "wandb_folders", "mlflow", "run_files", "run_arrays"}
    last = [formats["rllib"].logged["train"], formats["stable_baselines3_progress"].logged["rollout/ep_rew_mean"]]
    assert {(one.logged, one.episodes) for one in last} == {("running_mean", 100)}
