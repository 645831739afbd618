"""The lab of the e2e ring: real programs on four machines made of network namespaces."""

from .churn import Churn
from .lab import DAILY, HASTY, HUB_ADDRESS, LAN_ADDRESS, VISITOR_ADDRESS, Lab, Names
from .process import Failed
from .visitors import MixUp, Visitors
from .wait import TimedOut, until

__all__ = ["Churn", "DAILY", "HASTY", "HUB_ADDRESS", "LAN_ADDRESS", "VISITOR_ADDRESS", "Failed", "Lab",
           "MixUp", "Names", "TimedOut", "Visitors", "until"]
