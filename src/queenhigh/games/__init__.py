"""The games as pure functions over frozen values: no clock, no entropy, no files, no JSON."""
