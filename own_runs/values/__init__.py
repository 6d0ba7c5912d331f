"""Values that commands about logs print."""
