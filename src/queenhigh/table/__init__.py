"""The live table as pure events: what may happen, what has happened, and who may see what of it."""
