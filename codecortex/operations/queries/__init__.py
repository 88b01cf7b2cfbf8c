"""Questions about a workspace: resolve, search, outline, index, usages, graph."""
