"""An index of the rounds in a room's log, in a file beside it that may be deleted at any time."""
