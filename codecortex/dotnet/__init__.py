"""The only way to a .NET SDK on this machine: what a project is compiled with, and the compiler itself."""
