"""Progressive tool disclosure: index a tool catalog, send the model a search tool, inject what it finds.

Read in this order: `tools`, `protocols`, `index/regex`, `eviction`, `session`,
`advisor/disclosure`, `advisor`, `chat`, `events`, `providers/rehearsal`.
"""
