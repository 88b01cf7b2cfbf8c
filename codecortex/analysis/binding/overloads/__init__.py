"""Overload resolution: which function member a call means."""
