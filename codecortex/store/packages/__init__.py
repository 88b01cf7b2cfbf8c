"""Where packages and reference assemblies lie on this machine; nothing is fetched."""
