"""The MCP server: maps the tools and resources of agents to operations; makes no decisions."""
