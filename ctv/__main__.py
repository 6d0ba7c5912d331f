"""`python -m ctv`."""

from ctv.cli import main

if __name__ == "__main__":
    main()
