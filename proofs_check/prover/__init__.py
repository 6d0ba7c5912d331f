"""What the proof assistant says about claims, and how it is asked."""
