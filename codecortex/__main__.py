"""`python -m codecortex`."""

from codecortex.cli.main import run

run()
