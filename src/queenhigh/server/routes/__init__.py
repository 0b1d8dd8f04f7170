"""What the room answers over HTTP, by who may ask: anyone, players, the floor."""
