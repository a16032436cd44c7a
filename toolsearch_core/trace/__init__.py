"""Folds of the event log: the board of tool states, the token ledger, and the log as JSON lines."""
