"""Configuration files: later ones win, and a key stands once."""

import pytest
from support.shipped_configuration import SHIPPED

from surefoot.errors import InputError
from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.validation import validate_configuration


def test_later_files_win_at_depth(tmp_path):
    over = tmp_path / "over.yaml"
    over.write_text("studies: {jordan2020: {sources: {runs: {trials: 5}}}}")
    runs = read_configuration([*SHIPPED, over])["studies"]["jordan2020"]["sources"]["runs"]
    assert runs["trials"] == 5
    assert runs["algorithms"][0] == "ac"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed: 1\nstore: x\nseed: 2\n", "twice.yaml: seed: duplicate key, in lines 1 and 3. Hint: keep one"),
        ("studies:\n  a: {title: A, label: B,\n    title: C}\n", "title: duplicate key, in lines 2 and 3."),
        ("studies: {a: {x: [{y: 1}, {z: 1, z: 1}]}}", "z: duplicate key, in lines 1 and 1."),
    ],
)
def test_a_key_stands_once(tmp_path, text, message):
    path = tmp_path / "twice.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_configuration([path])
    assert message in str(caught.value)
    # Snakemake reads the files too, and takes the last: whoever read them, they are looked at.
    with pytest.raises(InputError) as caught:
        validate_configuration(read_configuration(SHIPPED), [*SHIPPED, path])
    assert message in str(caught.value)
