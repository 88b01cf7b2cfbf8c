"""Queries on a workspace: resolve, search, outline, index, usages, graph."""
