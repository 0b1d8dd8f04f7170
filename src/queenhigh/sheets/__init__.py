"""Results as text for people and as JSON for programs: a module for each kind of result."""
