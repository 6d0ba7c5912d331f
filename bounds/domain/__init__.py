"""The finite set D over which the bandit searches, and a kernel restricted to it."""

from bounds.domain.arms import Arms
from bounds.domain.base import Domain, FiniteKernel
from bounds.domain.encoding import DomainData, domain_data, domain_from_data
from bounds.domain.grid import LARGEST_DIMENSION, LARGEST_GRID, Grid, usual_grid
from bounds.domain.points import LARGEST_POINTS, Points, read_points, sobol_points

__all__ = [
    "LARGEST_DIMENSION",
    "LARGEST_GRID",
    "LARGEST_POINTS",
    "Arms",
    "Domain",
    "DomainData",
    "FiniteKernel",
    "Grid",
    "Points",
    "domain_data",
    "domain_from_data",
    "read_points",
    "sobol_points",
    "usual_grid",
]
