"""Files that come with the project: measured evaluation times, and the style of the report."""
