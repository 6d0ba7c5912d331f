"""Rivals: the published bounds of others, with explicit constants and their hypotheses checked.

- `rival`      the value, and what the hypotheses are
- `static`     bounds on γ_n: Srinivas, Vakili, Iwazaki; the last one for the whole box
- `drifting`   bounds on γ̃_n or regret: Bogunovic, Krause and Ong, Mandl and Kekkonen
- `assembled`  all of them for one problem
- `curves`     all of them over ε at unit steps, Theorem A among them
"""
