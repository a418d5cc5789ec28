"""``python -m hocp2p`` is ``hocp2p``."""

import sys

from hocp2p.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
