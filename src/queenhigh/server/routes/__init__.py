"""The HTTP routes: for anyone, for players, and for the floor."""
