"""Text that others see has no hidden characters."""

from collections.abc import Iterator

import pytest

from queenhigh.server.text import check_plain, is_plain, mixes_scripts
from tests.server.running_server import RunningServer

HIDDEN = {
    "NUL": "\0",
    "line break": "\n",
    "override": "\u202e",
    "isolate": "\u2066",
    "mark": "\u200f",
    "zero width": "\u200b",
    "byte order": "\ufeff",
    "private": "\ue000",
    "unassigned": "\u0378",
    "separator": "\u2028",
    "tag": "\U000e0041",
    "Hangul filler": "\u3164",
    "choseong filler": "\u115f",
    "jungseong filler": "\u1160",
    "half-width filler": "\uffa0",
    "empty Braille": "\u2800",
    "grapheme joiner": "\u034f",
    "Khmer vowel": "\u17b4",
    "Mongolian selector": "\u180b",
    "Mongolian separator": "\u180e",
    "lone joiner": "\u200d ",
    "two joiners": "\u200d\u200d",
    "two selectors": "\ufe0f\ufe0f",
    "lone selector": " \ufe0f",
}


@pytest.mark.parametrize("hidden", HIDDEN.values(), ids=HIDDEN)
def test_hidden_characters_are_found_anywhere(hidden: str) -> None:
    assert not is_plain(f"Ann{hidden}'s")
    for value in ({"title": f"a{hidden}"}, {"a": [{"b": f"{hidden}c"}]}, {f"k{hidden}": 1}):
        with pytest.raises(ValueError, match="invisible characters"):
            check_plain(value)


@pytest.mark.parametrize(
    "text",
    [
        "Ann's table",
        "Zoë",
        "\u0627\u06cc\u0631\u0627\u0646\u200c\u0647\u0627",
        "\u65e5\u672c",
        "\u2660 \u2665",
        "1\u20132",
        "\U0001f468\u200d\U0001f469",
        "\u2665\ufe0f",
        "1\ufe0f\u20e3",
        "\U0001f3f3\ufe0f\u200d\U0001f308",
        "\U0001f468\U0001f3fd\u200d\U0001f4bb",
        "\u0915\u094d\u200d\u0937",
        "\ud55c\uae00",
        "",
    ],
)
def test_ordinary_text_is_plain(text: str) -> None:
    assert is_plain(text)
    assert check_plain({"title": text}) == {"title": text}


@pytest.mark.parametrize("text", [" ", "\u3000", "\u0301", "\u200d", "\ufe0f", "\u00a0 "])
def test_invisible_text_is_refused(text: str) -> None:
    assert not is_plain(text)
    with pytest.raises(ValueError, match="invisible characters"):
        check_plain({"title": text})


def test_names_mix_no_scripts_that_look_alike() -> None:
    assert mixes_scripts("\u0415ve")
    assert not mixes_scripts("\u0415\u0432\u0430 2")
    assert not mixes_scripts("Zo\u00eb \u65e5\u672c")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with RunningServer(tmp_path_factory.mktemp("room") / "room.db") as made:
        yield made


@pytest.mark.parametrize("hidden", ["\0", "\u202e", "\u3164"], ids=["NUL", "override", "filler"])
def test_titles_reasons_and_notices_are_checked(served: RunningServer, hidden: str) -> None:
    text = f"Ann{hidden}'s"
    with served.http(served.guest("Ann")[1]) as client:
        spec = {"name": "mine", "rulebook": "house", "set": {"title": text}}
        answer = client.post("/api/tables", json=spec)
        assert (answer.status_code, answer.json()["code"]) == (422, "request.invalid")
        assert "invisible characters" in answer.json()["message"]
        assert client.post("/api/guests", json={"name": text}).status_code == 400
    with served.floor() as floor:
        assert floor.post("/api/floor/notices", json={"text": text}).status_code == 422
        close = floor.post("/api/floor/tables/house/close", json={"reason": text})
        assert close.status_code == 422


def test_a_table_is_not_named_like_another(served: RunningServer) -> None:
    with served.http(served.guest("Bob")[1]) as client:

        def open_table(name: str) -> tuple[int, str]:
            answer = client.post("/api/tables", json={"name": name, "rulebook": "house"})
            return answer.status_code, answer.json().get("code", "")

        for name in ("HOUSE", "house.", "\uff48ouse"):
            assert open_table(name) == (409, "table.exists")
        assert open_table("hous\u0435") == (422, "request.invalid"), "mixed scripts"
        assert open_table("House 2") == (201, "")
