"""Every policy, in the order in which tables list them.

A policy of one's own joins by `register(Mine)`, or by an entry point of the group
`ctv_bounds.policies` in the package that brings it; with the latter every process knows it. Names
are known before a policy is loaded, so that help texts cost nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from bounds.errors import InvalidInput

if TYPE_CHECKING:
    from simulation.policies.base import Policy

    AnyPolicy = TypeVar("AnyPolicy", bound=type[Policy])

ENTRY_POINTS = "ctv_bounds.policies"

_BUILT_IN = {
    "gp-ucb": "upper_confidence:GpUcb",
    "tv": "upper_confidence:TimeVarying",
    "ctv": "upper_confidence:Ctv",
    "ctv-simple": "upper_confidence:CtvSimple",
    "ctv-fixed": "upper_confidence:CtvFixed",
    "ts": "randomised:ThompsonSampling",
    "random-weight-ucb": "randomised:RandomWeightUcb",
    "irgp-ucb": "randomised:IrgpUcb",
    "flat-ucb": "flat:FlatUcb",
    "predictive": "looking_on:PredictiveSampling",
    "look-ahead": "looking_on:LookAhead",
    "scheduled": "scheduled:Scheduled",
    "block-schedule": "scheduled:BlockSchedule",
    "greedy-blocks": "scheduled:GreedyBlocks",
    "dithered": "dithered:Dithered",
    "gp-ucb-as-released": "released:GpUcbAsReleased",
    "tv-as-released": "released:TimeVaryingAsReleased",
    "ctv-as-released": "released:CtvAsReleased",
    "ctv-simple-as-released": "released:CtvSimpleAsReleased",
    "random": "yardsticks:RandomChoice",
    "clairvoyant": "yardsticks:Clairvoyant",
}
"""Name ↦ file of this folder and class: a new policy is a file and a line here."""

_IN_PRINT = {"tv-gp-ucb": "tv"}
"""Names that a policy has in print, for whom asks for it by that."""

_LOADED: dict[str, type[Policy]] = {}


def names() -> tuple[str, ...]:
    """The names of all policies, those of entry points and those that were registered included.

    >>> names()[:2]
    ('gp-ucb', 'tv')
    """
    return tuple(dict.fromkeys((*_BUILT_IN, *_brought(), *_LOADED)))


@cache
def _brought() -> tuple[str, ...]:
    """Those of entry points; reading what is installed takes ten milliseconds."""
    return tuple(entry.name for entry in entry_points(group=ENTRY_POINTS))


def policies() -> Mapping[str, type[Policy]]:
    """Every policy by its name.

    >>> policies()["ctv-fixed"].title
    'CTV-fixed'
    """
    return MappingProxyType({name: policy_named(name) for name in names()})


def policy_named(name: str) -> type[Policy]:
    """The policy of that name; InvalidInput with the nearest one where there is none.

    >>> policy_named("tv").title
    'TV-GP-UCB'
    """
    if name in _LOADED:
        return _LOADED[name]
    if name in _BUILT_IN:
        file, _, policy = _BUILT_IN[name].partition(":")
        own: type[Policy] = getattr(import_module(f"simulation.policies.{file}"), policy)
        return register(own)
    for entry in entry_points(group=ENTRY_POINTS, name=name):
        brought: type[Policy] = entry.load()
        return register(brought)
    known = {policy: policy for policy in names()} | _IN_PRINT
    near = get_close_matches(name.lower(), known, n=1)
    hint = f"did you mean {known[near[0]]}? " if near else ""
    raise InvalidInput("policies", name, f"{hint}the policies are {', '.join(names())}")


def register(policy: AnyPolicy) -> AnyPolicy:
    """Let every command of this process know a policy; returns it, as a decorator does.

    Raises InvalidInput where another policy has its name, and for one without a name or a title.
    """
    for said in ("name", "title"):
        if not getattr(policy, said, ""):
            raise InvalidInput("policy", policy.__name__, f"give the class a {said}")
    known, name = _LOADED.get(policy.name), f"{policy.__module__}:{policy.__qualname__}"
    built_in = _BUILT_IN.get(policy.name)
    taken = known is not None and f"{known.__module__}:{known.__qualname__}" != name
    if taken or (built_in is not None and f"simulation.policies.{built_in}" != name):
        raise InvalidInput("policy", policy.name, "is the name of another: choose a new one")
    _LOADED[policy.name] = policy
    return policy


def forget(name: str) -> None:
    """Take a policy of one's own out again, as a test does."""
    _LOADED.pop(name, None)
