"""What each figure needs, computed by the packages."""
