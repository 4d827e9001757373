"""Each format of runs is described, and states what its logs are of."""

from surefoot.runs.logs.run_formats import RUN_FORMATS


def test_every_format_has_a_description():
    formats = RUN_FORMATS.complete()
    for name, one in formats.items():
        assert one.description and "\n" not in one.description and not one.description.endswith(".")
        assert {*one.contains, *one.beside} <= set(formats) - {name}
