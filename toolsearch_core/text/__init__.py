"""Preparation of text: the one place that says what a word is, and which texts of a tool are searchable."""
