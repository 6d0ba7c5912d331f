"""What policies are called that bounds on regret are about, by the names of their options."""

from __future__ import annotations

import re

TITLES = {
    "block-schedule": "Block schedule",
    "ctv-fixed": "CTV-fixed",
    "greedy-blocks": "Greedy blocks",
    "irgp-ucb": "IRGP-UCB",
    "posterior-mean": "Posterior mean",
    "random-weight-ucb": "Random-weight UCB",
    "scheduled": "Scheduled exploration",
    "ts": "Thompson sampling",
}


def policy_in_words(name: str) -> str:
    """A policy by its title; what follows the name of its option stays.

    >>> [policy_in_words(name) for name in ("ctv-fixed, exploration theory", "ts", "random")]
    ['CTV-fixed, exploration theory', 'Thompson sampling', 'random']
    """
    return re.sub(r"^[a-z-]+", lambda match: TITLES.get(match[0], match[0]), name)
