"""A question, postings and a history in; ranked files and members, and a text within a budget, out."""
