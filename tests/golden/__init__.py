"""What every command answered on some problems when it was last meant to change."""
