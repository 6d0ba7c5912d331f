"""What is known before a run but only through random numbers: m*, floors, schedules, entropy."""
