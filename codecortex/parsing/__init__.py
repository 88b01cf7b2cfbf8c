"""Reads C# sources, project files and documentation comments into facts.

Works on one file at a time, without git and without fingerprints.
"""
