"""Bytes in, facts out: the C# front end and the project-file readers.

Knows no other file, no git, no hashes of types.
"""
