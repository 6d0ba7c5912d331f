"""`python -m ctv`."""

from ctv.cli import main

main()
