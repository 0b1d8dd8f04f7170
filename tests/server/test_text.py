"""Text that is shown to others hides nothing."""

from collections.abc import Iterator

import pytest

from queenhigh.server.text import check_plain, is_plain
from tests.server.served import Served

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
}


@pytest.mark.parametrize("hidden", HIDDEN.values(), ids=HIDDEN)
def test_hidden_characters_are_found_anywhere(hidden: str) -> None:
    assert not is_plain(f"Ann{hidden}'s")
    for value in ({"title": f"a{hidden}"}, {"a": [{"b": f"{hidden}c"}]}, {f"k{hidden}": 1}):
        with pytest.raises(ValueError, match="cannot be seen"):
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
    ],
)
def test_what_people_write_is_plain(text: str) -> None:
    assert is_plain(text)
    assert check_plain({"title": text}) == {"title": text}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("room") / "room.db") as made:
        yield made


@pytest.mark.parametrize("hidden", ["\0", "\u202e"], ids=["NUL", "override"])
def test_titles_reasons_and_notices_are_checked(served: Served, hidden: str) -> None:
    text = f"Ann{hidden}'s"
    with served.http(served.guest("Ann")[1]) as client:
        spec = {"name": "mine", "rulebook": "house", "set": {"title": text}}
        answer = client.post("/api/tables", json=spec)
        assert (answer.status_code, answer.json()["code"]) == (422, "request.invalid")
        assert "cannot be seen" in answer.json()["message"]
        assert client.post("/api/guests", json={"name": text}).status_code == 400
    with served.floor() as floor:
        assert floor.post("/api/floor/notices", json={"text": text}).status_code == 422
        close = floor.post("/api/floor/tables/house/close", json={"reason": text})
        assert close.status_code == 422
