"""What a pattern of evaluation times costs: how much of f is unknown again in every round.

- `waits`     Theorem F's shares p_i, their sum Π, and what each wait adds to it
- `windows`   the windows of Theorems I and Q+, and the charging sum A
- `theorem_i` the least regret on a finite domain from both sides, through Π
"""
