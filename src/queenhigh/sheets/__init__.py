"""What people read: rule sheets and the trace of a settled round, made from a rulebook."""
