"""codecortex: a C# repository's own map, kept inside the repository."""

__version__ = "0.2.0"
