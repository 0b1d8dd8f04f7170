"""Whole tables, round by round: from numbered words to a tally that adds up."""
