"""The room: durable tables and wallets on a store, bots that play there, archives."""
