"""A list of objects by name, in the order of reports, that packages of strangers may add to.

An object joins by `register`, or by an entry point in the package that brings it: the group is
that of the registry, and what the entry point names is the object, or its class without arguments.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Generic, Protocol, TypeVar

from bounds.errors import InvalidInput, shortened


class Named(Protocol):
    """What a registry lists."""

    @property
    def name(self) -> str:
        """As in JSON."""

    @property
    def title(self) -> str:
        """What tables and figures call it."""


Entry = TypeVar("Entry", bound=Named)


class Registry(Generic[Entry]):
    """Objects by their names; entry points are looked for when the list is first asked for.

    Parameters
    ----------
    kind : the type of what is listed
    noun : what an error calls it
    group : of the entry points

    Raises InvalidInput where a name is taken, and for an entry point that brings something else.
    """

    def __init__(self, kind: type[Entry], noun: str, group: str) -> None:
        self._kind, self._noun, self._group = kind, noun, group
        self._entries: dict[str, Entry] = {}
        self._asked_others = False

    def register(self, entry: Entry) -> Entry:
        """List the object from now on; returns it. InvalidInput where its name is taken."""
        if entry.name in self._entries:
            remedy = "is registered already: choose another name"
            raise InvalidInput(self._noun, entry.name, remedy)
        self._entries[entry.name] = entry
        return entry

    def unregister(self, name: str) -> None:
        """Take an object off the list again."""
        self._entries.pop(name, None)

    def all(self) -> tuple[Entry, ...]:
        """Every object, those of entry points behind the others."""
        if not self._asked_others:
            self._asked_others = True
            for entry in entry_points(group=self._group):
                plugin = entry.load()
                plugin = plugin() if isinstance(plugin, type) else plugin
                if not isinstance(plugin, self._kind):
                    remedy = f"the entry point {entry.name} of {self._group} names no such object"
                    raise InvalidInput(self._noun, shortened(repr(plugin)), remedy)
                self.register(plugin)
        return tuple(self._entries.values())

    def named(self, name: str) -> Entry | None:
        """The object of that name; None where none has it."""
        self.all()
        return self._entries.get(name)

    def names(self) -> tuple[str, ...]:
        """Their names, as in JSON."""
        return tuple(entry.name for entry in self.all())

    def titles(self) -> dict[str, str]:
        """What tables and figures call each, by name."""
        return {entry.name: entry.title for entry in self.all()}
