"""Csharp."""
