"""The index of what referenced assemblies declare: one compact file, of which only what is asked for is read."""
