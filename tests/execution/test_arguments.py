"""Arguments are checked by the schema of the tool, whatever that schema is."""

import pytest

from toolsearch_core.execution.arguments import check_arguments

MONEY = {
    "type": "object",
    "properties": {
        "amount": {"type": "number"},
        "to": {"type": "string", "enum": ["EUR", "USD"]},
    },
    "required": ["amount", "to"],
    "additionalProperties": False,
}


def said(schema: object, arguments: object) -> list[str]:
    return [problem.text for problem in check_arguments(schema, arguments).problems]  # type: ignore[arg-type]


def of_property(part: object) -> dict[str, object]:
    return {"type": "object", "properties": {"p": part}}


def codes(part: object, value: object) -> list[str]:
    found = check_arguments(of_property(part), {"p": value}).problems  # type: ignore[arg-type, dict-item]
    return [problem.code.removeprefix("execution.") for problem in found]


# What is told


def test_good_arguments_pass_as_they_are() -> None:
    checked = check_arguments(MONEY, {"amount": 5, "to": "EUR"})

    assert (checked.arguments, checked.problems) == ({"amount": 5, "to": "EUR"}, ())


def test_each_problem_names_place_rule_value_and_what_is_allowed() -> None:
    assert said(MONEY, {}) == [
        "`amount` is missing, but is needed (rule `required`).",
        "`to` is missing, but is needed (rule `required`).",
    ]
    assert said(MONEY, {"amount": 5, "to": "GBP"}) == [
        '`to` is "GBP"; allowed: "EUR", "USD" (rule `enum`).'
    ]
    assert said(MONEY, {"amount": 5, "to": "EUR", "round": True}) == [
        "`round` is not a parameter here (rule `additionalProperties`); allowed: amount, to."
    ]
    assert said(MONEY, {"amount": None, "to": "EUR"}) == [
        "`amount` is null, but has to be of type number (rule `type`)."
    ]
    assert said(of_property({"minimum": 3}), {"p": 1}) == [
        "`p` is 1, which breaks the rule `minimum`: 3."
    ]


@pytest.mark.parametrize("arguments", [None, [], "x", 5, True, [{"amount": 5}]])
def test_arguments_that_are_no_object_are_refused(arguments: object) -> None:
    checked = check_arguments(MONEY, arguments)  # type: ignore[arg-type]

    assert [each.code for each in checked.problems] == ["execution.not_an_object"]
    assert checked.arguments == {}


def test_places_inside_are_named_with_their_way() -> None:
    schema = of_property(
        {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "boolean"}}}}
    )

    assert said(schema, {"p": [{"n": True}, {"n": "no"}]}) == [
        '`p[1].n` is "no", but has to be of type boolean (rule `type`).'
    ]


def test_only_the_first_problems_are_told_and_the_rest_is_counted() -> None:
    schema = {"type": "object", "additionalProperties": False}
    problems = said(schema, {f"p{n}": n for n in range(9)})

    assert len(problems) == 6
    assert problems[0].startswith("`p0` is not a parameter here")
    assert problems[0].endswith("allowed: nothing.")
    assert problems[-1] == "Further problems: 4."


def test_long_values_and_names_are_clipped() -> None:
    schema = {
        "type": "object",
        "properties": {"p": {"enum": [f"choice {n}" for n in range(500)]}},
        "additionalProperties": False,
    }

    assert all(len(text) < 400 for text in said(schema, {"p": "x" * 9000, "q" * 9000: 1}))


# Rules


