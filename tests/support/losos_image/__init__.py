"""A virtual machine that boots the image of a gateway, and the serial console that its owner types on."""

from .console import Console  # noqa: F401
from .home import Home, MissingImage, image_file  # noqa: F401
from .machine import VirtualMachine  # noqa: F401
