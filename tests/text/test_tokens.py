"""What a word is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolsearch_core.text.tokens import is_stop_word, name_words, neighbours, tokenize


def terms(text: str, *, joined: bool = False) -> list[str]:
    return [token.term for token in tokenize(text) if token.joined == joined]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("getHTTPResponse2", ["get", "http", "response", "2"]),
        ("XMLParserV2", ["xml", "parser", "v", "2"]),
        ("addPerson", ["add", "person"]),
        ("AddPerson", ["add", "person"]),
        ("list_all_users", ["list", "all", "users"]),
        ("__private__name", ["private", "name"]),
        ("oauth2-client-reset", ["oauth", "2", "client", "reset"]),
        ("math.factorial", ["math", "factorial"]),
        ("bitable_v1_appTableRecord_search", "bitable v 1 app table record search".split()),
        ("listURLs", ["list", "urls"]),
        ("getIDsOfPRs", ["get", "ids", "of", "prs"]),
        ("HTMLToPDF", ["html", "to", "pdf"]),
        ("ÜberprüfeÄnderung", ["uberprufe", "anderung"]),
        ("получитьПогоду", ["получить", "погоду"]),
        ("S3Bucket", ["s", "3", "bucket"]),
        ("GETHTTPRESPONSECODE", ["gethttpresponsecode"]),
        ("", []),
        ("!?", []),
    ],
)
def test_names_are_taken_apart_at_every_boundary(name: str, parts: list[str]) -> None:
    assert name_words(name) == parts


def test_the_whole_identifier_stays_a_token_beside_its_parts() -> None:
    assert terms("getHTTPResponse2") == ["get", "http", "respons", "2"]
    assert terms("getHTTPResponse2", joined=True) == ["gethttpresponse2"]
    assert terms("gethttpresponse2")[0] in terms("getHTTPResponse", joined=True)
    assert terms("weather", joined=True) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("repositories", "repository"),
        ("Issues", "ISSUE"),
        ("running", "run"),
        ("café", "CAFE"),
        ("Straße", "strasse"),
        ("Łódź", "lodz"),
        ("İstanbul", "istanbul"),
        ("ｆｕｌｌｗｉｄｔｈ", "fullwidth"),
        ("ﬁle", "file"),
        ("погоду", "Погода"),
        ("Ёлка", "елка"),
        ("user's", "user"),
        ("user’s", "users"),
        ("½ day", "1/2 day"),
        ("가", "\u1100\u1161"),
    ],
)
def test_forms_of_a_word_are_one_term(one: str, other: str) -> None:
    assert terms(one) == terms(other) != []


def test_scripts_without_spaces_become_pairs() -> None:
    assert terms("날씨를 알려줘") == ["날씨", "씨를", "알려", "려줘"]
    assert terms("天气预报") == ["天", "气", "预", "报", "天气", "气预", "预报"]
    assert terms("カレンダー") == ["カレ", "レン", "ンダ", "ダー"]
    assert terms("글") == ["글"]


def test_words_beside_other_scripts_stay_whole() -> None:
    assert terms("GitHub에서 이슈") == ["git", "hub", "에서", "이슈"]
    assert terms("GitHub에서 이슈", joined=True) == ["github"]
    assert terms("हिन्दी में") == ["हिन्दी", "में"]


def test_the_names_of_two_languages_keep_their_signs() -> None:
    assert terms("C++ or C#, not c") == ["c++", "or", "c#", "not", "c"]


def test_neighbouring_words_may_be_one_word() -> None:
    assert [token.term for token in neighbours("to do list")] == ["todo", "dolist"]
    assert terms("todo")[0] == neighbours("to do")[0].term
    assert neighbours("날씨 알려줘") == []


def test_stop_words_are_known_in_any_form() -> None:
    assert all(is_stop_word(token) for token in tokenize("The, WHAT's of and I'd don’t"))
    assert not any(is_stop_word(token) for token in tokenize("get set time id list 날씨"))


def test_encoded_data_is_clipped() -> None:
    (token,) = tokenize("x" * 5_000)

    assert len(token.surface) == 100


@given(st.text())
def test_any_text_gives_terms_that_can_be_written(text: str) -> None:
    for token in tokenize(text) + neighbours(text):
        assert token.term
        assert token.term == token.term.strip()
        assert tokenize(text) == tokenize(text)


@given(st.text(alphabet=st.characters(exclude_categories=[]), max_size=30))
def test_half_characters_are_no_words(text: str) -> None:
    assert not any("\ud800" <= char <= "\udfff" for t in tokenize(text) for char in t.term)


@given(st.lists(st.sampled_from(["alpha", "beta", "gamma"]), min_size=1, max_size=4))
def test_all_ways_to_write_a_name_have_the_same_words(parts: list[str]) -> None:
    camel = parts[0] + "".join(part.title() for part in parts[1:])
    written = ["_".join(parts), "-".join(parts), ".".join(parts), " ".join(parts), camel]

    assert all(name_words(name) == parts for name in written)
