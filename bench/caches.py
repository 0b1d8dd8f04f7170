"""Find and clear every cache of functools in the package, also one that is added later.

Caches are looked up in the imported modules at the moment of clearing: cached functions, cached
methods of classes, and the values that cached properties left on living objects. A cache of another
kind (a dict, say) is not found here; the counters of `bench.measure` notice it.
"""

import gc
import sys
from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from types import ModuleType
from typing import Any, NamedTuple

__all__ = ["Cache", "clear_caches", "find_caches"]

PACKAGE = "queenhigh"


class Cache(NamedTuple):
    """A cached function or method: its name, the module that defines it, how to clear it."""

    name: str
    module: str
    clear: Callable[[], object]


def clear_caches(*, keep: Collection[str] = (), package: str = PACKAGE) -> None:
    """Clear all caches, except those that the modules in ``keep`` define."""
    for cache in find_caches(package):
        if cache.module not in keep:
            cache.clear()
    _forget_properties(package, keep)


def find_caches(package: str = PACKAGE) -> list[Cache]:
    """Return the cached functions and methods of the imported modules, each once."""
    caches = {
        id(function): Cache(f"{module}.{name}", module, function.cache_clear)
        for name, value, module in _values(package)
        if (function := _cached(value)) is not None
    }
    return sorted(caches.values(), key=lambda cache: cache.name)


def _modules(package: str) -> Iterator[ModuleType]:
    for name, module in list(sys.modules.items()):
        if isinstance(module, ModuleType) and (name == package or name.startswith(f"{package}.")):
            yield module


def _values(package: str) -> Iterator[tuple[str, object, str]]:
    """Yield what modules and their classes define: the name, the value, the defining module."""
    for module in _modules(package):
        for name, value in list(vars(module).items()):
            home = getattr(value, "__module__", None)
            yield name, value, home if isinstance(home, str) else module.__name__
    for each in _classes(package):
        for name, value in list(vars(each).items()):
            yield f"{each.__qualname__}.{name}", value, each.__module__


def _classes(package: str) -> set[type]:
    """Return the classes that the package's modules define, also those inside classes."""
    classes: set[type] = set()
    waiting = [value for module in _modules(package) for value in list(vars(module).values())]
    while waiting:
        value = waiting.pop()
        if isinstance(value, type) and value not in classes and _is_of(package, value):
            classes.add(value)
            waiting += vars(value).values()
    return classes


def _is_of(package: str, kind: type) -> bool:
    return kind.__module__ == package or kind.__module__.startswith(f"{package}.")


def _cached(value: object) -> Any:
    """Return the cached function in a value, behind any wrappers, or None."""
    seen: set[int] = set()
    while value is not None and id(value) not in seen:
        seen.add(id(value))
        own = getattr(value, "__dict__", {}) if callable(value) else {}
        if hasattr(type(value), "cache_clear") or "cache_clear" in own:
            return value
        if isinstance(value, property):
            value = value.fget
        elif isinstance(value, staticmethod | classmethod):
            value = value.__func__
        else:
            value = own.get("__wrapped__")
    return None


def _forget_properties(package: str, keep: Collection[str]) -> None:
    """Remove the values of cached properties from all living objects of the package."""
    names = {
        each: [name for base in each.__mro__ for name, value in vars(base).items()
               if isinstance(value, cached_property)]
        for each in _classes(package) if each.__module__ not in keep
    }  # fmt: skip
    names = {each: cached for each, cached in names.items() if cached}
    for thing in gc.get_objects():
        for name in names.get(type(thing), ()):
            vars(thing).pop(name, None)
