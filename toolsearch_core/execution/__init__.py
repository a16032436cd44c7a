"""Checked arguments and simulated results."""
