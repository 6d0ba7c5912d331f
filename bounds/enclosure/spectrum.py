"""Determinants and eigenvalues of small matrices, exact where their entries are."""

from __future__ import annotations

from typing import Any

import flint

from bounds.enclosure.numbers import (
    Matrix,
    Number,
    Undecided,
    ball,
    endpoints,
    interval,
    is_exact,
    number,
    simplest,
)


def determinant(matrix: Matrix) -> Number:
    """det of a square matrix, exact where its entries are."""
    rows = [[number(entry) for entry in row] for row in matrix]
    if all(is_exact(entry) for row in rows for entry in row):
        return simplest(flint.fmpq_mat(rows).det()) if rows else 1
    return flint.arb_mat([[ball(entry) for entry in row] for row in rows]).det()


def eigenvalues(matrix: Matrix) -> list[Number]:
    """Eigenvalues of a symmetric matrix, largest first, each enclosed; exact where diagonal."""
    rows = [[number(entry) for entry in row] for row in matrix]
    size = len(rows)
    if all(
        is_exact(rows[j][k]) and rows[j][k] == 0 for j in range(size) for k in range(size) if j != k
    ):
        diagonal = [rows[j][j] for j in range(size)]
        if all(is_exact(entry) for entry in diagonal):
            return sorted(diagonal, reverse=True)
    if all(is_exact(entry) for row in rows for entry in row):
        # Roots of the characteristic polynomial are isolated whatever their multiplicity.
        roots: Any = flint.fmpq_mat(rows).charpoly().numer().complex_roots()
        values = [root for root, multiplicity in roots for _ in range(multiplicity)]
    else:
        try:
            values = flint.acb_mat(flint.arb_mat([[ball(e) for e in row] for row in rows])).eig(
                multiple=True
            )
        except ValueError:
            raise Undecided("eigenvalues that could not be told apart") from None
    ends = [endpoints(value.real) for value in values]
    lows = sorted((low for low, _ in ends), reverse=True)
    highs = sorted((high for _, high in ends), reverse=True)
    # The k-th largest eigenvalue lies between the k-th largest lower and upper ends.
    return [interval(low, high) for low, high in zip(lows, highs, strict=True)]


def is_positive_semidefinite(matrix: Matrix) -> bool:
    """Whether a symmetric matrix of exact numbers is: its characteristic polynomial alternates.

    >>> is_positive_semidefinite([[4, 2], [2, 1]]), is_positive_semidefinite([[1, 2], [2, 1]])
    (True, False)
    """
    rows = [[number(entry) for entry in row] for row in matrix]
    coefficients = flint.fmpq_mat(rows).charpoly().coeffs() if rows else []
    return all(c * (-1) ** k >= 0 for k, c in enumerate(reversed(coefficients)))
