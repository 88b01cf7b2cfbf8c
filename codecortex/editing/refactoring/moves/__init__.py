"""Declarations that go to another place: what stands around them, what comes along, where they are put."""
