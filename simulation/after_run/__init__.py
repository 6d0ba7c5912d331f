"""Certificates of finished runs, and how often they hold."""
