"""English words that say nothing about a tool."""

STOP_WORDS: frozenset[str] = frozenset(
    # articles, pronouns and pointers
    "a an the this that these those it its i im ive me my mine we our us you your he she his her "
    "they them their who whom whose which what where when why how there here "
    # prepositions and conjunctions
    "of to in on at by for from with without into onto about as than then and or nor but if so "
    "because while until upon via per "
    # forms of to be, to have, to do and the modal verbs
    "is am are was were be been being has have had do does did doing done will would shall should "
    "can could may might must isn aren wasn weren hasn haven don doesn didn couldn wouldn shouldn won "
    # politeness and filler of a request
    "please pls want wants need needs like let lets thanks thank some any just also very too not no "
    "yes ok hi hello hey".split()
)
