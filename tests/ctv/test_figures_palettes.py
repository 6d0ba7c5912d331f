"""Colours of figures, as people see them who lack one kind of cone: no two curves look alike."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from ctv.figures import bounds, ladder, rivals, sweep
from ctv.figures.canvas import COLOURS, colour_of
from ctv.figures.runs import coverage, sentences
from own_runs.figures import bundled as stopping
from simulation.policies.registry import policies

# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
LACKING = {
    "protan": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deutan": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritan": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}
TO_XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
WHITE = np.array([0.9505, 1.0, 1.089])
APART = 10.0
"""Distance ΔE in CIELAB at which two thin lines are told apart."""


def seen(colour: str, lacking: str) -> np.ndarray:
    """A colour in CIELAB after the loss of a kind of cone."""
    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    left = np.clip(np.array(LACKING[lacking]) @ linear, 0.0, 1.0)
    share = np.array(TO_XYZ) @ left / WHITE
    f = np.where(share > 0.008856, np.cbrt(share), 7.787 * share + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def close(colours: dict[str, tuple[str, object]]) -> list[tuple[str, str, str]]:
    """Pairs of one look (dashes or mark) whose colours cannot be told apart."""
    return [
        (lacking, one, other)
        for lacking in LACKING
        for one, other in combinations(colours, 2)
        if colours[one][1] == colours[other][1]
        and np.linalg.norm(seen(colours[one][0], lacking) - seen(colours[other][0], lacking))
        < APART
    ]


PALETTES = {
    "rivals": {name: (colour, str(dashes)) for name, (_, colour, dashes) in rivals._STYLES.items()},
    "sweep": {name: (colour_of(name), str(dashes)) for name, dashes in sweep._DASHES.items()},
    "policies": {name: (policy.colour, str(policy.dashes)) for name, policy in policies().items()},
    "bounds": {
        "asked": (bounds._ASKED, ""),
        "any": (bounds._ANY, ""),
        "other": (bounds._OTHER, ""),
        "mean": (bounds._MEAN, ""),
        "floor": (COLOURS["floor"], ">"),
    },
    "ladder": {c: (c, "") for c in (ladder._GROUND, ladder._LOSS, ladder._WORST)},
    "coverage": {name: (colour, "") for name, colour in coverage._COLOURS.items()},
    "stopping": {colour: (colour, "") for colour in stopping._COLOURS},
    "sentences": {str(o): look for o, look in sentences._LOOKS.items()},
}


@pytest.mark.parametrize("figure", PALETTES)
def test_curves_are_told_apart_without_one_kind_of_cone(figure: str) -> None:
    assert close(PALETTES[figure]) == []


def test_what_looks_alike_is_found() -> None:
    assert ("deutan", "red", "green") in close({"red": ("#c46a50", ""), "green": ("#949450", "")})


def test_what_others_register_has_a_colour_of_its_own() -> None:
    assert colour_of("mine") == colour_of("mine") not in COLOURS.values()
