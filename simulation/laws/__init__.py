"""What must be true of every run, as laws that anyone can hold a policy or a problem against."""
