"""Each planted bug is shown by a recipe, in as few lines as do; without the bug all is well."""

import pytest

from tests.table import recipe
from tests.table.planted_bugs import PLANTED
from tests.table.recipe import BadRecipeError, Recipe

RECIPES = {
    file.stem: recipe.read(file.read_text(), file.name) for file in recipe.FOLDER.glob("*.txt")
}
each = pytest.mark.parametrize("name", sorted(RECIPES))


def plant(name: str, monkeypatch: pytest.MonkeyPatch) -> Recipe:
    """Plant the bug of a recipe; return the recipe."""
    PLANTED[RECIPES[name].breaks](monkeypatch)
    return RECIPES[name]


def test_each_planted_bug_has_its_recipe() -> None:
    planted = {bug.__name__: breaks for breaks, bug in PLANTED.items()}
    assert {name: read.breaks for name, read in RECIPES.items()} == planted


@each
def test_recipe_shows_its_planted_bug(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError, match=f"^{RECIPES[name].breaks}"):
        recipe.follow(plant(name, monkeypatch))


@each
def test_recipe_passes_without_the_bug(name: str) -> None:
    table = recipe.follow(RECIPES[name])
    again = recipe.write(table, RECIPES[name].bug, RECIPES[name].breaks)
    assert again == RECIPES[name]
    assert str(again) == (recipe.FOLDER / f"{name}.txt").read_text()


@each
def test_every_line_of_a_recipe_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = plant(name, monkeypatch)
    for index in range(len(whole.lines)):
        fewer = whole._replace(lines=whole.lines[:index] + whole.lines[index + 1 :])
        assert not recipe.shows(fewer), f"it shows the bug without line {index + 1} too"


def test_a_long_recipe_is_made_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    short = plant("keeps_what_it_voids", monkeypatch)
    idle = ("dan sits out", "cyd plays", "dan tops up with $5.00")
    longer = short._replace(lines=tuple(each for line in short.lines for each in (*idle, line)))
    assert recipe.shows(longer)
    assert recipe.shorten(longer) == short


EVERY_LINE = """\
Bug: none
Breaks: nothing
Rulebook: california
Silent players: play
Shuffle seed: 7

ann sits at place 1 with $400.00
bob sits at place 3 with $1,400.00
cyd sits at place 0 with $10,000,000.00
cyd sits at place 5 with $20.00
bob sits out
bob comes back
the floor marks place 3 as away
the floor brings back place 3
dan sits as a bot at place 7 with $100.00
the floor stops the clock
ann tops up with $0.01
the clock reaches the deadline
ann declines the bank
cyd asks for the bank
bob takes the bank with $90.00
bob takes the bank with $90.00 in round 4
ann declines the bank in round 1
ann adds the seed "é lucky"
ann adds the seed "" in round 0
ann bets −$0.01 on ante in round -1
ann bets $5.00 on ante, $5.00 on bonus
ann bets $1.00 on split 1 3, $2.00 on red and is ready
ann takes the bets back
ann commits to a seed
ann bets $5.00 on ante and is ready
the command 1 back is sent again
the command 4 back is sent again
499 ms pass
the clock reaches the deadline
ann shows the seed
ann plays
cyd folds
the clock is set 7000 ms on
the clock is set 90000 ms back
the floor voids the round
ann voids the round without a reason
the floor sets the limit to $7.00 and the pause to 250 ms
ann sets the limit to $5.00 and the pause to 0 ms
the floor announces the limit $7.00 and the pause 250 ms
the floor withdraws the change
the floor rules exposed_player at place 3
the floor rules misdeal
the floor asks to correct by {"moves":{"3":"fold"},"wagers":{"1":[{"spot":"ante","cents":500}]}}
the floor asks to correct by {"void":true} in round 0
the floor approves correction 1
the floor rejects correction 1
ann leaves after the round
bob leaves now
ann closes the table
the floor closes the table
"""


def test_every_kind_of_line_is_read_and_written() -> None:
    table = recipe.follow(recipe.read(EVERY_LINE))
    assert str(recipe.write(table, "none", "nothing")) == EVERY_LINE
    said = {type(sent.command) for sent in table.sent}
    assert said >= {words.kind for words in recipe.WORDS}
    assert table.state.version > 15, "hardly anything was followed"


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("ann plays", "ann bluffs", "line 37: nobody can follow 'ann bluffs'"),
        ("ann plays", "ann plays in round one", "line 37: nobody"),
        ("ann plays", "", "line 37: nobody can follow ''"),
        ("ann sits at place 1", "eve sits at place 1", "line 7: nobody can follow 'eve sits"),
        ("with $400.00", "with 400", "line 7: nobody can follow"),
        ("the command 4 back", "the command 0 back", "line 33: nobody"),
        ("Rulebook: california", "Rulebook: chess", "line 3: there is no rulebook 'chess'"),
        ("Silent players: play", "Silent players: sing", "line 4: 'sing' is not play or fold"),
        ("Shuffle seed: 7", "Shuffle seed: x", "line 5: 'x' is not a number"),
        ("Shuffle seed: 7", "Cards: 7", "line 5: this should start with 'Shuffle seed: '"),
        ("seed: 7\n", "seed: 7\nann plays", "line 6: this should be empty"),
    ],
)
def test_bad_recipe_names_file_and_line(right: str, wrong: str, message: str) -> None:
    text = EVERY_LINE.replace(right, wrong, 1)
    assert text != EVERY_LINE
    with pytest.raises(BadRecipeError) as caught:
        recipe.read(text, "some.txt")
    assert str(caught.value).startswith(f"some.txt, {message}")
