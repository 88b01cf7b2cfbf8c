"""Evaluates the facts of project files for one flavour, as MSBuild would, without executing anything."""
