"""Reads and edits the configuration files of the repository and of the user; errors name the line."""
