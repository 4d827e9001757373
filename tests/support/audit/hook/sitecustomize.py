"""Installs the audit hook in the processes that an audited job starts."""

import os

if "SUREFOOT_AUDIT" in os.environ:
    from audit_hook import install

    install(os.environ["SUREFOOT_AUDIT"])
