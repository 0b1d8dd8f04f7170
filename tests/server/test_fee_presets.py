"""Fees at players' own tables come from presets that the operator allows (CA-8)."""

from pathlib import Path
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.server.fee_presets import BUILT_IN, check_fees, presets_of, read_presets
from tests.server.running_server import RunningServer

PRESETS = """
[cheap]
title = "A quarter"
rates = [{ min = 500, max = 100000, player = 25, banker = 50 }]

[kinds]
title = "By kind"
fee_per = "kind"
collect = "after"
rates = [
  { on = "ante", min = 500, max = 100000, player = 100, banker = 200 },
  { on = "play", player = 50, banker = 0 },
]
"""


def refusal(changes: dict[str, Any], chosen: str | None = None) -> str:
    with pytest.raises(qh.QueenhighError) as caught:
        check_fees(qh.load("california", changes), BUILT_IN, chosen)
    return f"{caught.value.code}: {caught.value}"


def test_fees_of_a_players_own_are_refused_by_clause() -> None:
    for changes in ({"fees.rates.0.player": 100_000}, {"fee_per": "wager"}, {"collect": "after"}):
        assert refusal(changes).startswith("fees.own: fees at your own table must be")
        assert "posted, free" in refusal(changes)
        assert "CA-8" in refusal(changes)


def test_unknown_preset_is_refused_with_the_choices() -> None:
    assert refusal({}, "dear") == "fees.preset: there is no preset 'dear': choose posted, free"


def test_presets_are_posted_with_their_rates(tmp_path: Path) -> None:
    file = tmp_path / "fees.toml"
    file.write_text(PRESETS)
    cheap, kinds = presets_of(read_presets(file))
    assert [(rate["player"], rate["banker"]) for rate in cheap.fees] == [(25, 50)]
    assert (kinds.fee_per, kinds.collect) == ("kind", "after")
    assert [rate["on"] for rate in kinds.fees] == ["ante", "play"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "there are no presets"),
        ("a = " + "[" * 5000, "not TOML"),
        ("[a]\ntitle = 3", "a.title"),
        ('[a]\ntitle = "x"\nrates = [{ min = 500, max = 900, player = "1%", banker = 0 }]', "1%"),
        ('[a]\ntitle = "x"\nrates = []', "there are no fees"),
    ],
)
def test_wrong_presets_are_explained(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "fees.toml"
    file.write_text(text)
    with pytest.raises(qh.QueenhighError, match=why):
        read_presets(file)


def test_guest_chooses_a_preset_and_no_fees_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "fees.toml"
    file.write_text(PRESETS)
    own = {"name": "mine", "rulebook": "california"}
    with (
        RunningServer(tmp_path / "room.db", fees=str(file)) as served,
        served.http(served.guest("Max")[1]) as client,
    ):
        assert [line["name"] for line in client.get("/api/fee-presets").json()] == [
            "cheap",
            "kinds",
        ]
        dear = {**own, "set": {"fees.rates.0.player": 100_000}}
        answer = client.post("/api/tables", json=dear)
        assert (answer.status_code, answer.json()["code"]) == (400, "fees.own")
        for limit, clause in (({"seats": 16}, "CA-2"), ({"fees.max_rates": 4}, "CA-7")):
            answer = client.post("/api/tables", json={**own, "set": limit})
            assert answer.status_code == 400
            assert clause in answer.text
        assert client.post("/api/tables", json={**own, "fees": "cheap"}).status_code == 201
        view = client.get("/api/tables/mine").json()
        assert [rate["player"] for rate in view["fees"]] == [25]
        assert "table_chips" not in view["settings"]
