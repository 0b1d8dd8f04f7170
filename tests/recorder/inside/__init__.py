"""What runs inside the program that is recorded; it imports nothing of it but its entry."""
