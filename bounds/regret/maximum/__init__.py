"""m*, the expected maximum of the prior over a domain, from both sides."""
