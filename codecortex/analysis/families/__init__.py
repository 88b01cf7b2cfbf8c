"""Families of members: overrides and implementations, with what they override and implement."""
