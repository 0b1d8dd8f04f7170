"""Rounds out of events: records, narration, exports, and an index that may be deleted."""
