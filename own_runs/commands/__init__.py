"""Commands about a log, and what they add to the options of other commands."""
