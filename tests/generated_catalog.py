"""A catalog of any size made by a rule: stands in for a large real one where none is at hand."""

import json
from collections.abc import Iterator
from itertools import count, islice, product

SERVICES = {
    "crm": ("customer", "people and companies that buy"),
    "billing": ("invoice", "what is owed and by whom"),
    "support": ("ticket", "requests for help and their answers"),
    "warehouse": ("parcel", "goods on their way in and out"),
    "payroll": ("payslip", "what each employee earns in a month"),
    "calendar": ("meeting", "appointments of a team with time and place"),
    "library": ("document", "texts, tables and slides with their versions"),
    "fleet": ("vehicle", "cars and trucks, where they are and who drives"),
    "clinic": ("appointment", "visits of patients at a practice"),
    "school": ("course", "lessons, teachers and who attends"),
    "hotel": ("reservation", "rooms, guests and nights"),
    "kitchen": ("recipe", "dishes, ingredients and amounts"),
    "garden": ("plant", "beds, seeds and watering"),
    "studio": ("recording", "takes, tracks and microphones"),
    "newsroom": ("article", "drafts, authors and publication dates"),
    "museum": ("exhibit", "objects, rooms and loans"),
    "farm": ("field", "crops, soil and harvests"),
    "airport": ("flight", "departures, gates and delays"),
    "court": ("hearing", "cases, parties and dates"),
    "laboratory": ("sample", "probes, measurements and results"),
}

ACTIONS = {
    "list": ("List every {thing} that matches the filters, newest first, page by page.", ()),
    "get": ("Show one {thing} with all its fields and its history.", ("id",)),
    "create": ("Create a {thing}. The title must be unique among those that are open.", ("title",)),
    "update": ("Change fields of a {thing}; what is left out stays as it is.", ("id",)),
    "delete": ("Delete a {thing} for good. This cannot be undone.", ("id",)),
    "search": ("Search the text of each {thing} for words and rank what matches.", ("words",)),
    "assign": ("Make somebody responsible for a {thing} and tell them.", ("id", "person")),
    "comment": ("Add a remark to a {thing}; others who follow it are told.", ("id", "text")),
    "archive": ("Put a {thing} away without deleting it.", ("id",)),
    "export": ("Write each {thing} of a period to a file for a spreadsheet.", ("from", "to")),
}

ARGUMENTS = {
    "id": {"type": "string", "description": "The number that stands on the record."},
    "title": {"type": "string", "description": "A short title.", "maxLength": 120},
    "words": {"type": "string", "description": "One or more words; quotes keep them together."},
    "person": {"type": "string", "description": "Name or address of a member of the team."},
    "text": {"type": "string", "description": "Plain text, a few sentences at the most."},
    "from": {"type": "string", "format": "date", "description": "First day, YYYY-MM-DD."},
    "to": {"type": "string", "format": "date", "description": "Last day, YYYY-MM-DD."},
    "status": {"type": "string", "enum": ["open", "waiting", "done"], "description": "State."},
    "labels": {"type": "array", "items": {"type": "string"}, "description": "Labels to match."},
    "limit": {"type": "integer", "minimum": 1, "maximum": 100, "description": "How many."},
}
COMMON_ARGUMENTS = ("status", "labels", "limit")


def generated_catalog(tools: int = 200) -> bytes:
    """MCP `tools/list` JSON; the first 200 tools are all different, later ones belong to branches."""
    return json.dumps({"tools": list(islice(_entries(), tools))}).encode()


def _entries() -> Iterator[dict[str, object]]:
    for branch in count(1):
        for (service, (thing, about)), (action, (sentence, required)) in product(
            SERVICES.items(), ACTIONS.items()
        ):
            suffix = "" if branch == 1 else f"_{branch}"
            where = "" if branch == 1 else f" Only for branch {branch}."
            arguments = (*required, *COMMON_ARGUMENTS)
            yield {
                "name": f"{service}_{action}_{thing}{suffix}",
                "description": f"{sentence.format(thing=thing)} The {service} holds {about}.{where}",
                "inputSchema": {
                    "type": "object",
                    "properties": {name: ARGUMENTS[name] for name in arguments},
                    "required": list(required),
                    "additionalProperties": False,
                },
            }
