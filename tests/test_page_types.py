"""The page's types of what the server sends are generated, and the generated files are fresh."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

WEB = Path(__file__).parent.parent / "web"


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_types", WEB / "generate_types.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_types_are_fresh(generator: ModuleType) -> None:
    expected = generator.generated()
    written = {file.name: file.read_text("utf-8") for file in (WEB / "src" / "generated").iterdir()}
    assert written == expected, "run `python web/generate_types.py`"


def test_every_type_that_is_named_is_generated(generator: ModuleType) -> None:
    for text in generator.generated().values():
        declared = set(re.findall(r"^export (?:interface|type) (\w+)", text, re.MULTILINE))
        named = set(re.findall(r"\b[A-Z]\w+", re.sub(r'"[^"]*"|/\*.*?\*/', "", text)))
        assert named - declared <= {"Record"}
