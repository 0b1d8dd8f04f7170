"""The live table as pure events: commands, events, and the view that each player may see."""
