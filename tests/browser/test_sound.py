"""The twelve sounds, made by the browser's own audio engine."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

WEB = Path(__file__).parents[2] / "web"
NAMES = {
    "card", "turn", "chip", "stack", "sweep", "win", "push", "tick", "turn_to_act", "ball", "drop",
    "bell",
}  # fmt: skip
#: Renders a sound as loud as the page plays it; returns its peak and when it was last heard.
RENDER = """async (name) => {
    const rate = 44100;
    const context = new OfflineAudioContext(1, 5 * rate, rate);
    const output = new GainNode(context, { gain: 0.3 });
    output.connect(context.destination);
    window.recipes.start(context, output, name, 0);
    const samples = (await context.startRendering()).getChannelData(0);
    const heard = samples.map(Math.abs);
    const peak = heard.reduce((most, sample) => Math.max(most, sample), 0);
    const last = heard.findLastIndex((sample) => sample > 0.001);
    return { peak, seconds: last / rate };
}"""


@pytest.fixture
def recipes(tmp_path: Path) -> str:
    """Return the recipes as a browser reads them."""
    source = "src/lib/senses/recipes.ts"
    options = ["--target", "es2022", "--module", "esnext", "--noCheck"]
    command = [sys.executable, str(WEB / "npm.py"), "exec", "--", "tsc", source, *options]
    subprocess.run([*command, "--outDir", str(tmp_path)], check=True)
    return (tmp_path / "recipes.js").read_text("utf-8")


@pytest.mark.full
def test_every_sound_is_heard_and_none_clips(browser: Browser, recipes: str) -> None:
    page = browser.new_page()
    publish = "\nwindow.recipes = { RECIPES, start };"
    page.add_script_tag(content=recipes + publish, type="module")
    page.wait_for_function("() => window.recipes")
    names = page.evaluate("Object.keys(window.recipes.RECIPES)")
    assert set(names) == NAMES
    heard: dict[str, dict[str, Any]] = {name: page.evaluate(RENDER, name) for name in names}
    page.close()
    for name, sound in heard.items():
        assert 0.02 < sound["peak"] < 0.5, f"{name}: {sound}"
        assert 0 < sound["seconds"] < 4.5, f"{name}: {sound}"
