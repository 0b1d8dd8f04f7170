"""The room: tables and wallets on a store, bots that play, and proof of what was played."""
