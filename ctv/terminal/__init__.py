"""The program around the commands: how they are laid out, how it ends, what was misspelt."""
