"""Commands that show, plan and write notes, and that manage the runs which write them."""