@pytest.mark.parametrize(
    ("part", "good", "bad", "code"),
    [
        ({"type": "string"}, "x", 5, "wrong_type"),
        ({"type": ["string", "null"]}, None, 5, "wrong_type"),
        ({"type": "integer"}, 5.0, 5.5, "wrong_type"),
        ({"type": "integer"}, 5, True, "wrong_type"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, None, 5, "wrong_type"),
        ({"const": 1}, 1, True, "not_allowed"),
        ({"enum": [None, {"a": 1}]}, {"a": 1}, "a", "not_allowed"),
        ({"minimum": 1, "exclusiveMaximum": 5}, 1, 5, "breaks_rule"),
        ({"exclusiveMinimum": True, "minimum": 1}, 2, 1, "breaks_rule"),
        ({"multipleOf": 0.5}, 2.5, 2.25, "breaks_rule"),
        ({"minLength": 2, "maxLength": 3}, "한글", "한", "breaks_rule"),
        ({"pattern": "^a+$"}, "aa", "b", "breaks_rule"),
        ({"uniqueItems": True}, [1, 2], [1, 1], "breaks_rule"),
        ({"minItems": 1}, [1], [], "breaks_rule"),
        ({"prefixItems": [{"type": "string"}], "items": False}, ["x"], ["x", 1], "breaks_rule"),
        ({"items": [{"type": "string"}], "additionalItems": False}, ["x"], ["x", 1], "breaks_rule"),
        ({"contains": {"const": 1}}, [0, 1], [0], "breaks_rule"),
        ({"not": {"type": "string"}}, 1, "x", "breaks_rule"),
        ({"oneOf": [{"minimum": 1}, {"minimum": 5}]}, 2, 6, "breaks_rule"),
        ({"allOf": [{"type": "string"}, {"minLength": 1}]}, "x", "", "breaks_rule"),
        ({"if": {"minimum": 5}, "then": {"multipleOf": 2}}, 6, 7, "breaks_rule"),
        ({"propertyNames": {"maxLength": 1}}, {"a": 1}, {"ab": 1}, "breaks_rule"),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1, "b": 2}, {"a": 1}, "breaks_rule"),
        (
            {"patternProperties": {"^x": {"type": "string"}}},
            {"x1": "s", "y": 1},
            {"x1": 1},
            "wrong_type",
        ),
        ({"additionalProperties": {"type": "string"}}, {"a": "s"}, {"a": 1}, "wrong_type"),
        (
            {"patternProperties": {"^x": {}}, "additionalProperties": False},
            {"x1": 1},
            {"y": 1},
            "unexpected",
        ),
        (False, ..., 1, "breaks_rule"),
    ],
)
def test_the_rules_of_json_schema_hold(part: object, good: object, bad: object, code: str) -> None:
    assert good is ... or codes(part, good) == []
    assert codes(part, bad) == [code]


def test_the_branch_that_fits_the_kind_of_the_value_says_what_is_wrong() -> None:
    part = {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]}

    assert said(of_property(part), {"p": [1, "x"]}) == [
        '`p[1]` is "x", but has to be of type integer (rule `type`).'
    ]


def test_references_within_the_schema_are_followed() -> None:
    tree = {
        "type": "object",
        "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/tree"}}},
    }
    schema = {
        "type": "object",
        "properties": {"root": {"$ref": "#/$defs/tree"}, "a~b/c": {"$ref": "#/properties/x%"}},
        "$defs": {"tree": {**tree, "required": ["name"]}},
    }

    assert said(schema, {"root": {"name": "r", "kids": [{"name": "k"}, {}]}}) == [
        "`root.kids[1].name` is missing, but is needed (rule `required`)."
    ]


# The conversion


@pytest.mark.parametrize(
    ("part", "text", "number"),
    [
        ({"type": "integer"}, "5", 5),
        ({"type": "integer"}, "-12", -12),
        ({"type": "number"}, "5", 5),
        ({"type": "number"}, "-2.75", -2.75),
        ({"type": ["integer", "null"]}, "0", 0),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "7", 7),
    ],
)
def test_a_text_that_spells_a_plain_number_becomes_it_where_only_a_number_will_do(
    part: object, text: str, number: float
) -> None:
    given = {"p": text}
    checked = check_arguments(of_property(part), given)  # type: ignore[arg-type]

    assert checked.problems == ()
    assert repr(checked.arguments["p"]) == repr(number)
    assert given == {"p": text}


@pytest.mark.parametrize(
    "text", ["", " 5", "5 ", "+5", "007", "1e3", "5,0", "٥", "NaN", "0x10", "5" * 30]
)
def test_other_texts_are_no_numbers(text: str) -> None:
    assert codes({"type": "number"}, text) == ["wrong_type"]


def test_a_fraction_is_no_integer_and_a_text_stays_one_where_texts_are_allowed() -> None:
    assert codes({"type": "integer"}, "5.0") == ["wrong_type"]
    assert check_arguments(of_property({"type": ["string", "integer"]}), {"p": "5"}).arguments == {
        "p": "5"
    }


def test_a_converted_number_is_still_checked() -> None:
    assert said(of_property({"type": "integer", "maximum": 10}), {"p": "50"}) == [
        "`p` is 50, which breaks the rule `maximum`: 10."
    ]


def test_numbers_are_converted_inside_too() -> None:
    schema = of_property({"type": "array", "items": of_property({"type": "integer"})})

    assert check_arguments(schema, {"p": [{"p": "1"}, {"p": 2}]}).arguments == {
        "p": [{"p": 1}, {"p": 2}]
    }
