"""Laws that every implementation of a seam keeps; no test names in here."""
