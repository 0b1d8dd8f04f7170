"""An index of the rounds in a room's log, in a file beside it: archived ones are only there."""
