"""The ledger and what is written of it."""
