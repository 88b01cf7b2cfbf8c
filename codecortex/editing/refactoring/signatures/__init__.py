"""Parameters that come, go and change places: in declarations, in calls and in documentation."""
