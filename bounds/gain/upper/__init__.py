"""The upper bounds on γ̃_n: a file each, those over a partition in one."""
