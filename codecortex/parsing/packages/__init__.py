"""Reads what NuGet writes: what a package needs, and what a restore chose for a project."""
