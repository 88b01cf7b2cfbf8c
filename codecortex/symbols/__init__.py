"""Finds the types, members and namespaces that a query text means."""
