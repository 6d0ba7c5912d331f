"""One file a command: its options, its answer, its exit code."""
