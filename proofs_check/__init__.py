"""proofs_check: everything that returns a verdict about a statement.

`proofs_check.records.verify.verify` runs the ledger; `proofs_check.claims` holds one file per
numbered statement of the paper, in paper order; `proofs_check.recheck` checks certificates again by
other code.
"""
