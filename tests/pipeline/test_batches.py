"""Work is put together into jobs of which all but the last take long enough."""

from itertools import groupby

from surefoot.measured_seconds import SECONDS_OF_A_BATCH, batch_numbers


def test_all_but_the_last_batch_last_long_enough_and_none_has_a_piece_too_many():
    pieces = [10.0, 5000.0, 1.0, 700.0, *[250.0] * 7, 3.0]
    numbers = list(batch_numbers(pieces))
    assert numbers == sorted(numbers) and set(numbers) == set(range(numbers[-1] + 1))
    batches = [
        [piece for _, piece in group] for _, group in groupby(zip(numbers, pieces, strict=True), lambda of: of[0])
    ]
    assert [piece for batch in batches for piece in batch] == pieces
    for batch in batches[:-1]:
        assert sum(batch) >= SECONDS_OF_A_BATCH > sum(batch[:-1])


def test_no_work_has_no_batch():
    assert list(batch_numbers([])) == []
