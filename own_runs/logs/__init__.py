"""Logs of searches that people ran: from what a tuner wrote to observations on a clock."""
