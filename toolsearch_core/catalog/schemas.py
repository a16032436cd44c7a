"""The input schema of a tool: from what its server said to what the Messages API accepts.

Accepted is a schema that is valid by JSON Schema 2020-12, has an object at its root and no combinator
there, and whose arguments have names of letters, digits, `_`, `.` and `-` only. One tool that breaks
a rule makes the service refuse the whole request, so each is repaired here, or rejected with a reason.
Boolean schemas and recursive references are fine as they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from toolsearch_core.catalog.combinators import ROOT_COMBINATORS, Shape, merged_root
from toolsearch_core.catalog.findings import Findings, RejectedError
from toolsearch_core.catalog.formats import json_type
from toolsearch_core.catalog.keywords import Refused, accepted
from toolsearch_core.catalog.references import repaired_references
from toolsearch_core.catalog.wire_names import is_accepted_argument, with_digest
from toolsearch_core.jsonvalues import JsonObject, JsonValue
from toolsearch_core.notices import notice

MAX_REFUSED = 50
"""An entry with more refused keywords was not meant as a schema."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AcceptedSchema:
    """What is sent, and what is lost by it."""

    sent: JsonObject
    words: tuple[str, ...] = ()
    """Constraints that the sent schema cannot say, as sentences for the description."""


def accepted_schema(schema: JsonValue, findings: Findings) -> AcceptedSchema:
    """Repair a schema; a schema that is fine comes back as the same object.

    Raises:
        RejectedError: it accepts no object, or is no schema.
    """
    if schema is None:
        findings.repair(notice("catalog.schema_missing"))
        return AcceptedSchema(sent={"type": "object", "properties": {}})
    if schema is True:
        findings.repair(notice("catalog.type_added"))
        return AcceptedSchema(sent={"type": "object"})
    if not isinstance(schema, Mapping):
        raise RejectedError(notice("catalog.schema_not_object", found=json_type(schema)))
    sound = _with_sound_references(_valid(schema, findings), findings)
    root, words = _object_root(sound, findings)
    sent = _named_arguments(root, findings)
    if sent is not sound:
        # A reference into what was merged or renamed leads nowhere any more.
        sent = _with_sound_references(sent, findings)
    return AcceptedSchema(sent=sent, words=words)


def _with_sound_references(schema: JsonObject, findings: Findings) -> JsonObject:
    repaired = repaired_references(schema)
    for reference in repaired.broken:
        findings.repair(notice("catalog.broken_reference", reference=reference))
    for reference in repaired.endless:
        findings.repair(notice("catalog.endless_reference", reference=reference))
    for reference in repaired.dynamic:
        findings.repair(notice("catalog.dynamic_reference", reference=reference))
    return repaired.schema


def _valid(schema: JsonObject, findings: Findings) -> JsonObject:
    refused = Refused()
    valid = accepted(schema, refused)
    if len(refused.places) > MAX_REFUSED:
        raise RejectedError(
            notice("catalog.schema_hopeless", count=len(refused.places), place=refused.places[0])
        )
    for place in refused.places:
        findings.repair(notice("catalog.keyword_refused", place=place))
    return valid if isinstance(valid, Mapping) else {}


def _object_root(schema: JsonObject, findings: Findings) -> tuple[JsonObject, tuple[str, ...]]:
    merged_keys = [key for key in (*ROOT_COMBINATORS, "$ref") if key in schema]
    shape = merged_root(schema)
    if not shape.possible:
        kind = schema.get("type")
        raise RejectedError(
            notice(
                "catalog.root_not_object",
                found=kind if isinstance(kind, str) else ", ".join(merged_keys) or "array",
            )
        )
    if merged_keys:
        findings.repair(notice("catalog.root_combinator", keyword=", ".join(merged_keys)))
        for sentence in shape.words:
            findings.repair(notice("catalog.rule_in_words", rule=sentence))
        return _from_shape(shape), shape.words
    if schema.get("type") != "object":
        findings.repair(notice("catalog.type_added"))
        return {**schema, "type": "object"}, ()
    return schema, ()


def _from_shape(shape: Shape) -> JsonObject:
    root: dict[str, JsonValue] = {"type": "object", "properties": shape.described}
    if shape.required:
        root["required"] = list(shape.required)
    return {**root, **shape.other}


def _named_arguments(root: JsonObject, findings: Findings) -> JsonObject:
    """Only the names on the first level are refused by the service; further in any name will do."""
    properties = root.get("properties")
    if not isinstance(properties, Mapping) or all(map(is_accepted_argument, properties)):
        return root
    names = {name: name for name in properties if is_accepted_argument(name)}
    taken = set(names)
    for name in properties:
        if name not in names:
            names[name] = with_digest(name, (name,), taken)
            taken.add(names[name])
            findings.repair(notice("catalog.argument_renamed", name=name, sent=names[name]))
    renamed: dict[str, JsonValue] = {
        **root,
        "properties": {names[name]: schema for name, schema in properties.items()},
    }
    required = root.get("required")
    if isinstance(required, list):
        renamed["required"] = [names.get(str(name), name) for name in required]
    return renamed
