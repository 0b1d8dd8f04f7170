"""The settlement desk: a hand that was dealt with real cards, entered piece by piece."""
