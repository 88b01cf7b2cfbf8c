"""Binds what heads of declarations share: attributes, parameters, constraints."""
