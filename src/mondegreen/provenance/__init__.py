"""Provenance: ledgers of edits, manifests of outputs and suites, and their verification."""
