"""Pages: the report."""
