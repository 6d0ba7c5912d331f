"""The prior that fits a log: the fit, its checks, its files, the problems it gives."""
