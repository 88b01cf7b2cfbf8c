"""Hooks of git: installed -> run -> index, notes and work tree brought up to date."""
