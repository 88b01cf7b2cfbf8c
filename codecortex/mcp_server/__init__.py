"""The MCP server: tools and resources of agents <-> operations; no decisions."""
