"""proofs_check: everything that returns a verdict about a statement.

`proofs_check.records.verify.verify` runs the ledger; `proofs_check.ledgers` holds the claims as
data, a folder a paper and a file a section; `proofs_check.recheck` checks certificates again by
other code.
"""
