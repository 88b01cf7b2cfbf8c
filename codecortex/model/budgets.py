"""How many tokens an answer may take unless the user says otherwise; for packs, see `model/packs.py`."""

QUESTION_BUDGET = 4000
READ_BUDGET = 10_000
LIVE_BUDGET = 8000
