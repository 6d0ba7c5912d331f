"""What other papers offer for the same problem."""
