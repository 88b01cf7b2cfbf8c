"""`.codecortex` brought up to date: plan (what would change) -> apply (files written), and the commands around it."""
