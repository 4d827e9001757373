"""Install the audit hook in processes started by an audited job."""

import os

if "SUREFOOT_AUDIT" in os.environ:
    from audit_hook import install

    install(os.environ["SUREFOOT_AUDIT"])
