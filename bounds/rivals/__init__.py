"""Rivals: the published bounds of others, with explicit constants and their hypotheses checked.

- `rival`      the value, and what the hypotheses are
- `static`     bounds on γ_n: Srinivas, Vakili, Iwazaki
- `drifting`   bounds on γ̃_n or regret: Bogunovic, Krause and Ong, Mandl and Kekkonen
- `box`        gains over the whole box, for theorems on it
- `assembled`  all of them for one problem
- `curves`     all of them over ε at unit steps, Theorem A among them
"""
