"""Certificates of logs whose prior is not known, and how often they hold."""
