"""A table's log in words, as the floor reads it."""

from queenhigh.history.table_narration import describe_log
from queenhigh.table.correction_events import CorrectionMade, MovedDifference


def test_correction_that_moved_nothing_says_so() -> None:
    """The payer had no chips: all of it is owed."""
    owed = MovedDifference(3, "bank", 0, -500)
    made = CorrectionMade(
        at=1, by="floor", id="a", correction=1, round=4, staff="Noor", net=500, moved=(owed,)
    )
    (line,) = describe_log([(1, made)], {})
    expected = "Round 4 is corrected, approved by Noor: no chips moved; $5.00 is still owed"
    assert line.text == expected
