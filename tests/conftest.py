"""What holds for every test."""

import os

# A receipt of the proof assistant on this machine changes what no test sees.
os.environ["CTV_RECEIPTS"] = os.devnull
