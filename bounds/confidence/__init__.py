"""β schedules, and the constants of the confidence events."""
