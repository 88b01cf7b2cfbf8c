"""Reads, lists, watches and writes files of the work tree, never through a symbolic link."""
