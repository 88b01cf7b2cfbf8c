"""Commands that show, plan and write notes, and those that watch over the runs which do."""
